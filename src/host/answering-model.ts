import type { AssistantMessage, Message, Model, SessionEntry } from "../events/index.ts";
import type { ChosenModel, ModelRouteRequest } from "../extensions/index.ts";
import { isRecord } from "../values/index.ts";
import type { Core } from "./core.ts";
import type { Answering, Asking } from "./loop/run-context.ts";
import { VIRTUAL_MODEL_STATE_ENTRY } from "./models/index.ts";

/** The model that is selected. Throws with what to do if there is none. */
export function selectedModel({ session, models }: Core): Model {
  if (!session.model) throw models.noModel();
  return session.model;
}

/** The model that answers a request: the one that stands in, the one a router chose, or the selected. */
export async function answeringModel(core: Core, asking: Asking): Promise<Answering> {
  const { session, run, models } = core;
  const selected = selectedModel(core);
  const { thinkingLevel } = session;
  if (run.standIn) return { model: run.standIn, thinkingLevel };
  const route = models.router(selected);
  if (!route) return { model: selected, thinkingLevel };
  const state = stateOf(session.tree.getBranch(), selected);
  const chosen = await route({
    model: selected,
    thinkingLevel,
    ...about(core, asking),
    ...(state !== undefined && { state }),
  });
  if (chosen.state !== undefined && chosen.state !== state) {
    const data = { provider: selected.provider, modelId: selected.id, state: chosen.state };
    session.tree.appendCustomEntry(VIRTUAL_MODEL_STATE_ENTRY, data);
  }
  return { model: chosen.model, thinkingLevel: chosen.thinkingLevel };
}

function about(
  core: Core,
  { messages, signal, failed }: Asking,
): Pick<ModelRouteRequest, "reason" | "previous" | "failed" | "messages" | "signal"> {
  const answered = (message: Message): message is AssistantMessage =>
    message.role === "assistant" && !["error", "aborted"].includes(message.stopReason);
  const previous = chosenIn(core, messages.findLast(answered));
  const tried = failed && chosenIn(core, failed);
  const isAgain = failed !== undefined;
  return {
    reason: isAgain ? "retry" : messages.at(-1)?.role === "user" ? "user" : "continuation",
    ...(previous && { previous }),
    ...(failed && tried && { failed: { ...tried, message: failed } }),
    messages,
    signal,
  };
}

function chosenIn(
  { models }: Core,
  message: AssistantMessage | undefined,
): ChosenModel | undefined {
  const model = message && models.find(message.provider, message.model);
  return model && { model };
}

/** What the router returned last on this branch. */
function stateOf(branch: readonly SessionEntry[], { provider, id }: Model): unknown {
  for (const entry of [...branch].reverse()) {
    if (entry.type !== "custom" || entry.customType !== VIRTUAL_MODEL_STATE_ENTRY) continue;
    const { data } = entry;
    if (isRecord(data) && data.provider === provider && data.modelId === id) return data.state;
  }
  return undefined;
}

/** Lets the next of the models that may stand in go on with the turn; the names of both. */
export function fallBack(core: Core): { from: string; to: string } | undefined {
  const { run, models, behaviour } = core;
  const before = run.standIn ?? selectedModel(core);
  for (const spec of behaviour.retry.fallbackModels ?? []) {
    if (run.failedModels.has(spec)) continue;
    run.failedModels.add(spec);
    if (!models.knows(spec)) {
      core.log("warn", `The setting retry.fallbackModels names ${spec}, which is not there.`);
      continue;
    }
    const model = models.resolve(spec);
    const isSame = nameOf(model) === nameOf(before);
    if (isSame || !models.hasConfiguredAuth(model)) continue;
    run.standIn = model;
    return { from: nameOf(before), to: nameOf(model) };
  }
  return undefined;
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}
