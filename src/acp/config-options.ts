import { RequestError, type SessionConfigOption } from "@agentclientprotocol/sdk";
import { type Model, THINKING_LEVELS } from "../events/index.ts";
import type { EmbeddedAgent } from "../host/index.ts";

const nameOf = ({ provider, id }: Model) => `${provider}/${id}`;

/** What a client can choose in a session: the model, and how much it thinks. */
export function configOptions(
  agent: EmbeddedAgent,
  models: readonly Model[],
): SessionConfigOption[] {
  const { model } = agent;
  // A model from elsewhere, such as a scripted one, is in no list and still the one at work.
  const isListed = model === undefined || models.some((one) => nameOf(one) === nameOf(model));
  const all = isListed ? models : [model, ...models];
  const choices = all.map((one) => ({ value: nameOf(one), name: one.name }));
  return [
    ...(model
      ? [
          {
            type: "select" as const,
            id: "model",
            name: "Model",
            category: "model",
            currentValue: nameOf(model),
            options: choices,
          },
        ]
      : []),
    {
      type: "select",
      id: "thinking",
      name: "Thinking",
      category: "thought_level",
      currentValue: agent.thinkingLevel,
      options: THINKING_LEVELS.map((value) => ({ value, name: value })),
    },
  ];
}

/** Sets one of them. */
export async function setConfigOption(
  agent: EmbeddedAgent,
  models: readonly Model[],
  { configId, value }: { readonly configId: string; readonly value: unknown },
): Promise<void> {
  if (configId === "thinking") {
    const level = THINKING_LEVELS.find((one) => one === value);
    if (!level) throw RequestError.invalidParams(undefined, `There is no level "${value}".`);
    return agent.setThinkingLevel(level);
  }
  if (configId !== "model") {
    throw RequestError.invalidParams(undefined, `There is no option "${configId}".`);
  }
  const model = models.find((one) => nameOf(one) === value);
  if (!model || !(await agent.setModel(model))) {
    throw RequestError.invalidParams(undefined, `The model "${value}" cannot be used.`);
  }
}
