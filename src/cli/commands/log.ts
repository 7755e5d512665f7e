import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import { commitFacts } from "../../git/index.ts";
import {
  type Checkpoint,
  checkpointsDamage,
  isEnabled,
  latestCheckpoints,
  namesCheckpoints,
  namesOfSessions,
  offBranches,
  type RepoRecord,
  sessionsWithTurns,
  type Turn,
  timeOf,
  turns,
  withCutOff,
} from "../../record/index.ts";
import { wholeNumber } from "../number-arguments.ts";
import { lineWidth, paint, printJson, printLine } from "../print.ts";
import {
  agentType,
  isTold,
  isUnused,
  oneLine,
  plain,
  plural,
  shortIds,
  tokensParts,
  when,
} from "../record/format.ts";
import { flow } from "../record/lines.ts";
import { withRecord } from "../record/open-record.ts";
import { printLong } from "../record/pager.ts";
import { endingOf, forkParts, guestParts, turnJson, whereParts } from "../record/show-turn.ts";

interface Options {
  number: number;
  session?: string;
  turns?: boolean;
  checkpoints?: boolean;
  json?: boolean;
}

export function addLog(program: Command): void {
  program
    .command("log")
    .option("-n, --number <count>", "how many", wholeNumber, 20)
    .option("--session <id>", "only this session; the beginning of its id will do")
    .option("--turns", "only turns")
    .option("--checkpoints", "only checkpoints")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  seam log\n  seam log --checkpoints -n 5\n  seam log --turns --session 0b1c\n  seam log --json",
    )
    .action((options: Options) => withRecord((record) => log(record, options)));
}

type Item = { at: string } & ({ turn: Turn } | CheckpointItem);

interface CheckpointItem {
  readonly checkpoint: Checkpoint;
  readonly subject?: string;
  /** Its commit is here, but nothing leads to it. */
  readonly isOff?: true;
}

async function log(record: RepoRecord, options: Options): Promise<void> {
  const { number, json } = options;
  // Turns are kept elsewhere: one damaged reference does not hide them.
  const damage = await checkpointsDamage(record);
  if (damage && options.checkpoints && !options.turns) throw damage;
  const session = await sessionNamed(record, options.session);
  const items: Item[] = [];
  if (!options.checkpoints || options.turns) {
    const about = session === undefined ? {} : { session };
    const found = await turns(record.store, { ...about, limit: number });
    const told = await Promise.all(found.map((turn) => withCutOff(record, turn)));
    items.push(...told.map((turn) => ({ at: turn.at, turn })));
  }
  if (!damage && (!options.turns || options.checkpoints)) {
    const isWanted = ({ sessions }: Checkpoint) =>
      session === undefined ||
      sessions.some(({ metadata }) => metadata.session_id.startsWith(session));
    const found = await latestCheckpoints(record.store, number, isWanted);
    const off = await offBranches(record.store, found);
    for (const checkpoint of found) {
      const item = await itemOf(record, checkpoint);
      items.push(off.has(checkpoint.id) ? { ...item, isOff: true } : item);
    }
  }
  items.sort((a, b) => (a.at < b.at ? 1 : -1));
  const shown = items.slice(0, number);
  if (damage) warn(damage);
  if (shown.length === 0 && options.session !== undefined) {
    throw new SeamError("SEAM_RECORD_NO_SESSION", { name: options.session });
  }
  if (json) return printJson(shown.map(toJson));
  if (shown.length === 0) return printLine(await nothing(record));
  // What is printed of an id names its session, also among those that are not in the list.
  const short = shortIds([...shown.flatMap(sessionIds), ...(await namesOfSessions(record.store))]);
  await printLong(
    shown.flatMap((item) =>
      "turn" in item ? turnLines(item.turn, short) : checkpointLines(item, short),
    ),
  );
}

async function nothing({ repo }: RepoRecord): Promise<string> {
  if (await namesCheckpoints(repo)) {
    return "Commits here name checkpoints that are not in this clone. Fetch them with: seam sync --fetch";
  }
  return isEnabled(repo)
    ? "Nothing is recorded yet: no agent has worked here since it was switched on."
    : "Nothing is recorded here. Switch it on with: seam enable";
}

function warn({ message, next }: SeamError): void {
  const word = paint("yellow", "warning", process.stderr);
  process.stderr.write(`${word} ${message}\n        ${next}\n`);
}

/** The session a user means by the beginning of its id. */
async function sessionNamed(
  { store }: RepoRecord,
  start: string | undefined,
): Promise<string | undefined> {
  if (start === undefined) return undefined;
  const found = await sessionsWithTurns(store, start);
  if (found.length <= 1) return found[0] ?? start;
  const list = found.map((id) => `\n  ${id}`).join("");
  throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: start, list });
}

async function itemOf(
  { store }: RepoRecord,
  checkpoint: Checkpoint,
): Promise<{ at: string } & CheckpointItem> {
  const { commit_sha } = checkpoint.metadata;
  const commit =
    commit_sha === undefined
      ? undefined
      : await commitFacts(store, commit_sha).catch(() => undefined);
  const subject = commit?.message.split("\n")[0];
  const at = timeOf(checkpoint);
  return { at, checkpoint, ...(subject !== undefined && { subject }) };
}

