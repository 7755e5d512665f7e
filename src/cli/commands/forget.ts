import type { Command } from "commander";
import { daemonPaths, forgetSession, launchDaemon } from "../../daemon/index.ts";
import { inWords, SeamError } from "../../errors/index.ts";
import { type ForgetPlan, planForget, type RepoRecord } from "../../record/index.ts";
import { forgetInIndex } from "../../search/index.ts";
import { agreed } from "../ask/terminal.ts";
import { paint, printJson, printLine } from "../print.ts";
import { agentType, plainText, plural } from "../record/format.ts";
import { hanging } from "../record/lines.ts";
import { withRecord } from "../record/open-record.ts";
import { shownPath } from "../shown-path.ts";

interface Options {
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function addForget(program: Command): void {
  program
    .command("forget")
    .argument("<session>", "its id, or at least the first 6 characters of it")
    .option("--dry-run", "show what would be deleted, delete nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Deletes the session's state, its turns and their snapshots, its part of every
checkpoint, and what of it is in the index of seam search. Parts of other
sessions stay. Your files, commits and branches are not touched, nor is what
the agent itself keeps of the session.

Examples:
  seam log                     ids of sessions: seam log --json
  seam forget 0b1c2d --dry-run
  seam forget 0b1c2d3e --yes`,
    )
    .action((session: string, options: Options) =>
      withRecord((record) => run(record, session, options)),
    );
}

async function run(record: RepoRecord, name: string, options: Options): Promise<void> {
  const { dryRun, json } = options;
  const plan = await planForget(record, name);
  const { session_id: session } = plan;
  if (!json) for (const line of planLines(plan).flatMap(hanging)) printLine(line);
  if (dryRun) {
    // As without it: it would be refused.
    if (plan.is_active) process.exitCode = 1;
    return json ? printJson({ dry_run: true, ...plan }) : undefined;
  }
  if (plan.is_active) throw new SeamError("SEAM_FORGET_ACTIVE", { session });
  if (!(await agreed("Delete all of this?", options))) {
    printLine("Nothing was changed.");
    process.exitCode = 1;
    return;
  }
  // Through the daemon, which has sessions in its memory and may have more to record of this one.
  const paths = daemonPaths();
  await launchDaemon(paths);
  try {
    await forgetSession(paths, { cwd: record.repo.workTree ?? record.repo.gitDir, session });
    await forgetInIndex(paths, session);
  } catch (error) {
    throw new SeamError("SEAM_FORGET_FAILED", { session, detail: inWords(error) });
  }
  if (json) return printJson({ dry_run: false, ...plan });
  printLine("Deleted.");
  const kept = "Git keeps the objects until it cleans up. To do that now: git gc --prune=now";
  for (const line of hanging(kept)) printLine(line);
}

/** More would scroll away what matters. */
const MOST_NAMES = 10;

function shownNames(paths: readonly string[]): string[] {
  const rest = paths.length - MOST_NAMES;
  const names = paths.slice(0, MOST_NAMES).map(plainText);
  return rest > 0 ? [...names, `… and ${plural(rest, "more file", "more files")}`] : names;
}

function planLines(plan: ForgetPlan): string[] {
  const { checkpoints, turns, sent_to: sentTo, pending_files: pending } = plan;
  const shared = checkpoints.filter(({ others }) => others > 0);
  const own = checkpoints.length - shared.length;
  const agents = plan.agents.map(agentType).join(", ");
  const lines = [
    `${paint("bold", "Session")}  ${plan.session_id}${agents === "" ? "" : `  ${agents}`}`,
    "To be deleted:",
    ...(own > 0 ? [`  ${plural(own, "checkpoint")}`] : []),
    ...(shared.length > 0
      ? [`  its part of ${plural(shared.length, "checkpoint")} that other sessions share`]
      : []),
    ...(turns > 0 ? [`  ${plural(turns, "turn")}, with snapshots of the files`] : []),
    "  its state, and what of it waits to be recorded",
    "  what of it is in the index of seam search",
    "To stay:",
    "  your files, commits and branches",
  ];
  if (own > 0)
    lines.push("  the line Seam-Checkpoint in commit messages, which then leads nowhere");
  for (const path of plan.transcripts)
    lines.push(`  the agent's own transcript: ${shownPath(path)}`);
  for (const other of plan.carried_on_by) {
    const whose = `session ${plainText(other)}`;
    lines.push(
      paint("yellow", `  what ${whose} carries on of this conversation.`),
      `  To delete that too: seam forget ${plainText(other)}`,
    );
  }
  if (sentTo.length > 0) {
    const to = sentTo.join(", ");
    lines.push(
      paint("yellow", `  what was sent to ${to}, and what others fetched from there.`),
      "  To take it out there too, afterwards: seam sync --forget",
      "  Whoever fetched it can send it back. They should run this command too.",
    );
  }
  if (pending.length > 0) {
    const files = plural(pending.length, "file");
    lines.push(paint("yellow", `${files} of it in no commit yet will belong to no session:`));
    lines.push(...shownNames(pending).map((name) => `  ${name}`));
  }
  if (plan.is_active) {
    lines.push(paint("red", "It is in the middle of a turn: until that ends it is not deleted."));
    return lines;
  }
  if (plan.is_open) {
    lines.push(
      paint("yellow", "Its agent may still run: what it does from now on is recorded anew."),
    );
  }
  lines.push(paint("red", "This cannot be undone."));
  return lines;
}
