import type { ThinkingLevel } from "../events/index.ts";
import { bindHost, type HostActions } from "./bind-host.ts";
import { chooseModel } from "./choose-model.ts";
import type { Core } from "./core.ts";
import { loadResources } from "./load-resources.ts";
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
  const set = await core.loadExtensions();
  if (core.changes.closed) {
    // The agent was disposed of meanwhile: nobody else would end these.
    set.dispose();
    core.changes.assertOpen();
  }
  core.session.set = set;
  core.tools.changed();
  bindHost(core, actions);
  chooseModel(core, false);
  const previous = previousSessionFile === undefined ? {} : { previousSessionFile };
  await core.emitter.tell({ type: "session_start", reason, ...previous });
  // Again: a handler of session_start may have registered the provider it comes from.
  chooseModel(core, true);
  core.session.resources = await loadResources(core, reason === "reload" ? "reload" : "startup");
  restoreModel(core);
  core.side.restore();
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

const LEVELS: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh"];

function isThinkingLevel(level: string): level is ThinkingLevel {
  return LEVELS.includes(level);
}

/** A session that is taken up again goes on with the model it had, thinking as hard as then. */
function restoreModel(core: Core): void {
  const { restores } = core.session;
  const { model, thinkingLevel } = core.session.tree.buildContext();
  if (model && restores.thinkingLevel && isThinkingLevel(thinkingLevel)) {
    core.session.thinkingLevel = thinkingLevel;
  }
  const known = restores.model && model && core.models.find(model.provider, model.modelId);
  if (
    !known ||
    (known.id === core.session.model?.id && known.provider === core.session.model.provider)
  )
    return;
  const previous = core.session.model ? { previousModel: core.session.model } : {};
  core.session.model = known;
  core.emitter.emit({ type: "model_select", model: known, ...previous, source: "restore" });
}
