import type { Command } from "commander";
import { isCapable } from "../print.ts";
import type { RunOptions } from "../run/run-options.ts";
import { warn } from "../run/warn.ts";

/** A person is in front of it, and nothing was asked for that is printed. */
function isInteractive({ print, mode }: RunOptions): boolean {
  return mode === "text" && print === undefined && process.stdin.isTTY && process.stdout.isTTY;
}

export function addRun(program: Command): void {
  program
    .command("run")
    .option(
      "-p, --print [prompt]",
      "work on this prompt, print the answer, end; - reads it from stdin",
    )
    .option("--mode <mode>", "text, json (one event per line) or rpc (commands on stdin)", "text")
    .option("-m, --model <model>", "provider/model, or scripted:<file> for a prepared one")
    .option("--thinking <level>", "off, minimal, low, medium, high, xhigh")
    .option("-c, --continue", "go on with the last session of this folder")
    .option(
      "-r, --resume [id]",
      "go on with a session: its file, or the start of its id; without one you choose",
    )
    .option("--fork <id>", "go on with a copy of a session")
    .option("--no-session", "keep nothing")
    .option("-e, --extension <path...>", "also load these extensions")
    .option("--no-extensions", "load no extensions")
    .option("--without <extension...>", "leave these extensions out of this run")
    .option("--tools <names>", "offer only these built-in tools, separated by commas")
    .option("--system-prompt <text>", "use this text or file instead of the built-in system prompt")
    .option("--append-system-prompt <text>", "add this text or file to the system prompt")
    // Asked for in the action: extensions have options, too.
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

Without -p it opens on the terminal, see docs/terminal.md.

Examples:
  seam run
  seam run --continue
  seam run -p "Why does the build fail?" --model anthropic/claude-sonnet-5-5
  seam run -p "Go on" --continue
  seam run -p "hello" --model scripted:turns.json --mode json`,
    )
    .action(async (options: RunOptions, command: Command) => {
      if (options.help)
        return (await import("../run/show-help.ts")).showRunHelp(command, options, warn);
      // Loaded apart: the editor is there before the agent is.
      if (isInteractive(options)) {
        if (isCapable(process.stdout)) {
          return (await import("../run/interactive.ts")).runInteractive(options, command.args);
        }
        return (await import("../run/plain-talk.ts")).runPlainTalk(options, command.args);
      }
      return (await import("./run.ts")).run(options, command.args);
    });
}
