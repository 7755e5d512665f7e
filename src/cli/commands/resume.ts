import { spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import {
  findSessions,
  type RepoRecord,
  type ResumableSession,
  type Resumed,
  resume,
} from "../../record/index.ts";
import { paint, printJson, printLine, table } from "../print.ts";
import { plural, when } from "../record/format.ts";
import { withRecord } from "../record/open-record.ts";

interface Options {
  run?: boolean;
  json?: boolean;
}

export function addResume(program: Command): void {
  program
    .command("resume")
    .description("give a recorded session back to its agent and go on with it")
    .argument("<what>", "a branch, a checkpoint or a session")
    .option("--run", "start the agent right away")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The stored transcript is put where the agent looks for it, never over a longer
one. What was taken out as a secret stays out.

Examples:
  seam resume my-branch
  seam resume 3f2a9c1b77de --run`,
    )
    .action(async (what: string, options: Options) => {
      const resumed = await withRecord((record) => give(record, what, options));
      if (resumed && options.run) process.exitCode = await start(resumed);
    });
}

async function give(
  record: RepoRecord,
  what: string,
  { run, json }: Options,
): Promise<Resumed | undefined> {
  const sessions = await findSessions(record, what);
  const [only] = sessions;
  if (!only || sessions.length > 1) {
    list(sessions, json === true);
    return undefined;
  }
  const resumed = await resume(record, only, { home: homedir(), env: process.env });
  if (json) {
    printJson(resumed);
    return resumed;
  }
  const { file, written, hadSubagents, redacted, command } = resumed;
  if (file !== undefined) {
    const what = written ? "Written" : "Left as it is (it is as long or longer)";
    printLine(`${what}: ${file}`);
  }
  if (hadSubagents) printLine("Transcripts of its subagents are not stored: they are not back.");
  if (redacted > 0) printLine(`${plural(redacted, "secret")} taken out of it stay out.`);
  if (!run) printLine(`Go on with: ${paint("bold", command.map(quoted).join(" "))}`);
  return resumed;
}

function list(sessions: readonly ResumableSession[], json: boolean): void {
  if (json) {
    const shown = sessions.map(({ stored, ...one }) => ({
      ...one,
      checkpoint: stored?.checkpoint.id,
    }));
    printJson({ sessions: shown });
    return;
  }
  printLine(`There are ${sessions.length} sessions. Choose one: seam resume <session>`);
  const rows = sessions.map(({ session_id, type, at }) => [`  ${session_id}`, type, when(at)]);
  for (const line of table(rows)) printLine(line);
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

async function start({ command, folder }: Resumed): Promise<number> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: folder, stdio: "inherit" });
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  } catch (error) {
    throw new SeamError("SEAM_RESUME_RUN", { program }, { cause: error });
  }
}
