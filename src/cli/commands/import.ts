import type { Command } from "commander";
import { importEntire, type RepoRecord, secretRemover } from "../../record/index.ts";
import { paint, printJson, printLine, progressLine } from "../print.ts";
import { plural } from "../record/format.ts";
import { withRecord } from "../record/open-record.ts";

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

export function addImport(program: Command): void {
  const command = program
    .command("import")
    .addHelpText("after", "\nExamples:\n  seam import entire\n  seam import entire --dry-run");
  command
    .command("entire")
    .description("checkpoints of Entire, from its branch or its references")
    .option("--dry-run", "say what would be imported, write nothing")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
What Entire wrote stays as it is. Secrets are taken out of what comes in. It can
be done again: only what is new is imported. Commits with an Entire-Checkpoint
trailer are understood by seam show afterwards.

Examples:
  git fetch origin 'refs/entire/*:refs/entire/*'
  seam import entire
  seam import entire --dry-run --json`,
    )
    .action((options: Options) => withRecord((record) => entire(record, options)));
}

async function entire(record: RepoRecord, { dryRun, json }: Options): Promise<void> {
  const progress = progressLine();
  const redactor = secretRemover((_level, text) => process.stderr.write(`${text}\n`));
  const done = await importEntire(record, {
    redactor,
    dryRun: dryRun === true,
    progress: (at, total) => progress.show(`Importing ${at} of ${total}…`),
  }).finally(() => progress.clear());
  if (json) return printJson({ dry_run: dryRun === true, ...done });
  const { imported, unchanged, kept, unreadable } = done;
  printLine(`${dryRun ? "Would import" : "Imported"} ${plural(imported.length, "checkpoint")}.`);
  if (unchanged.length > 0) printLine(`${unchanged.length} imported before.`);
  if (kept.length > 0) printLine(`${kept.length} left: Seam has its own by that id.`);
  for (const id of unreadable) printLine(paint("yellow", `${id} cannot be read.`));
}
