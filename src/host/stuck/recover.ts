import { SeamError } from "../../errors/index.ts";
import type { Core } from "../core.ts";
import { onItsOwn } from "./cuts.ts";
import type { Verdict } from "./protocol.ts";

/** Goes on without an extension that did not give the thread back. */
export function recover(core: Core, { path, what, where }: Verdict): void {
  const error = new SeamError("SEAM_HANDLER_STUCK", { path, ms: core.stuckMs, event: what });
  const { set, compacting } = core;
  const details = { event: what, ...(where && { where }) };
  if (set.expel(path, error, details)) core.expelled.set(path, error);
  else core.log("error", error.message);
  set.dispatcher.recover();
  core.cuts.raise(error);
  if (!compacting) return;
  onItsOwn(() => compacting.abort());
  // Whoever was to take note of its end may be gone.
  core.compacting = undefined;
}
