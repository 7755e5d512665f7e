import type { Command } from "commander";
import { SeamError, usageError } from "../../errors/index.ts";
import { commitFacts } from "../../git/index.ts";
import {
  type Checkpoint,
  checkpointsDamage,
  type Found,
  filesOfNoAgent,
  findCheckpoints,
  homeOfGuest,
  offBranches,
  type RepoRecord,
  readSoFar,
  readTranscript,
  type SessionState,
  type StoredSession,
  secretRemover,
  sessionsWithTurns,
  type Turn,
  turnNamed,
  turns,
  withCutOff,
  workTrees,
} from "../../record/index.ts";
import { paint, printJson } from "../print.ts";
import { plainText } from "../record/format.ts";
import { indented } from "../record/lines.ts";
import { withRecord } from "../record/open-record.ts";
import { printLong } from "../record/pager.ts";
import { showCheckpoint } from "../record/show-checkpoint.ts";
import { sessionLines, type UncommittedSession } from "../record/show-session.ts";
import { checkpointsOfTurn, hasTurn, turnJson, turnLines } from "../record/show-turn.ts";
import { shownSession } from "../record/shown-session.ts";

interface Options {
  expand?: boolean;
  transcript?: boolean;
  json?: boolean;
}

export function addShow(program: Command): void {
  program
    .command("show")
    .argument("[what]", "a commit, checkpoint, session or turn", "HEAD")
    .option("--expand", "show long texts in full, also those folded away with a skill")
    .option("--transcript", "print the stored transcript as it is")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  seam show\n  seam show HEAD~2\n  seam show 3f2a9c1b77de --expand\n  seam show HEAD --json",
    )
    .action((what: string, options: Options) =>
      withRecord((record) => show(record, what, options)),
    );
}

async function show(record: RepoRecord, what: string, options: Options): Promise<void> {
  const damage = await checkpointsDamage(record);
  if (damage) throw damage;
  const found = await findAny(record, what);
  if ("checkpoints" in found) return showFound(record, found, options);
  if (options.transcript) {
    throw usageError(
      "It is in no checkpoint yet: its agent has the only transcript.",
      `What happened in it: seam show ${what}. With a commit it gets a checkpoint.`,
    );
  }
  return "turn" in found
    ? showTurn(record, found.turn, options)
    : showSession(record, found, options);
}

async function showFound(record: RepoRecord, found: Found, options: Options): Promise<void> {
  if (options.transcript) return printTranscripts(record, found);
  const shown = await Promise.all(
    found.checkpoints.map(async (checkpoint) => ({
      checkpoint,
      sessions: await Promise.all(
        checkpoint.sessions.map((one) => shownSession(record, checkpoint, one)),
      ),
    })),
  );
  const byHand = await filesByHand(record, found);
  const rest = found.by === "session" ? await uncommitted(record, found) : undefined;
  if (options.json) {
    const { commit, by } = found;
    return printJson({
      by,
      ...(rest && { uncommitted: sessionJson(rest) }),
      ...(commit && { commit: { id: commit.id, message: commit.message } }),
      ...(byHand.length > 0 && { files_of_no_agent: byHand }),
      checkpoints: shown.map(({ checkpoint: { id, metadata }, sessions }) => ({
        id,
        metadata,
        sessions,
      })),
    });
  }
  const lines: string[] = [];
  // Who names a commit knows where it is.
  const off = found.commit ? new Set() : await offBranches(record.store, found.checkpoints);
  for (const { checkpoint, sessions } of shown) {
    const isOff = off.has(checkpoint.id);
    const about = found.commit ? found : await withCommit(record, checkpoint, { ...found, isOff });
    const wish = wishOf(record, options, rootOfSessions(record, checkpoint));
    lines.push(...showCheckpoint(checkpoint, sessions, about, wish));
  }
  if (byHand.length > 0) {
    // Of the commit, and not of the session that stands above it.
    lines.push(paint("bold", "Files that no turn of an agent changed"));
    lines.push(...indented(byHand.map(plainText), "  "), "");
  }
  if (rest) lines.push("Since then", "", ...sessionLines(rest, wishOf(record, options)));
  await printLong(lines);
}

/** Only of a commit that was asked for: others may have more than one checkpoint. */
function filesByHand({ store }: RepoRecord, { commit, checkpoints }: Found): Promise<string[]> {
  return commit ? filesOfNoAgent(store, commit, checkpoints) : Promise.resolve([]);
}

/** The commit a checkpoint was made for, if it is here. */
async function withCommit<F extends Found>(
  { store }: RepoRecord,
  { metadata }: Checkpoint,
  found: F,
): Promise<F> {
  const { commit_sha } = metadata;
  const commit = commit_sha && (await commitFacts(store, commit_sha).catch(() => undefined));
  return commit ? { ...found, commit } : found;
}

/** `root`: of the work tree that the work was done in; its files are named from there. */
function wishOf({ repo }: RepoRecord, { expand }: Options, root = repo.workTree) {
  return { expand: expand === true, root };
}

