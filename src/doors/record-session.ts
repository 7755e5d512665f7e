import type { InlineExtension } from "../extensions/index.ts";

/**
 * Records the sessions of an agent of `createAgent` as `seam run` does, if the folder is in a
 * repository that `seam enable` was run in: give what comes back to the agent as extensions. None
 * where nothing is recorded. `warn` is told what could not be recorded.
 *
 * @example
 * import { createAgent, recordSession } from "agentseam/host";
 *
 * const cwd = process.cwd();
 * const agent = await createAgent({ cwd, extensions: await recordSession(cwd) });
 */
export async function recordSession(
  cwd: string,
  warn: (text: string) => void = (text) => process.emitWarning(text),
): Promise<InlineExtension[]> {
  // Most programs record nothing: they do not read what talks to the daemon.
  const daemon = await import("../daemon/index.ts");
  const extension = await daemon.recordSession(cwd, warn);
  return extension ? [extension] : [];
}
