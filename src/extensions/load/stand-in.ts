import { SeamError } from "../../errors/index.ts";
import { knownPath, type Source } from "../find/source.ts";
import type { Runtime } from "../runtime.ts";

/**
 * A critical extension that does not run must not simply be missing: tool calls are blocked, and the
 * model and the user are told why and what resolves it.
 */
export function standIn(runtime: Runtime, source: Source, cause: SeamError): void {
  const { name, path } = source;
  const owner = { name, path, critical: true, createContext: () => ({}) };
  const { message: detail, next } = cause;
  const error = new SeamError("SEAM_EXT_CRITICAL", { path: knownPath(source), detail, next });
  runtime.dispatcher.on(owner, "tool_call", () => ({
    block: true,
    reason: `${error.message} ${error.next}`,
  }));
}
