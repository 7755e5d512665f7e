import { SeamError } from "../../errors/index.ts";
import { stopLoading } from "../../extensions/index.ts";
import type { Core } from "../core.ts";
import { onItsOwn } from "./cuts.ts";
import { NOT_IN_AN_EVENT, type Verdict } from "./protocol.ts";

/** Goes on without an extension that did not give the thread back. */
export function recover(core: Core, verdict: Verdict): void {
  const { set, stuckMs: ms, compacting } = core;
  const { path, where } = verdict;
  const event = eventOf(core, verdict);
  const file = where && where.file !== path ? `${where.file}:` : "line ";
  const at = where ? `, ${file}${where.line}` : "";
  const error = new SeamError("SEAM_HANDLER_STUCK", { path, ms, event, at });
  if (set.expel(path, error, { event, ...(where && { where }) })) {
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

/** If only one of its handlers has not settled yet, it was most likely that one. */
function eventOf({ set }: Core, { path, what }: Verdict): string {
  const waiting = what === NOT_IN_AN_EVENT ? set.dispatcher.waiting(path) : [];
  return waiting.length === 1 ? `${waiting[0]}, after an await` : what;
}

/** The model may have been the extension's. */
function replaceModel(core: Core): void {
  const { model, models } = core;
  if (!model || models.find(model.provider, model.id)) return;
  core.model = undefined;
  // If there is no other, the next turn says so.
  void core.cuts.step(() => core.chooseModel(true), undefined).catch(() => {});
}
