import { type Command, Option } from "commander";
import type { SessionChoice } from "./open-session.ts";

/** What can be said on the command line of `seam run`, and of `seam pi`. */
export interface RunOptions extends SessionChoice {
  print?: string | true;
  mode: string;
  provider?: string;
  model?: string;
  apiKey?: string;
  thinking?: string;
  extension?: string[];
  noExtensions?: true;
  without?: string[];
  skill?: string[];
  noSkills?: true;
  promptTemplate?: string[];
  noPromptTemplates?: true;
  theme?: string[];
  noThemes?: true;
  noFullscreen?: true;
  noContextFiles?: true;
  tools?: string;
  excludeTools?: string;
  noTools?: true;
  noBuiltinTools?: true;
  systemPrompt?: string;
  appendSystemPrompt?: string[];
  help?: boolean;
}

/** One value for each time it is said: what follows it is the next option, or the prompt. */
export const each = (value: string, before: readonly string[] = []) => [...before, value];

/** Says that something is left out. It is no opposite of the option that names what is added. */
export function leavesOut(flags: string, description: string): Option {
  const option = new Option(flags, description);
  const name = option.attributeName();
  option.negate = false;
  option.attributeName = () => `no${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return option;
}

/** Pi's options with Pi's names, and a few of Seam's own. */
export function addRunOptions(command: Command): Command {
  return command
    .option(
      "-p, --print [prompt]",
      "work on this prompt, print the answer, end; - reads it from stdin",
    )
    .option("--mode <mode>", "text, json (one event per line) or rpc (commands on stdin)", "text")
    .option(
      "-m, --model <model>",
      "provider/model, with :high or another thinking level behind it if you like; or scripted:<file> for a prepared one",
    )
    .option("--provider <name>", "the provider of the model, if --model does not say it")
    .option("--api-key <key>", "the key for it; other programs can see what you write here")
    .option("--thinking <level>", "off, minimal, low, medium, high, xhigh")
    .option("-c, --continue", "go on with the last session of this folder")
    .option(
      "-r, --resume [id]",
      "go on with a session: its file, or the start of its id; without one you choose",
    )
    .option(
      "--session <file or id>",
      "go on with this session; a file that does not exist is created",
    )
    .option("--fork <id>", "go on with a copy of a session")
    .option("--session-dir <folder>", "keep sessions in this folder, and look for them there")
    .addOption(leavesOut("--no-session", "keep nothing"))
    .option("-e, --extension <path>", "also load this extension; can be given several times", each)
    .addOption(leavesOut("--no-extensions", "load no extensions but those given with -e"))
    .option("--without <extension...>", "leave these extensions out of this run")
    .option("--skill <path>", "also offer this skill, or those in this folder", each)
    .addOption(leavesOut("--no-skills", "look for no skills but those given with --skill"))
    .option("--prompt-template <path>", "also offer this prompt, or those in this folder", each)
    .addOption(leavesOut("--no-prompt-templates", "look for no other prompts"))
    .option("--theme <path>", "also offer this theme, or those in this folder", each)
    .addOption(leavesOut("--no-themes", "look for no other themes"))
    .addOption(
      leavesOut(
        "--no-fullscreen",
        "work below what is on the terminal; what scrolls off goes into its scrollback",
      ),
    )
    .addOption(leavesOut("--no-context-files", "do not read AGENTS.md and CLAUDE.md"))
    .option("-t, --tools <names>", "offer only these tools, separated by commas")
    .option("--exclude-tools <names>", "do not offer these tools")
    .addOption(leavesOut("--no-tools", "offer no tools but those of --tools"))
    .addOption(leavesOut("--no-builtin-tools", "offer the tools of extensions alone"))
    .option("--system-prompt <text>", "use this text or file instead of the built-in system prompt")
    .option("--append-system-prompt <text>", "add this text or file to the system prompt", each);
}

/** Pi's short forms of more than one letter, which a parser takes for several options. */
const SHORT: Readonly<Record<string, string>> = {
  "-ne": "--no-extensions",
  "-ns": "--no-skills",
  "-np": "--no-prompt-templates",
  "-nc": "--no-context-files",
  "-nt": "--no-tools",
  "-nbt": "--no-builtin-tools",
  "-xt": "--exclude-tools",
};

export function withLongNames(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return args.map((arg, at) => (end >= 0 && at > end ? arg : (SHORT[arg] ?? arg)));
}
