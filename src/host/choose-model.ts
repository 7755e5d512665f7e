import type { Core } from "./core.ts";

/** Chooses a model if none is chosen yet. Late, extensions are told, and it fails if there is none. */
export function chooseModel({ session, models, wantedModel, emitter }: Core, late: boolean): void {
  if (session.model) return;
  if (typeof wantedModel === "object") session.model = wantedModel;
  else if (wantedModel === undefined) session.model = models.defaultModel();
  else if (late || models.knows(wantedModel)) session.model = models.resolve(wantedModel);
  if (late && session.model) {
    emitter.emit({ type: "model_select", model: session.model, source: "set" });
  }
}
