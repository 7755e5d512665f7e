import type { ExtensionAPI } from "agentseam";

/** Sends an agent that stops back to work, once. On some agents a subagent stops like an agent. */
export default function goOn(pi: ExtensionAPI) {
  let asked = false;
  pi.on("input", ({ text }) => {
    asked ||= text.includes("SMALL-PART");
  });
  pi.on("agent_end", () => {
    if (asked) return;
    asked = true;
    pi.sendUserMessage("you-are-not-done");
  });
}
