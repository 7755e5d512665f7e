import { SeamError } from "../../errors/index.ts";
import { describeProblem } from "../../extensions/index.ts";
import { createAgent, type EmbeddedAgent } from "../../host/index.ts";
import type { AgentConnection } from "../../screen/index.ts";
import { agentOptions } from "./agent-options.ts";
import { extensionsFor, refuseWithoutNamed } from "./find-extensions.ts";
import { parseFlags } from "./flags.ts";
import { leaveOut } from "./leave-out.ts";
import type { RunOptions } from "./run-options.ts";

/** The agent behind the interactive terminal. */
export async function startAgent(
  options: RunOptions,
  extra: readonly string[],
  cwd: string,
  { ui, onEvent, onLog }: AgentConnection,
): Promise<EmbeddedAgent> {
  const warn = (text: string) => onLog("warn", text);
  const without = options.without ?? [];
  const found = options.extensions
    ? await extensionsFor(cwd, options.extension, warn, (sources) =>
        leaveOut(sources, { cwd, without, warn, asks: false }),
      )
    : [];
  return createAgent({
    ...(await agentOptions(options, { cwd, warn, found })),
    mode: "tui",
    flags: (set) => {
      refuseWithoutNamed(set, cwd, options.extension);
      for (const { problem } of set.failures) warn(describeProblem(problem));
      const { flags, words } = parseFlags(set, extra);
      if (words.length > 0) {
        throw new SeamError("SEAM_USAGE", { detail: `"${words[0]}" was not expected.` });
      }
      return flags;
    },
    ui,
    onEvent,
    onLog,
  });
}
