import type { EmbeddedAgent } from "../../host/index.ts";
import { THINKING_LEVELS } from "../commands/model-commands.ts";

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
