import { SeamError } from "../../errors/index.ts";
import type { Source } from "../find/source.ts";
import type { Runtime } from "../runtime.ts";

/** A critical extension that does not run must not simply be missing: tool calls are blocked. */
export function standIn(runtime: Runtime, { name, path }: Source): void {
  const owner = { name, path, critical: true, createContext: () => ({}) };
  const error = new SeamError("SEAM_EXT_CRITICAL", { path });
  runtime.dispatcher.on(owner, "tool_call", () => ({
    block: true,
    reason: `${error.message} ${error.next}`,
  }));
}
