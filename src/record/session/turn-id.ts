import { createHash } from "node:crypto";
import type { HookRecord } from "../recorder.ts";

/** The turn that a hook starts. The same hook, sent again after a crash, starts the same turn. */
export function turnIdOf({ agent, id, seq, reading }: HookRecord): string {
  const name = [agent, reading?.sessionId, id, seq].join("\0");
  return createHash("sha256").update(name).digest("hex").slice(0, 12);
}
