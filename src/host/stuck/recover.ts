import { SeamError } from "../../errors/index.ts";
import { stopLoading } from "../../extensions/index.ts";
import type { Core } from "../core.ts";
import { onItsOwn } from "./cuts.ts";
import type { Verdict } from "./protocol.ts";

/** Goes on without an extension that did not give the thread back. */
export function recover(core: Core, { path, what, where }: Verdict): void {
  const { set, stuckMs: ms, compacting } = core;
  const at = where ? `, ${where.file}:${where.line}` : "";
  const error = new SeamError("SEAM_HANDLER_STUCK", { path, ms, event: what, at });
  if (set.expel(path, error, { event: what, ...(where && { where }) })) {
    core.expelled.set(path, error);
  } else if (stopLoading(path, error)) {
    core.expelled.set(path, error);
  } else {
    core.log("error", error.message);
  }
  set.dispatcher.recover();
  core.cuts.raise(error);
  replaceModel(core);
  if (!compacting) return;
  onItsOwn(() => compacting.abort());
  // Whoever was to take note of its end may be gone.
  core.compacting = undefined;
}

/** The model may have been the extension's. */
function replaceModel(core: Core): void {
  const { model, models } = core;
  if (!model || models.find(model.provider, model.id)) return;
  core.model = undefined;
  // If there is no other, the next turn says so.
  void core.cuts.step(() => core.chooseModel(true), undefined).catch(() => {});
}
