import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import type { ThinkingLevel } from "../../events/index.ts";
import {
  describeProblem,
  findExtensions,
  type InlineExtension,
  prove,
} from "../../extensions/index.ts";
import {
  type Agent,
  createAgent,
  jsonLine,
  RpcUI,
  runJson,
  runRpc,
  runText,
  takeStdout,
} from "../../host/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { paint } from "../print.ts";
import { parseFlags, wordsOf } from "../run/flags.ts";
import { maybeRecorded } from "../run/maybe-recorded.ts";
import { openSession, type SessionChoice, sessionPlace } from "../run/open-session.ts";

interface Options extends SessionChoice {
  print?: string | true;
  mode: string;
  model?: string;
  thinking?: string;
  extension?: string[];
  extensions: boolean;
  tools?: string;
  systemPrompt?: string;
  appendSystemPrompt?: string;
}

export async function run(options: Options, extra: readonly string[]): Promise<void> {
  const cwd = process.cwd();
  const { mode } = options;
  // A bare -p takes the words that stand by themselves, as Pi's does.
  const words = options.print === true ? wordsOf(extra) : [];
  const print = await promptOf(options.print, words);
  if (mode !== "text" && mode !== "json" && mode !== "rpc") {
    throw new SeamError("SEAM_USAGE", { detail: `--mode ${mode} is not text, json or rpc.` });
  }
  if (mode !== "rpc" && print === undefined) {
    const detail = 'There is no terminal interface yet. Use -p "your prompt", or --mode rpc.';
    throw new SeamError("SEAM_USAGE", { detail });
  }
  const warn = (text: string) =>
    void process.stderr.write(`${paint("yellow", "!", process.stderr)} ${text}\n`);
  const stdout = mode === "text" ? undefined : takeStdout();
  const send = (message: unknown) => stdout?.write(jsonLine(message));
  const rpcUI = mode === "rpc" ? new RpcUI(send) : undefined;
  const sessions = sessionPlace(cwd, options);
  const { settings } = loadSettings(cwd);
  const agent = await createAgent({
    cwd,
    mode: mode === "text" ? "print" : mode,
    session: openSession(cwd, options, warn),
    extensions: [
      ...(await recording(cwd, warn)),
      ...(options.extensions
        ? await prove(extensionsFor(cwd, options.extension, warn), {
            cwd,
            cacheDir: loadCacheDir(),
            loadDeadlineMs: settings.loadDeadlineMs,
          })
        : []),
    ],
    flags: (set) => {
      for (const { problem } of set.failures) warn(describeProblem(problem));
      return parseFlags(set, extra, words);
    },
    cacheDir: loadCacheDir(),
    deadlines: settings.deadlines,
    stuckMs: settings.stuckMs,
    endWhenStuck: true,
    onLog: (level, text) => {
      if (level === "error" || level === "warn") warn(text);
    },
    ...(options.model !== undefined && { model: options.model }),
    ...(options.thinking !== undefined && { thinkingLevel: options.thinking as ThinkingLevel }),
    ...(options.tools !== undefined && { tools: options.tools.split(",").map((t) => t.trim()) }),
    ...(options.systemPrompt !== undefined && { systemPrompt: textOrFile(options.systemPrompt) }),
    ...(options.appendSystemPrompt !== undefined && {
      appendSystemPrompt: textOrFile(options.appendSystemPrompt),
    }),
    ...(sessions && { sessions }),
    ...(rpcUI && { ui: rpcUI.ui }),
  });
  const stopListening = endOnSignals(agent);
  try {
    let ok = true;
    if (rpcUI) await runRpc(agent, rpcUI, process.stdin, send);
    else if (stdout) ok = await runJson(agent, print ?? "", (line) => stdout.write(line));
    else ok = await runText(agent, print ?? "", textOutput(warn));
    if (!ok) process.exitCode = 1;
  } finally {
    await agent.dispose();
    stopListening();
    await stdout?.flushed();
  }
}

async function promptOf(
  given: string | true | undefined,
  words: readonly string[],
): Promise<string | undefined> {
  if (given === "-") return text(process.stdin);
  if (given !== true) return given;
  return words.length > 0 ? words.join(" ") : undefined;
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
  const { recordExtension } = await import("../run/record-extension.ts");
  const extension = await recordExtension(cwd, warn);
  return extension ? [extension] : [];
}

function extensionsFor(cwd: string, paths: readonly string[] = [], warn: (text: string) => void) {
  const { sources, untrusted, problems } = findExtensions({ cwd, paths });
  for (const { message, next } of problems) warn(`${message} ${next}`);
  if (untrusted.length > 0) {
    const names = untrusted.map(({ source }) => source.name).join(", ");
    warn(`Not loaded, because not trusted: ${names}. Read them, then run: seam trust`);
  }
  return sources;
}

/** Extensions are told when the program is ended from outside; an interrupted run is saved. */
function endOnSignals(agent: Agent): () => void {
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
    .description("run Seam's own agent")
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
    .option("--tools <names>", "offer only these built-in tools, separated by commas")
    .option("--system-prompt <text>", "use this text or file instead of the built-in system prompt")
    .option("--append-system-prompt <text>", "add this text or file to the system prompt")
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
    .action((options: Options, command: Command) => run(options, command.args));
}
