import type { ExtensionAPI } from "agentseam";

/**
 * Three ways to say something in the user's name. When the agent is idle, all three start to work
 * at once; while it works, `/steer` comes before its next step and `/follow` when it would stop.
 * `/ask` never interrupts: it waits for its turn.
 *
 * Shows: `pi.sendUserMessage` idle and busy, `ctx.isIdle`, `ctx.waitForIdle`.
 *
 * @example
 * seam run -e extensions/send-user-message.ts --mode rpc
 * {"type":"prompt","message":"/steer Leave the tests alone"}
 */
export default function sendUserMessage(pi: ExtensionAPI) {
  pi.registerCommand("ask", {
    description: "Ask as soon as the agent is idle",
    handler: async (text, ctx) => {
      if (text === "") return ctx.ui.notify("Usage: /ask <question>", "warning");
      if (!ctx.isIdle()) ctx.ui.notify("The agent is working; the question waits.");
      await ctx.waitForIdle();
      pi.sendUserMessage([{ type: "text", text }]);
    },
  });

  pi.registerCommand("steer", {
    description: "Say something before the agent's next step",
    handler: (text, ctx) => {
      if (text === "") return ctx.ui.notify("Usage: /steer <what to do differently>", "warning");
      pi.sendUserMessage(text, { deliverAs: "steer" });
    },
  });

  pi.registerCommand("follow", {
    description: "Say something when the agent would stop",
    handler: (text, ctx) => {
      if (text === "") return ctx.ui.notify("Usage: /follow <what to do next>", "warning");
      pi.sendUserMessage(text, { deliverAs: "followUp" });
    },
  });
}
