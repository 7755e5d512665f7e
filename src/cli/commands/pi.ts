import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { explain, messageOf, SeamError } from "../../errors/index.ts";
import { PI_VERSION } from "../../extensions/index.ts";
import { Models, readSession, sessionHtml } from "../../host/index.ts";
import { printLine } from "../print.ts";
import { PI } from "../run/dialect.ts";
import { addRunOptions, type RunOptions } from "../run/run-options.ts";
import { table } from "../table.ts";
import { startRun } from "./run-command.ts";

interface Options extends RunOptions {
  version?: true;
  export?: string;
  listModels?: string | true;
}

export function addPi(program: Command): void {
  addRunOptions(program.command("pi"))
    .argument("[prompts...]", "as for seam run")
    .option("-v, --version", "print the version of Pi whose place this takes")
    .option("--export <file>", "write a session as an HTML page, to the file given after it")
    .option("--list-models [search]", "list the models that can be asked")
    .option("--models <names>", "accepted; a session has one model at a time")
    .option("--offline", "accepted; nothing is looked up at the start in any case")
    .option("--verbose", "accepted")
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      "after",
      `
For programs that start pi themselves: Pi's options, its events in --mode json and
rpc, the last answer alone in --mode text, and exit code 1 for whatever goes wrong.
Name it wherever a package asks for Pi's program; one that cannot be given
arguments takes a file with these two lines:

  #!/bin/sh
  exec seam pi "$@"

Examples:
  seam pi -p "List the tests" --mode json --no-session
  seam pi --mode rpc --session-dir /tmp/sessions
  PI_TEAMS_PI_BIN=~/bin/pi pi-teams run`,
    )
    .action((_prompts: string[], options: Options, command: Command) => pi(options, command.args));
}

async function pi(options: Options, words: readonly string[]): Promise<void> {
  try {
    await answer(options, words);
  } catch (thrown) {
    process.stderr.write(
      `Error: ${thrown instanceof SeamError ? explain(thrown) : messageOf(thrown)}\n`,
    );
    process.exitCode = 1;
  }
}

async function answer(options: Options, words: readonly string[]): Promise<void> {
  const { version, export: file, listModels } = options;
  if (version) return printLine(PI_VERSION);
  if (file !== undefined) return exportSession(file, words[0]);
  if (listModels !== undefined) return printModels(listModels === true ? "" : listModels);
  const sessionDir = options.sessionDir ?? process.env.PI_CODING_AGENT_SESSION_DIR;
  return startRun({ ...options, ...(sessionDir && { sessionDir }) }, words, PI);
}

function exportSession(file: string, target = `${basename(file, ".jsonl")}.html`): void {
  writeFileSync(resolve(target), sessionHtml(readSession(file).session));
  printLine(`Exported to: ${target}`);
}

function printModels(search: string): void {
  const wanted = search.toLowerCase();
  const rows = new Models()
    .getAvailable()
    .filter(({ provider, id }) => `${provider}/${id}`.toLowerCase().includes(wanted))
    .map(({ provider, id, contextWindow, maxTokens, reasoning }) => [
      provider,
      id,
      String(contextWindow),
      String(maxTokens),
      reasoning ? "yes" : "no",
    ]);
  const head = ["provider", "model", "context", "max-out", "thinking"];
  const none = ["No models available. Set a key, or add ~/.seam/models.json."];
  for (const line of rows.length > 0 ? table([head, ...rows]) : none) printLine(line);
}
