import { type Call, PROTECTION } from "../protection/index.ts";
import { askUser } from "./ask-user.ts";
import type { Core } from "./core.ts";

/**
 * Why a call must not run because it would change what Seam relies on; undefined if it may. Where
 * there is somebody to ask, they are asked.
 */
export async function protect(
  core: Core,
  { name, input }: Call,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { protectSeam } = core.behaviour;
  if (protectSeam === "allow") return undefined;
  const reason = core.protection.against([{ name, input }], core.cwd);
  if (reason === undefined || protectSeam === "block") return reason;
  const question = { toolName: name, input, reason, by: PROTECTION, unanswered: "block" } as const;
  return (await askUser(core, question, signal)) === true ? undefined : reason;
}
