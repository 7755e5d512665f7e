import type { ExtensionAPI } from "agentseam";

/** Wherever something can be said to the model or to the user, says it once for each native hook. */
export default function tell(pi: ExtensionAPI) {
  const said = new Set<string>();
  const words = (kind: "context" | "message", { nativeHook = "" }: { nativeHook?: string }) => {
    const text = `${kind} of (${nativeHook})`;
    if (said.has(text)) return undefined;
    said.add(text);
    return text;
  };
  const send = (event: { nativeHook?: string }) => {
    const content = words("context", event);
    if (content) pi.sendMessage({ customType: "tell", content, display: true });
  };

  pi.on("session_start", (event, ctx) => {
    send(event);
    const message = words("message", event);
    if (message) ctx.ui.notify(message);
  });
  pi.on("subagent_start", send);
  pi.on("tool_result", send);
  pi.on("input", (event, ctx) => {
    const message = words("message", event);
    if (message) ctx.ui.notify(message);
  });
  pi.on("before_agent_start", (event) => {
    const content = words("context", event);
    if (content) return { message: { customType: "tell", content, display: true } };
  });
  pi.on("tool_call", (event, ctx) => {
    // What is said to a call that is stopped is lost on some agents.
    if (!String(event.input.command ?? "").startsWith("echo")) return;
    const message = words("message", event);
    if (message) ctx.ui.notify(message);
    const additionalContext = words("context", event);
    if (additionalContext) return { additionalContext };
  });
}
