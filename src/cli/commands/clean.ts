import { type Command, InvalidArgumentError } from "commander";
import { clean, type RepoRecord } from "../../record/index.ts";
import { agreed } from "../ask/terminal.ts";
import { printJson, printLine } from "../print.ts";
import { bytesText, plural } from "../record/format.ts";
import { withRecord } from "../record/open-record.ts";

interface Options {
  sessions?: boolean;
  turns?: boolean;
  all?: boolean;
  olderThan?: number;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
type Cleaned = Awaited<ReturnType<typeof clean>>;

const UNITS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

export function addClean(program: Command): void {
  program
    .command("clean")
    .option("--sessions", "states of sessions that are over (default)")
    .option("--turns", "snapshots of turns and of rewinds older than 30 days")
    .option("--all", "both, whatever their age")
    .option("--older-than <age>", "only what was not touched for this long: 12h, 30d, 8w", age)
    .option("--dry-run", "say what would be removed, remove nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Sessions that are open or have files no commit has taken up are kept, and so are
their snapshots. What happened in a turn always stays, with its prompt, tool
calls, stops and tokens; a turn whose files are removed cannot be rewound to.

Examples:
  seam clean
  seam clean --turns --older-than 8w --yes
  seam clean --all --dry-run`,
    )
    .action((options: Options) => withRecord((record) => run(record, options)));
}

function age(text: string): number {
  const [, number, unit = ""] = /^(\d+)([hdw])$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("It must be like 12h, 30d or 8w.");
  return Number(number) * (UNITS[unit] ?? DAY_MS);
}

async function run(record: RepoRecord, options: Options): Promise<void> {
  const { all, turns, olderThan, dryRun, json } = options;
  const turnAgeMs = olderThan ?? (all ? undefined : 30 * DAY_MS);
  const what = {
    sessions: options.sessions === true || all === true || !turns,
    turns: turns === true || all === true,
    ...(olderThan !== undefined && { sessionAgeMs: olderThan }),
    ...(turnAgeMs !== undefined && { turnAgeMs }),
  };
  const plan = await clean(record, { ...what, dryRun: true });
  const isNothing =
    plan.sessions.length + plan.turns.length + plan.refs.length + plan.leftovers.length === 0;
  if (!json) {
    printLine(isNothing ? "There is nothing to remove." : planLine(plan));
    if (plan.kept.length > 0) printLine(keptLine(plan.kept.length));
  }
  if (dryRun || isNothing)
    return json ? printJson({ dry_run: dryRun === true, ...plan }) : undefined;
  if (!(await agreed("Remove them?", options))) {
    printLine("Nothing was changed.");
    process.exitCode = 1;
    return;
  }
  const done = await clean(record, { ...what, dryRun: false });
  if (json) return printJson({ dry_run: false, ...done });
  const objects = `${bytesText(done.objectBytes)} of git objects go with the next git gc.`;
  const isFreed = done.refs.length + done.turns.length > 0;
  printLine(`Removed.${isFreed ? ` ${objects}` : ""}`);
}

function keptLine(count: number): string {
  const states = plural(count, "session state");
  return `Kept: ${states} that nothing else tells the story of.`;
}

function planLine({ sessions, turns, refs, leftovers, fileBytes }: Cleaned): string {
  const parts = [
    ...(sessions.length > 0 ? [plural(sessions.length, "session state")] : []),
    ...(turns.length > 0 ? [`files in snapshots of ${plural(turns.length, "session")}`] : []),
    ...(refs.length > 0 ? [`${plural(refs.length, "snapshot")} of files before a rewind`] : []),
    ...(leftovers.length > 0 ? [plural(leftovers.length, "leftover file")] : []),
  ];
  return `To be removed: ${parts.join(", ")}${fileBytes > 0 ? ` (${bytesText(fileBytes)})` : ""}`;
}
