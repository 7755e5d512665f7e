import type { Command } from "commander";
import { isCapable } from "../print.ts";
import type { Dialect } from "../run/dialect.ts";
import { addRunOptions, type RunOptions } from "../run/run-options.ts";
import { warn } from "../run/warn.ts";

/** A person is in front of it, and nothing was asked for that is printed. */
function isInteractive({ print, mode }: RunOptions): boolean {
  return mode === "text" && print === undefined && process.stdin.isTTY && process.stdout.isTTY;
}

export function addRun(program: Command): void {
  addRunOptions(program.command("run"))
    .argument("[prompts...]", "what to work on, one after the other; @file stands for a file")
    // The action shows the help, because extensions have options, too.
    .helpOption(false)
    .option("-h, --help", "display help for command")
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      "after",
      `
Flags that extensions register are options too. Keys for models come from the
environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY); own endpoints
from ~/.seam/models.json.

On a terminal it opens the agent there, see docs/terminal.md. With -p, or where
there is no terminal, it prints. What is piped in comes before the prompt.

Examples:
  seam run
  seam run --continue
  seam run -p "Why does the build fail?" --model anthropic/claude-sonnet-5-5
  seam run -p "Go on" --continue
  seam run @notes.md @screen.png "What is wrong here?"
  git diff | seam run -p "Review this" --tools read,grep
  seam run -p "hello" --model scripted:turns.json --mode json`,
    )
    .action(async (_prompts: string[], options: RunOptions, command: Command) => {
      if (options.help)
        return (await import("../run/show-help.ts")).showRunHelp(command, options, warn);
      return startRun(options, command.args);
    });
}

/** On the terminal if a person is there, else without a screen. */
export async function startRun(
  options: RunOptions,
  words: readonly string[],
  dialect?: Dialect,
): Promise<void> {
  // The screen is a module of its own, so that the editor is there before the agent is loaded.
  if (isInteractive(options)) {
    if (isCapable(process.stdout)) {
      return (await import("../run/interactive.ts")).runInteractive(options, words);
    }
    return (await import("../run/plain-talk.ts")).runPlainTalk(options, words);
  }
  return (await import("./run.ts")).run(options, words, dialect);
}
