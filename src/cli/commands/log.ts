import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import { commitFacts } from "../../git/index.ts";
import {
  type Checkpoint,
  checkpointsDamage,
  isEnabled,
  latestCheckpoints,
  namesCheckpoints,
  type RepoRecord,
  sessionsWithTurns,
  type Turn,
  timeOf,
  turns,
  withCutOff,
} from "../../record/index.ts";
import { lineWidth, paint, printJson, printLine } from "../print.ts";
import {
  agentType,
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
import { wholeNumber } from "../record/whole-number.ts";

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

type Item = { at: string } & ({ turn: Turn } | { checkpoint: Checkpoint; subject?: string });

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
    items.push(...found.map((turn) => ({ at: turn.at, turn: withCutOff(record, turn) })));
  }
  if (!damage && (!options.turns || options.checkpoints)) {
    const isWanted = ({ sessions }: Checkpoint) =>
      session === undefined ||
      sessions.some(({ metadata }) => metadata.session_id.startsWith(session));
    for (const checkpoint of await latestCheckpoints(record.store, number, isWanted)) {
      items.push(await itemOf(record, checkpoint));
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
  const short = shortIds(shown.flatMap(sessionIds));
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

async function itemOf({ store }: RepoRecord, checkpoint: Checkpoint): Promise<Item> {
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
  const notes = [
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
      ...(story && story.works_in === undefined ? tokensParts(story.token_usage) : []),
    ]),
  ];
}

/** Stands out: it is what somebody who looks for trouble looks for. */
function stops(blocked: readonly object[] = []): string[] {
  return blocked.length === 0 ? [] : [paint("red", `${blocked.length} stopped`)];
}

function details(parts: readonly string[]): string[] {
  const [first = "", ...others] = parts;
  return flow([INDENT + first, ...others], " · ", INDENT).map((line) => paint("dim", line));
}

function checkpointLines(
  item: { at: string; checkpoint: Checkpoint; subject?: string },
  short: Short,
): string[] {
  const { at, checkpoint, subject } = plain(item);
  const { id, metadata, sessions } = checkpoint;
  const missing = metadata.commit_sha ? "(the commit is not here)" : "(its commit is not noted)";
  const agents = [...new Set(sessions.map((one) => one.metadata.agent ?? "?"))].join(", ");
  const skills = sessions.flatMap((one) => one.metadata.skill_events ?? []);
  const commit = metadata.commit_sha?.slice(0, 8) ?? "";
  return [
    ...heading(at, [`checkpoint ${paint("yellow", id)}`, commit, agents]),
    `    ${oneLine(subject ?? missing)}`,
    ...details([
      ...sessions.flatMap((one) => [
        `session ${short(one.metadata.session_id)}`,
        ...forkParts(one.metadata, short),
        ...guestParts(one.metadata),
      ]),
      ...whereParts(metadata),
      plural(metadata.files_touched.length, "file"),
      ...stops(sessions.flatMap((one) => one.metadata.blocked_calls ?? [])),
      ...(metadata.token_usage && sessions.some(isCounted)
        ? tokensParts(metadata.token_usage)
        : []),
      ...skills.map(({ skill }) => `skill ${skill.name}`),
    ]),
  ];
}

/** Tokens of a session that works elsewhere are counted there. */
function isCounted({ metadata }: Checkpoint["sessions"][number]): boolean {
  return metadata.works_in === undefined;
}

const INDENT = "    ";

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
  return { type: "checkpoint", id, at: item.at, subject: item.subject, metadata, sessions };
}