/** The work tree of a checkpoint's sessions, if it is known and the same for all. */
function rootOfSessions({ states }: RepoRecord, { sessions }: Checkpoint): string | undefined {
  const ids = new Set(sessions.map(idOf));
  const known = states.all().filter(({ session_id }) => ids.has(session_id));
  const [only, ...others] = new Set(known.map(({ work_tree }) => work_tree));
  return others.length === 0 ? only : undefined;
}

async function rootOfTurn({ repo }: RepoRecord, { worktree }: Turn): Promise<string | undefined> {
  const isIts = (gitDir: string) =>
    worktree === undefined ? gitDir === repo.commonDir : gitDir.endsWith(`/worktrees/${worktree}`);
  return (await workTrees(repo)).find(({ gitDir }) => isIts(gitDir))?.path;
}

/** A session that has no checkpoint yet is known from its state and its turns. */
async function findAny(
  record: RepoRecord,
  what: string,
): Promise<Found | UncommittedSession | { turn: Turn }> {
  const { store, states } = record;
  try {
    return await findCheckpoints(store, what);
  } catch (error) {
    if (error instanceof SeamError && error.code === "SEAM_RECORD_AMBIGUOUS") throw error;
    const turn = await turnNamed(store, what);
    if (turn) return { turn: await withCutOff(record, turn) };
    const known = states.all().filter((one) => what !== "" && one.session_id.startsWith(what));
    const withTurns = what === "" ? [] : await sessionsWithTurns(store, what);
    const ids = [...new Set([...known.map(({ session_id }) => session_id), ...withTurns])];
    const [id, ...others] = ids.includes(what) ? [what] : ids;
    if (id === undefined) throw error;
    if (others.length > 0) {
      const list = ids.map((one) => `\n  ${one}`).join("");
      throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: what, list });
    }
    return sessionOf(record, id);
  }
}

/** More turns of one session are not read. */
const MOST_TURNS = 1_000;

async function sessionOf(record: RepoRecord, session_id: string): Promise<UncommittedSession> {
  const { store, states } = record;
  const state = await soFar(
    record,
    states.all().find((one) => one.session_id === session_id),
  );
  const found = await turns(store, { session: session_id, limit: MOST_TURNS });
  const told = await Promise.all(found.reverse().map((turn) => withCutOff(record, turn)));
  return { session_id, ...(state && { state }), turns: told };
}

/** The daemon reads the transcript at the end of a turn: who asks before that is told more. */
async function soFar(
  { repo }: RepoRecord,
  state: SessionState | undefined,
): Promise<SessionState | undefined> {
  if (state?.phase !== "active") return state;
  const log = () => {};
  const redactor = secretRemover(log, repo.workTree ?? repo.gitDir);
  return readSoFar({ log, redactor }, state);
}

/** The turns of a session that none of its checkpoints has. */
async function uncommitted(
  record: RepoRecord,
  { checkpoints }: Found,
): Promise<UncommittedSession | undefined> {
  const ids = new Set(checkpoints.flatMap(({ sessions }) => sessions.map(idOf)));
  for (const id of ids) {
    const session = await sessionOf(record, id);
    const rest = session.turns.filter((turn) => !checkpoints.some((one) => hasTurn(one, turn.id)));
    // A commit may have taken up only a part of what a turn changed.
    const isMore = Object.keys(session.state?.pending.files ?? {}).length > 0;
    if (rest.length > 0 || isMore) return { ...session, turns: rest };
  }
  return undefined;
}

const idOf = ({ metadata }: StoredSession) => metadata.session_id;

function sessionJson({ session_id, state, turns: told }: UncommittedSession): object {
  const { scan: _, stored: __, ...session } = state ?? {};
  return { ...(state ? session : { session_id }), turns: told.map(turnJson) };
}

async function showSession(
  record: RepoRecord,
  found: UncommittedSession,
  options: Options,
): Promise<void> {
  if (!options.json) return printLong(sessionLines(found, wishOf(record, options)));
  printJson({ by: "session", session: sessionJson(found), checkpoints: [] });
}

async function showTurn(record: RepoRecord, turn: Turn, options: Options): Promise<void> {
  const checkpoints = await checkpointsOfTurn(record, turn);
  const live = await soFar(record, record.states.latest(turn.agent, turn.session_id));
  if (!options.json) {
    const wish = wishOf(record, options, await rootOfTurn(record, turn));
    return printLong(turnLines(turn, checkpoints, wish, live));
  }
  printJson({
    by: "turn",
    turn: turnJson(turn),
    checkpoints: checkpoints.map(({ id, metadata }) => ({ id, metadata })),
  });
}

async function printTranscripts(record: RepoRecord, { checkpoints }: Found): Promise<void> {
  const { store } = record;
  const all = checkpoints.flatMap(({ sessions }) => sessions);
  const [first] = all.map(({ metadata }) => metadata);
  if (first && all.every(({ metadata }) => metadata.works_in !== undefined)) {
    const { session_id: session } = first;
    const home = homeOfGuest(record, first) ?? "";
    throw new SeamError("SEAM_RECORD_GUEST", { session, home });
  }
  for (const checkpoint of checkpoints) {
    for (const { index } of checkpoint.sessions) {
      process.stdout.write((await readTranscript(store, checkpoint, index)) ?? "");
    }
  }
}
