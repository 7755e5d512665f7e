import type { ExtensionAPI } from "agentseam";

/** Sends an agent that stops back to work, once. */
export default function goOn(pi: ExtensionAPI) {
  let asked = false;
  pi.on("agent_end", () => {
    if (asked) return;
    asked = true;
    pi.sendUserMessage("you-are-not-done");
  });
}