type Short = (id: string) => string;

function sessionIds(item: Item): string[] {
  const named =
    "turn" in item
      ? [item.turn.session_id, item.turn.story?.fork_of]
      : item.checkpoint.sessions.flatMap(({ metadata }) => [metadata.session_id, metadata.fork_of]);
  return named.filter((id) => id !== undefined);
}

function turnLines(turn: Turn, short: Short): string[] {
  const { id, agent, at, prompt, files, start, end, session_id, story, elsewhere = [] } = turn;
  const count = end ? [plural(files?.length ?? 0, "file")] : [];
  const leftOut = [start, end].flatMap((one) => one?.record.left_out ?? []);
  const perhaps = new Set(turn.one_of?.flatMap((one) => one.files)).size;
  const notes = [
    ...(perhaps > 0 ? [`${plural(perhaps, "file")} by it or another session`] : []),
    ...(elsewhere.length > 0 ? [`${plural(elsewhere.length, "file")} elsewhere`] : []),
    ...(start?.record.late ? ["late start"] : []),
    ...(leftOut.some(({ why }) => why === "too many") ? ["not all files"] : []),
  ];
  const parts = [`turn ${paint("cyan", id)}`, agentType(agent), ...count, endingOf(turn), ...notes];
  const calls = story?.told.entries.filter(({ kind }) => kind === "call").length ?? 0;
  return [
    ...heading(at, parts),
    `    ${oneLine(prompt ?? "(no prompt)")}`,
    ...details([
      `session ${short(session_id)}`,
      ...forkParts(story, short),
      ...whereParts(turn),
      ...(calls > 0 && !story?.told.left_out ? [plural(calls, "tool call")] : []),
      ...stops(story?.blocked_calls),
      ...guestParts(story),
      ...(story && story.works_in === undefined && isTold(story.token_usage, agent)
        ? tokensParts(story.token_usage)
        : []),
    ]),
  ];
}

/** The count is red, because somebody who looks for trouble looks for it. */
function stops(blocked: readonly object[] = []): string[] {
  return blocked.length === 0 ? [] : [paint("red", `${blocked.length} stopped`)];
}

function details(parts: readonly string[]): string[] {
  const [first = "", ...others] = parts;
  return flow([INDENT + first, ...others], " · ", INDENT).map((line) => paint("dim", line));
}

function checkpointLines(item: { readonly at: string } & CheckpointItem, short: Short): string[] {
  const { at, checkpoint, subject, isOff } = plain(item);
  const { id, metadata, sessions } = checkpoint;
  const missing = metadata.commit_sha ? "(the commit is not here)" : "(its commit is not noted)";
  const agents = [...new Set(sessions.map((one) => one.metadata.agent ?? "?"))].join(", ");
  const skills = sessions.flatMap((one) => one.metadata.skill_events ?? []);
  const commit = metadata.commit_sha?.slice(0, 8) ?? "";
  return [
    ...heading(at, [`checkpoint ${paint("yellow", id)}`, commit, agents]),
    `    ${oneLine(subject ?? missing)}`,
    ...details([
      ...sessions.flatMap((one) => sessionParts(one, short, sessions.length > 1)),
      ...whereParts(metadata),
      ...(isOff ? [paint("yellow", OFF)] : []),
      plural(metadata.files_touched.length, "file"),
      ...stops(sessions.flatMap((one) => one.metadata.blocked_calls ?? [])),
      ...(metadata.token_usage && !isUnused(metadata.token_usage) && sessions.some(isCounted)
        ? tokensParts(metadata.token_usage)
        : []),
      ...new Set(skills.map(({ skill }) => `skill ${skill.name}`)),
    ]),
  ];
}

/** A session of a checkpoint. Beside others, what is said of it must not be taken for theirs. */
function sessionParts(
  { metadata }: Checkpoint["sessions"][number],
  short: Short,
  hasOthers: boolean,
): string[] {
  const named = `session ${short(metadata.session_id)}`;
  const about = [...forkParts(metadata, short), ...guestParts(metadata)];
  if (!hasOthers) return [named, ...about];
  return [about.length === 0 ? named : `${named} (${about.join(", ")})`];
}

/** Tokens of a session that works elsewhere are counted there. */
function isCounted({ metadata }: Checkpoint["sessions"][number]): boolean {
  return metadata.works_in === undefined;
}

const INDENT = "    ";
const OFF = "commit now on no branch";

/** On a narrow terminal the time has a line of its own, and what matters comes first. */
function heading(at: string, parts: readonly string[]): string[] {
  const time = paint("dim", when(at));
  return flow(lineWidth() < 64 ? [...parts, time] : [time, ...parts], "  ", INDENT);
}

function toJson(item: Item): object {
  if ("turn" in item) {
    return { type: "turn", ...turnJson(item.turn) };
  }
  const { id, metadata, sessions } = item.checkpoint;
  const { at, subject, isOff } = item;
  return {
    type: "checkpoint",
    id,
    at,
    subject,
    ...(isOff && { on_no_branch: true }),
    metadata,
    sessions,
  };
}
