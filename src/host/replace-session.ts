import { isThinkingLevel } from "../events/index.ts";
import { bindHost, type HostActions } from "./bind-host.ts";
import { chooseModel } from "./choose-model.ts";
import type { Core } from "./core.ts";
import { loadResources } from "./load-resources.ts";
import { decideTrust } from "./project-trust.ts";
import { SessionFile, type SessionTree } from "./session/index.ts";

export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";

/** Loads extensions into the session and tells them that it has begun. */
export async function startSession(
  core: Core,
  actions: HostActions,
  reason: StartReason,
  previousSessionFile?: string,
): Promise<void> {
  core.watch.sessionChanged();
  await takeUp(core, actions);
  if (core.session.trusted === undefined) {
    core.session.trusted = await decideTrust(core);
    if (core.session.trusted.length > 0) {
      // From the beginning: who comes first is decided by where extensions are from.
      core.session.set.dispose();
      await takeUp(core, actions);
    }
  }
  chooseModel(core, false);
  const previous = previousSessionFile === undefined ? {} : { previousSessionFile };
  await core.emitter.tell({ type: "session_start", reason, ...previous });
  // Again: a handler of session_start may have registered the provider it comes from.
  chooseModel(core, true);
  core.session.resources = await loadResources(core, reason === "reload" ? "reload" : "startup");
  restoreModel(core);
  core.side.restore();
}

/** Loads the extensions and makes the actions behind their API real. */
async function takeUp(core: Core, actions: HostActions): Promise<void> {
  const set = await core.loadExtensions(core.session.trusted ?? []);
  if (core.changes.closed) {
    // The agent was disposed of meanwhile: nobody else would end these.
    set.dispose();
    core.changes.assertOpen();
  }
  core.session.set = set;
  core.tools.changed();
  bindHost(core, actions);
}

/** How long the end of a session waits for extensions. */
export const END_MS = 3_000;

/** Tells extensions that the session is over, and makes everything they hold on to stale. */
export async function endSession(
  core: Core,
  reason: "quit" | "reload" | "new" | "resume" | "fork",
  targetSessionFile?: string,
): Promise<void> {
  const target = targetSessionFile === undefined ? {} : { targetSessionFile };
  // Someone may still hang in an earlier event; the end does not wait for that.
  await core.emitter.tell({ type: "session_shutdown", reason, ...target }, END_MS);
  core.session.set.dispose();
  await core.mcp.closeAll();
}

/** Puts another session in the place of the present one. */
export async function replaceSession(
  core: Core,
  actions: HostActions,
  reason: "new" | "resume" | "fork",
  next: SessionTree,
): Promise<void> {
  const previous = core.session.tree.getSessionFile();
  await endSession(core, reason, next.getSessionFile());
  if (core.session.tree instanceof SessionFile) core.session.tree.close();
  core.session.tree = next;
  // What was meant for the old conversation has no place in the new one.
  core.queue.clear();
  core.tools.reset();
  await startSession(core, actions, reason, previous);
  const before = previous === undefined ? {} : { previousSessionFile: previous };
  await core.emitter.tell({ type: "session_switch", reason, ...before }, 0);
  if (reason === "fork") await core.emitter.tell({ type: "session_branch", ...before }, 0);
}

/** A session that is taken up again goes on with the model it had, thinking as hard as then. */
function restoreModel(core: Core): void {
  const { restores } = core.session;
  const { model, thinkingLevel } = core.session.tree.buildContext();
  if (model && restores.thinkingLevel && isThinkingLevel(thinkingLevel)) {
    core.session.thinkingLevel = thinkingLevel;
  }
  const wanted = lastVirtual(core) ?? model;
  const known = restores.model && wanted && core.models.find(wanted.provider, wanted.modelId);
  if (
    !known ||
    (known.id === core.session.model?.id && known.provider === core.session.model.provider)
  )
    return;
  const previous = core.session.model ? { previousModel: core.session.model } : {};
  core.session.model = known;
  core.emitter.emit({ type: "model_select", model: known, ...previous, source: "restore" });
}

/** The model that was selected last, if it is virtual: answers name the ones it handed requests to. */
function lastVirtual({ session, models }: Core) {
  const change = session.tree.getBranch().findLast((entry) => entry.type === "model_change");
  if (change?.type !== "model_change") return undefined;
  const { provider, modelId } = change;
  const model = models.find(provider, modelId);
  return model && models.router(model) ? { provider, modelId } : undefined;
}
