import type { Command } from "commander";
import { describeProblem, loadExtensions } from "../../extensions/index.ts";
import { piModules } from "../../host/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { table } from "../table.ts";
import { extensionsFor } from "./find-extensions.ts";
import type { RunOptions } from "./run-options.ts";

/** The help, with the options that the extensions of this run bring. */
export async function showRunHelp(
  command: Command,
  options: Pick<RunOptions, "noExtensions" | "extension">,
  warn: (text: string) => void,
): Promise<void> {
  const cwd = process.cwd();
  const sources = await extensionsFor(cwd, options, warn);
  const set = await loadExtensions({ cwd, sources, cacheDir: loadCacheDir(), modules: piModules });
  for (const { problem } of set.failures) warn(describeProblem(problem));
  const rows = set.flags().map(({ name, flag, extension }) => {
    const { type, description = "", default: usual } = flag;
    const value = usual === undefined || usual === false ? "" : ` (default: ${usual})`;
    const option = type === "string" ? `--${name} <value>` : `--${name}`;
    return [`  ${option}`, `${description || "—"}${value} [${extension.name}]`];
  });
  set.dispose();
  if (rows.length > 0) {
    command.addHelpText("after", ["\nOptions of extensions:", ...table(rows)].join("\n"));
  }
  command.outputHelp();
}
