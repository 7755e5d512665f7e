import type { EmbeddedAgent } from "../../host/index.ts";
import { safeText } from "../../terminal/index.ts";
import { SCREEN_COMMANDS } from "../commands/index.ts";
import type { CompletableCommand } from "../editor/completions.ts";

/** Commands that the agent has by itself. */
const OF_THE_HOST: readonly CompletableCommand[] = [
  { name: "login", description: "log in to a provider of models" },
  { name: "logout", description: "forget a login" },
];

/** Everything that can be entered behind a slash. One of an extension comes before one of ours. */
export function completableCommands(agent: EmbeddedAgent | undefined): CompletableCommand[] {
  const theirs = agent?.extensions.commands() ?? [];
  const others = (agent?.commands ?? []).map(({ name, description }) => {
    const options = theirs.find((one) => one.invocationName === name)?.options;
    return {
      name,
      ...(description !== undefined && { description: safeText(description) }),
      ...(options?.getArgumentCompletions && { complete: options.getArgumentCompletions }),
    };
  });
  const names = new Set(others.map(({ name }) => name));
  const own = [...SCREEN_COMMANDS, ...OF_THE_HOST].filter(({ name }) => !names.has(name));
  return [
    ...others,
    ...own.map(({ name, description }) => ({ name, ...(description && { description }) })),
  ];
}
