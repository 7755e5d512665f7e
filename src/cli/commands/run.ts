import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import { describeProblem, type InlineExtension, type Source } from "../../extensions/index.ts";
import {
  createAgent,
  type EmbeddedAgent,
  JsonMode,
  jsonLine,
  RpcUI,
  runRpc,
  runText,
  takeStdout,
} from "../../host/index.ts";
import { everyRepositoryFile, loadSettings } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { paint } from "../print.ts";
import { agentSettings } from "../run/agent-settings.ts";
import { checkChoice, levelOf, modeOf } from "../run/check-options.ts";
import { extensionsFor, refuseWithoutNamed } from "../run/find-extensions.ts";
import { parseFlags } from "../run/flags.ts";
import { inboxUI } from "../run/inbox-ui.ts";
import { leaveOut } from "../run/leave-out.ts";
import { openSession, type SessionChoice, sessionPlace } from "../run/open-session.ts";
import { showHelp } from "../run/show-help.ts";
import { warn } from "../run/warn.ts";

interface Options extends SessionChoice {
  print?: string | true;
  mode: string;
  model?: string;
  thinking?: string;
  extension?: string[];
  extensions: boolean;
  without?: string[];
  tools?: string;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  help?: boolean;
}

export async function run(options: Options, extra: readonly string[]): Promise<void> {
  const cwd = process.cwd();
  const mode = modeOf(options.mode);
  const thinkingLevel = options.thinking === undefined ? undefined : levelOf(options.thinking);
  checkChoice(options);
  // A bare -p takes the words that stand by themselves, as Pi's does. Which these are, only the
  // extensions can say.
  const isBare = options.print === true && extra.some((word) => !word.startsWith("-"));
  let prompt = await promptOf(options.print);
  if (mode !== "rpc" && options.print === true && !isBare) throw wrong("-p needs a prompt.");
  if (mode !== "rpc" && prompt === undefined && !isBare) {
    throw wrong('There is no terminal interface yet. Use -p "your prompt", or --mode rpc.');
  }
  if (mode !== "rpc" && prompt?.trim() === "") throw wrong("The prompt is empty.");
  const stdout = mode === "text" ? undefined : takeStdout();
  const send = (message: unknown) => stdout?.write(jsonLine(message));
  const rpcUI = mode === "rpc" ? new RpcUI(send) : undefined;
  const json = mode === "json" ? new JsonMode((line) => stdout?.write(line)) : undefined;
  const sessions = sessionPlace(cwd, options, warn);
  const wanted = (sources: readonly Source[]) =>
    leaveOut(sources, { cwd, without: options.without ?? [], warn, ...(rpcUI && { asks: false }) });
  const { settings } = loadSettings(cwd);
  const found = options.extensions ? await extensionsFor(cwd, options.extension, warn, wanted) : [];
  const asked = rpcUI ? undefined : inboxUI(cwd, () => agent.session.getSessionId());
  const agent: EmbeddedAgent = await createAgent({
    cwd,
    mode: mode === "text" ? "print" : mode,
    session: openSession(cwd, options, warn),
    extensions: [...(await recording(cwd, warn)), ...found],
    flags: (set) => {
      refuseWithoutNamed(set, cwd, options.extension);
      for (const { problem } of set.failures) warn(describeProblem(problem));
      const { flags, words } = parseFlags(set, extra);
      if (isBare) prompt = words.join(" ");
      else if (words.length > 0) throw wrong(`"${words[0]}" was not expected. Use -p "…".`);
      if (isBare && prompt === "") throw wrong("-p needs a prompt.");
      return flags;
    },
    cacheDir: loadCacheDir(),
    ...agentSettings(settings),
    onLog: (level, text) => {
      if (level === "error" || level === "warn") warn(text);
    },
    ...(options.model !== undefined && { model: options.model }),
    ...(thinkingLevel !== undefined && { thinkingLevel }),
    ...(options.tools !== undefined && { tools: namesIn(options.tools) }),
    ...(options.systemPrompt !== undefined && { systemPrompt: textOrFile(options.systemPrompt) }),
    ...(options.appendSystemPrompt !== undefined && {
      appendSystemPrompt: textOrFile(options.appendSystemPrompt),
    }),
    ...(sessions && { sessions }),
    ...(rpcUI ? { ui: rpcUI.ui } : asked),
    ...(json && { onEvent: json.take }),
  });
  const stopListening = endOnSignals(agent);
  try {
    let ok = true;
    if (rpcUI) await runRpc(agent, rpcUI, process.stdin, send);
    else if (json) ok = await json.run(agent, prompt ?? "");
    else ok = await runText(agent, prompt ?? "", textOutput(warn));
    if (!ok) process.exitCode = 1;
  } finally {
    await agent.dispose();
    stopListening();
    await stdout?.flushed();
  }
}

const wrong = (detail: string) => new SeamError("SEAM_USAGE", { detail });

async function promptOf(given: string | true | undefined): Promise<string | undefined> {
  if (given === "-") return text(process.stdin);
  return given === true ? undefined : given;
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Long texts are handed over in files. */
function textOrFile(value: string): string {
  return existsSync(value) ? readFileSync(value, "utf8") : value;
}

function textOutput(problem: (text: string) => void) {
  return {
    problem,
    out: (text: string) => void process.stdout.write(text),
    note: (text: string) => {
      if (process.stderr.isTTY) process.stderr.write(`${paint("dim", text, process.stderr)}\n`);
    },
  };
}

/** Records the session where the user wants that. */
async function recording(cwd: string, warn: (text: string) => void): Promise<InlineExtension[]> {
  if (!maybeRecorded(cwd)) return [];
  const { recordSession } = await import("../../daemon/index.ts");
  const extension = await recordSession(cwd, warn);
  return extension ? [extension] : [];
}

/** Extensions are told when the program is ended from outside; an interrupted run is saved. */
function endOnSignals(agent: EmbeddedAgent): () => void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  const listeners = Object.entries(codes).map(([signal, code]) => {
    const end = () => void agent.dispose().finally(() => process.exit(code));
    process.once(signal, end);
    return () => process.off(signal, end);
  });
  return () => {
    for (const stop of listeners) stop();
  };
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
    .option("-r, --resume <id>", "go on with a session: its file, or the start of its id")
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

Examples:
  seam run -p "Why does the build fail?" --model anthropic/claude-sonnet-5-5
  seam run -p "Go on" --continue
  seam run -p "hello" --model scripted:turns.json --mode json`,
    )
    .action(async (options: Options, command: Command) => {
      if (!options.help) return run(options, command.args);
      const cwd = process.cwd();
      const sources = options.extensions ? await extensionsFor(cwd, options.extension, warn) : [];
      return showHelp(command, cwd, sources, warn);
    });
}

/**
 * Whether a folder may be in a repository that is recorded: a look that costs nothing, so that a
 * run elsewhere does not have to load what records.
 */
function maybeRecorded(cwd: string): boolean {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    // A linked work tree or submodule keeps its folder elsewhere.
    if (stats?.isFile()) return true;
    if (stats) return existsSync(join(git, "seam/enabled")) || existsSync(everyRepositoryFile());
    if (dir === dirname(dir)) return false;
  }
}
