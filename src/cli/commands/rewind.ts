import { isCancel, select } from "@clack/prompts";
import type { Command } from "commander";
import { SeamError, usageError } from "../../errors/index.ts";
import {
  brokenOff,
  completeRewind,
  findTarget,
  isHeldUp,
  planRewind,
  type RepoRecord,
  type RewindPlan,
  type RewindTarget,
  rewind,
  rewindDiff,
  turns,
  type UndoneOthers,
  undoneOthers,
  undoTarget,
} from "../../record/index.ts";
import { agreed, canChoose, isAsked } from "../ask/terminal.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { lineWidth, paint, printJson, printLine, progressLine } from "../print.ts";
import { oneLine, plural, when } from "../record/format.ts";

import { withRecord } from "../record/open-record.ts";
import { printLong } from "../record/pager.ts";
import { othersLines, planJson, planLines } from "../record/show-rewind.ts";

interface Options {
  end?: boolean;
  undo?: boolean;
  diff?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  force?: boolean;
  json?: boolean;
}

export function addRewind(program: Command): void {
  program
    .command("rewind")
    .argument("[to]", "a turn, a checkpoint or a commit; without it a list to choose from")
    .option("--end", "to the end of the turn, not its start")
    .option(
      "--undo",
      "back to the state before the last rewind; a second --undo goes forward again",
    )
    .option("--diff", "show the changes line by line")
    .option("--dry-run", "show what would change, change nothing")
    .option("-y, --yes", "do not ask, unless work of others would be undone")
    .option("--force", "do not ask, and undo work of others too")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Only files change: HEAD, index, branches and stash stay as they are. Ignored
files, submodules and agents' own folders are left alone. The present state is
saved first, under refs/seam/rewind/.
If files would go back that another agent's session changed since, or somebody
outside of any turn, it says whose they are and asks; without a terminal it needs
--force.

Examples:
  seam rewind
  seam rewind 3f2a9c1b77de --diff
  seam rewind 3f2a9c1b77de --end --yes
  seam rewind --undo`,
    )
    .action((to: string | undefined, options: Options) =>
      withRecord((record) => run(record, to, options)),
    );
}

async function run(record: RepoRecord, to: string | undefined, options: Options): Promise<void> {
  const { undo, json, dryRun } = options;
  if (undo && to !== undefined) {
    throw usageError(
      `--undo goes back to the state before the last rewind, not to ${to}.`,
      `Leave out one of them: seam rewind --undo, or seam rewind ${to}`,
    );
  }
  const broken = brokenOff(record);
  if (broken && !undo && !dryRun) {
    const { changed } = await completeRewind(record, broken);
    const wanted = to === undefined ? undefined : await chosen(record, to, options);
    const isAll = wanted === undefined || wanted.commit === broken.to;
    if (isAll && json) return printJson({ completed: true, changed });
    if (!json) printLine(`A rewind that was broken off is complete: ${plural(changed, "file")}.`);
    if (isAll) return undoHint();
  }
  const target = undo ? await undoTarget(record) : await chosen(record, to, options);
  if (!target) return declined();
  const progress = progressLine();
  progress.show("Looking at the work tree…");
  const looking = planRewind(record, target).then(async (plan) => ({
    plan,
    others: await undoneOthers(record, plan),
  }));
  const { plan, others } = await looking.finally(() => progress.clear());
  if (dryRun && json) return printJson({ ...planJson(plan, others), done: false });
  if (!json) {
    const diff = options.diff ? await rewindDiff(record, plan, process.stdout.isTTY) : "";
    const lines = [...planLines(plan), ...(diff === "" ? [] : ["", ...diff.split("\n")])];
    if (others.length > 0) {
      lines.push(paint("yellow", "This also undoes what is not of that session:"));
      lines.push(...othersLines(others).map((line) => `  ${line}`));
    }
    await printLong(lines);
  }
  if (dryRun) return;
  const isNothing = plan.changes.length === 0;
  if (!isNothing && !(await mayChange(plan, others, options))) return declined();
  const { ref, changed } = await rewind(record, plan);
  // What comes after it in a script counts on the file.
  if (isNothing && isHeldUp(plan)) process.exitCode = 1;
  if (isNothing && !json) return;
  if (json) return printJson({ ...planJson(plan, others), done: true, changed, saved: ref });
  printLine(`${paint("green", "Done.")} The state before is saved as ${ref}`);
  undoHint();
}

/** That nobody is to be asked does not mean that the work of others may go. */
async function mayChange(
  plan: RewindPlan,
  others: readonly UndoneOthers[],
  options: Options,
): Promise<boolean> {
  const { force, json } = options;
  if (force) return true;
  if (others.length === 0) return agreed("Change these files?", options);
  if (isAsked() && !json) return askYesNo("Undo that too?", false);
  const list = othersLines(others).map((line) => `\n  ${line}`);
  const error = new SeamError("SEAM_REWIND_OTHERS", { list: list.join("") });
  if (json) printJson({ ...planJson(plan, others), done: false, error });
  throw error;
}

/** What comes after it in a script shall not run. */
function declined(): void {
  printLine("Nothing was changed.");
  process.exitCode = 1;
}

function undoHint(): void {
  printLine("Undo: seam rewind --undo");
}

async function chosen(
  record: RepoRecord,
  to: string | undefined,
  { end, json }: Options,
): Promise<RewindTarget | undefined> {
  const moment = end ? "end" : "start";
  if (to !== undefined) return findTarget(record.store, to, moment);
  if (json || !canChoose()) {
    throw usageError(
      json ? "With --json nothing is asked." : "There is no terminal to ask on where to.",
      "Name a turn, a checkpoint or a commit. To see them: seam log, or seam log --turns",
    );
  }
  const found = await turns(record.store, { limit: 30 });
  const { worktreeId } = record.repo;
  const options = found
    .filter((turn) => turn[moment] && !turn.thinned)
    // A turn of another work tree has other files; it can still be named.
    .filter(({ worktree = "" }) => worktree === worktreeId)
    .map(({ id, at, prompt }) => ({
      value: id,
      // One line each, beside the time and the drawing of the list. More is said before it is done.
      label: `${when(at)}  ${oneLine(prompt ?? "(no prompt)", lineWidth() - 34)}`,
    }));
  if (options.length === 0) throw new SeamError("SEAM_REWIND_NOTHING");
  const answer = await select({ message: `Back to the ${moment} of which turn?`, options });
  return isCancel(answer) ? undefined : findTarget(record.store, answer, moment);
}
