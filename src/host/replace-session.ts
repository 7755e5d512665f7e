import type { ThinkingLevel } from "../events/index.ts";
import { bindHost } from "./bind-host.ts";
import type { Core } from "./core.ts";
import { loadResources } from "./load-resources.ts";
import { SessionFile, type SessionTree } from "./session/index.ts";

export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";

/** Loads extensions into the session and tells them that it has begun. */
export async function startSession(
  core: Core,
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
  core.set = set;
  core.tools.changed();
  bindHost(core);
  core.chooseModel(false);
  const previous = previousSessionFile === undefined ? {} : { previousSessionFile };
  await core.emitter.tell({ type: "session_start", reason, ...previous });
  // Again: a handler of session_start may have registered the provider it comes from.
  core.chooseModel(true);
  core.resources = await loadResources(core, reason === "reload" ? "reload" : "startup");
  restoreModel(core);
  core.branchChanged();
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
  core.set.dispose();
}

/** Puts another session in the place of the present one. */
export async function replaceSession(
  core: Core,
  reason: "new" | "resume" | "fork",
  next: SessionTree,
): Promise<void> {
  const previous = core.session.getSessionFile();
  await endSession(core, reason, next.getSessionFile());
  if (core.session instanceof SessionFile) core.session.close();
  core.session = next;
  // What was meant for the old conversation has no place in the new one.
  core.queue.clear();
  core.tools.reset();
  await startSession(core, reason, previous);
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
  const { restores } = core;
  const { model, thinkingLevel } = core.session.buildContext();
  if (model && restores.thinkingLevel && isThinkingLevel(thinkingLevel)) {
    core.thinkingLevel = thinkingLevel;
  }
  const known = restores.model && model && core.models.find(model.provider, model.modelId);
  if (!known || (known.id === core.model?.id && known.provider === core.model.provider)) return;
  const previous = core.model ? { previousModel: core.model } : {};
  core.model = known;
  core.emitter.emit({ type: "model_select", model: known, ...previous, source: "restore" });
}
