import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { isCancel, select } from "@clack/prompts";
import type { Command } from "commander";
import { agentNamed } from "../../agents/index.ts";
import { SeamError, usageError } from "../../errors/index.ts";
import { headOf } from "../../git/index.ts";
import type { ResumableSession } from "../../record/index.ts";
import {
  checkpointsDamage,
  findSessions,
  type RepoRecord,
  type Resumed,
  resume,
  turnNamed,
} from "../../record/index.ts";
import { canChoose } from "../ask/terminal.ts";
import { lineWidth, paint, printJson, printLine } from "../print.ts";
import { agentType, oneLine, plainText, plural, when } from "../record/format.ts";
import { withRecord } from "../record/open-record.ts";
import { shownPath } from "../shown-path.ts";
import { waitForProgram } from "../wait-for-program.ts";

interface Options {
  run?: boolean;
  json?: boolean;
}

export function addResume(program: Command): void {
  program
    .command("resume")
    .argument("[what]", "a branch, commit, checkpoint, session or turn (default: this branch)")
    .option("--run", "start the agent right away")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The stored transcript is put where the agent looks for it, never over a longer
one. What was taken out as a secret stays out.

Examples:
  seam resume
  seam resume my-branch
  seam resume 3f2a9c1b77de --run`,
    )
    .action(async (what: string | undefined, options: Options) => {
      if (options.run && options.json) {
        throw usageError(
          "--run hands the terminal to the agent, so nothing can be printed with --json.",
          "Leave out one of them: with --json alone you get the command that --run starts.",
        );
      }
      const resumed = await withRecord((record) => give(record, what, options));
      if (resumed && options.run) process.exitCode = await start(resumed);
    });
}

async function give(
  record: RepoRecord,
  what: string | undefined,
  { run, json }: Options,
): Promise<Resumed | undefined> {
  const damage = await checkpointsDamage(record);
  if (damage) throw damage;
  const sessions = await sessionsBehind(record, what ?? (await branchHere(record)));
  let [only] = sessions;
  if (sessions.length > 1) {
    if (json || !canChoose()) {
      listSessions(sessions, json === true);
      // Nothing was given back.
      process.exitCode = 1;
      return undefined;
    }
    only = await chooseSession(sessions);
  }
  if (!only) {
    printLine("Nothing was changed.");
    process.exitCode = 1;
    return undefined;
  }
  const resumed = await resume(record, only, { home: homedir(), env: process.env });
  if (json) printJson(resumed);
  else for (const line of said(resumed, record.repo.workTree, run === true)) printLine(line);
  return resumed;
}

async function branchHere({ repo }: RepoRecord): Promise<string> {
  return (await headOf(repo)).branch ?? "HEAD";
}

/** A turn stands for its session: `seam log` shows turns, so that is what users have at hand. */
async function sessionsBehind(record: RepoRecord, what: string) {
  try {
    return await findSessions(record, what);
  } catch (error) {
    const turn = await turnNamed(record.store, what);
    if (!turn) throw error;
    return findSessions(record, turn.session_id);
  }
}

function said(resumed: Resumed, here: string | undefined, isRun: boolean): string[] {
  const { agent, file, written, hadSubagents, redacted, command, folder } = resumed;
  const lines: string[] = [];
  if (file !== undefined) {
    const what = written
      ? "The session is back in"
      : `${agentType(agent)} still has all of the session in`;
    lines.push(`${what} ${shownPath(file)}`);
  }
  if (hadSubagents) lines.push("Transcripts of its subagents are not stored: they are not back.");
  if (redacted > 0) lines.push(`${plural(redacted, "secret")} taken out of it stay out.`);
  // It wants to be told something.
  const prompt = command.at(-1) === "-p" ? ' "your prompt"' : "";
  const there = folder === here ? "" : `cd ${quoted(folder)} && `;
  const typed = there + command.map(quoted).join(" ") + prompt;
  if (!isRun) lines.push(`Go on with: ${paint("bold", typed)}`);
  return lines;
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

async function start({ agent, command, folder }: Resumed): Promise<number> {
  const [program = "", ...args] = command;
  try {
    return await waitForProgram(spawn(program, args, { cwd: folder, stdio: "inherit" }));
  } catch (error) {
    const type = agentNamed(agent)?.type ?? agent;
    throw new SeamError("SEAM_RESUME_RUN", { program, agent: type }, { cause: error });
  }
}

/** Undefined: the user thought better of it. */
async function chooseSession(
  sessions: readonly ResumableSession[],
): Promise<ResumableSession | undefined> {
  const options = sessions.map(({ session_id, type, at, prompt = "" }, index) => ({
    value: index,
    label: `${when(at)}  ${plainText(type)}  ${oneLine(prompt, lineWidth() - 44)}`,
    hint: plainText(session_id),
  }));
  const answer = await select({ message: "Which session?", options });
  return isCancel(answer) ? undefined : sessions[answer];
}

/** For who cannot be asked. */
function listSessions(sessions: readonly ResumableSession[], json: boolean): void {
  if (json) {
    const shown = sessions.map(({ stored, ...one }) => ({
      ...one,
      checkpoint: stored?.checkpoint.id,
    }));
    printJson({ sessions: shown });
    return;
  }
  printLine(`There are ${sessions.length} sessions. Choose one: seam resume <session>`);
  for (const { session_id, type, at, prompt } of sessions) {
    printLine(`  ${plainText(session_id)}  ${plainText(type)}  ${when(at)}`);
    if (prompt !== undefined) printLine(`    ${oneLine(prompt)}`);
  }
}
