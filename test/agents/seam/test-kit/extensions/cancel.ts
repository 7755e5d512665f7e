import type { ExtensionAPI } from "agentseam";

/** Lets no compaction and no change of session happen. */
export default function cancel(pi: ExtensionAPI) {
  pi.on("session_before_compact", () => ({ cancel: true }));
  pi.on("session_before_switch", () => ({ cancel: true }));
}
