import { type Model, THINKING_LEVELS } from "../../events/index.ts";
import type { EmbeddedAgent } from "../../host/index.ts";
import { pick } from "./pick.ts";
import type { CommandSurroundings, ScreenCommand } from "./screen-command.ts";
import { WITHOUT_MODEL } from "./without-model.ts";

const nameOf = ({ provider, id }: Model) => `${provider}/${id}`;

async function chooseModel(around: CommandSurroundings, wanted: string): Promise<void> {
  const { agent, stage, notify } = around;
  const models = agent.models.getAvailable();
  if (models.length === 0) {
    notify(WITHOUT_MODEL, "warning");
    return;
  }
  const exact = models.find((model) => nameOf(model) === wanted || model.id === wanted);
  const current = agent.model && nameOf(agent.model);
  const items = models.map((model) => ({
    value: nameOf(model),
    label: nameOf(model),
    description: model.name,
  }));
  const chosen = exact
    ? nameOf(exact)
    : await pick(stage, "Model", items, current === undefined ? {} : { selected: current });
  const model = models.find((one) => nameOf(one) === chosen);
  if (model && !(await agent.setModel(model))) notify(`${chosen} cannot be reached.`, "error");
}

async function chooseThinking(
  { agent, stage }: CommandSurroundings,
  wanted: string,
): Promise<void> {
  const items = THINKING_LEVELS.map((level) => ({ value: level, label: level }));
  const selected = { selected: agent.thinkingLevel };
  const chosen = wanted || (await pick(stage, "How hard the model thinks", items, selected));
  const level = THINKING_LEVELS.find((one) => one === chosen);
  if (level) await agent.setThinkingLevel(level);
}

export const MODEL_COMMANDS: readonly ScreenCommand[] = [
  { name: "model", description: "choose the model", run: chooseModel },
  { name: "thinking", description: "choose how hard the model thinks", run: chooseThinking },
];

/** The next level of thinking; after the hardest one, none. */
export function cycleThinking(agent: EmbeddedAgent): Promise<void> {
  const at = THINKING_LEVELS.indexOf(agent.thinkingLevel);
  return agent.setThinkingLevel(THINKING_LEVELS[(at + 1) % THINKING_LEVELS.length] ?? "off");
}

/** The next model that can be reached, or the one before. */
export async function cycleModel(agent: EmbeddedAgent, step: 1 | -1): Promise<void> {
  const models = agent.models.getAvailable();
  const at = models.findIndex(
    ({ id, provider }) => id === agent.model?.id && provider === agent.model.provider,
  );
  const next = models[(at + step + models.length) % models.length];
  if (next) await agent.setModel(next, "cycle");
}
