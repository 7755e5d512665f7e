import { describeProblem } from "../../extensions/index.ts";
import { createAgent, type EmbeddedAgent, type Prompt } from "../../host/index.ts";
import type { AgentConnection } from "../../screen/index.ts";
import { agentOptions } from "./agent-options.ts";
import { extensionsFor, refuseWithoutNamed } from "./find-extensions.ts";
import { parseFlags } from "./flags.ts";
import { leaveOut } from "./leave-out.ts";
import { promptsOf } from "./prompts.ts";
import type { RunOptions } from "./run-options.ts";

/** The agent behind the interactive terminal, and what it is to begin with. */
export async function startAgent(
  options: RunOptions,
  extra: readonly string[],
  cwd: string,
  { ui, onEvent, onLog }: AgentConnection,
): Promise<{ agent: EmbeddedAgent; prompts: readonly Prompt[] }> {
  const warn = (text: string) => onLog("warn", text);
  const without = options.without ?? [];
  const found = await extensionsFor(cwd, options, warn, (sources) =>
    leaveOut(sources, { cwd, without, warn, asks: false }),
  );
  let prompts: readonly Prompt[] = [];
  const agent = await createAgent({
    ...(await agentOptions(options, { cwd, warn, found })),
    mode: "tui",
    flags: (set) => {
      refuseWithoutNamed(set, cwd, options.extension);
      for (const { problem } of set.failures) warn(describeProblem(problem));
      const { flags, words } = parseFlags(set, extra);
      prompts = promptsOf(words, "", cwd);
      return flags;
    },
    ui,
    onEvent,
    onLog,
  });
  return { agent, prompts };
}
