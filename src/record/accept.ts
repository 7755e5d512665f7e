import { relative, resolve } from "node:path";
import {
  agentNamed,
  anchorSkill,
  type FamilyState,
  type Reading,
  scanFamily,
} from "../agents/index.ts";
import type { SkillEvent, TokenUsage } from "../events/index.ts";
import {
  diffTrees,
  headOf,
  pathFromShown,
  type RawPath,
  type Repo,
  rawPath,
  shownPath,
  treeValueAt,
} from "../git/index.ts";
import { finalise } from "./checkpoint/finalise.ts";
import type { Keeper } from "./keeper.ts";
import { agentAbove } from "./process-tree.ts";
import type { HookRecord } from "./recorder.ts";
import { newState } from "./session/new-state.ts";
import type { SessionState, TouchedFile } from "./session/state.ts";
import { newTurnId, step, withSkills, withUsage } from "./session/step.ts";
import { type Snapshot, takeSnapshot } from "./snapshot/take-snapshot.ts";

/** Tools whose input names the one file they change. */
const WRITES: ReadonlySet<string> = new Set(["write", "edit"]);

/** Deals with one hook of an agent in a repository that is recorded. */
export async function accept(keeper: Keeper, repo: Repo, record: HookRecord): Promise<void> {
  const { states } = keeper.record;
  const { reading } = record;
  if (!reading?.sessionId) return;
  const known = states.get(record.agent, reading.sessionId);
  if (known && record.seq <= known.seq) return;
  const before = known ?? newState(identity(repo, record.agent, reading), record.at);
  let state = step(before, record, await factsFor(keeper, repo, record));
  state = withNamedFiles(state, repo, reading, record);
  states.put(state);

  if (record.events.includes("agent_start")) {
    const prompt = await shownPrompt(keeper, reading.prompt);
    const started = await snapshot(keeper, repo, state, "start", { ...record, ...prompt });
    if (started) states.put({ ...state, turn_start_tree: started.tree });
  }
  if (record.events.includes("agent_end") || endsWork(before, record)) {
    state = await endOfTurn(keeper, repo, state, record);
    states.put(state);
  }
}

/** An end in the middle of a turn: what was done has to be looked at now, there is no later. */
function endsWork({ phase }: SessionState, { events }: HookRecord): boolean {
  return phase === "active" && events.includes("session_shutdown");
}

/** Also for a turn whose end nobody announced. */
export async function endOfTurn(
  keeper: Keeper,
  repo: Repo,
  before: SessionState,
  { at, reading }: Pick<HookRecord, "at" | "reading">,
): Promise<SessionState> {
  let state = await readTranscript(keeper, before, reading?.lastMessage);
  const ended = await snapshot(keeper, repo, state, "end", { at });
  if (ended) state = await withTouchedFiles(keeper, state, ended);
  state = await finalise(keeper, state);
  const { turn_start_tree: _, turn_files: __, ...rest } = state;
  return rest;
}

/** What the transcript says since it was read last: tokens, skills, model. */
export async function readTranscript(
  { log }: Keeper,
  state: SessionState,
  lastMessage?: string,
): Promise<SessionState> {
  const agent = agentNamed(state.agent);
  const ref = state.transcript_path;
  if (!agent || ref === undefined) return state;
  try {
    await agent.transcript.prepare?.(ref, lastMessage === undefined ? {} : { text: lastMessage });
    const from = state.scan as FamilyState | undefined;
    const scan = await scanFamily(agent, ref, from ? { from } : {});
    const { facts } = scan.main;
    const skills = [scan.main, ...scan.children.map((child) => child.scan)]
      .flatMap((one) => one.facts.skills)
      .map((event): SkillEvent => ({ ...event, ...turn(state) }));
    const used = tokensSince(state.token_usage, scan.total);
    return withSkills(
      withUsage(
        {
          ...state,
          scan: scan.state,
          transcript_position: scan.main.state.position,
          pending: {
            ...state.pending,
            turns: withPrompt(state, facts.lastPrompt),
            // What a hook told first has its place only now.
            skill_events: state.pending.skill_events.map((event) =>
              anchorSkill(event, facts.prompts, agent.transcript.unit),
            ),
          },
        },
        used,
        facts.model,
      ),
      skills,
    );
  } catch (error) {
    log("warn", `The transcript ${ref} could not be read`, error);
    return state;
  }
}

/** Some agents do not tell the prompt; then the transcript does. */
function withPrompt({ pending, turn_id }: SessionState, prompt: string | undefined) {
  return pending.turns.map((turn) =>
    prompt !== undefined && turn.prompt === undefined && turn.id === turn_id
      ? { ...turn, prompt }
      : turn,
  );
}

function turn({ turn_id }: SessionState): { turn_id?: string } {
  return turn_id === undefined ? {} : { turn_id };
}

/** Totals never shrink: a transcript that was rewritten counts from where it was. */
function tokensSince(before: TokenUsage, now: TokenUsage): TokenUsage {
  const since = (key: Exclude<keyof TokenUsage, "subagent_tokens">) =>
    Math.max(0, now[key] - before[key]);
  const used: TokenUsage = {
    input_tokens: since("input_tokens"),
    cache_creation_tokens: since("cache_creation_tokens"),
    cache_read_tokens: since("cache_read_tokens"),
    output_tokens: since("output_tokens"),
    api_call_count: since("api_call_count"),
  };
  const children = now.subagent_tokens;
  if (!children) return used;
  const earlier = before.subagent_tokens;
  return { ...used, subagent_tokens: earlier ? tokensSince(earlier, children) : children };
}

function identity(repo: Repo, agent: string, { sessionId }: Reading) {
  const { workTree, gitDir, worktreeId } = repo;
  return {
    session_id: sessionId,
    agent,
    work_tree: workTree ?? gitDir,
    worktree_id: worktreeId,
  };
}

async function factsFor({ log }: Keeper, repo: Repo, { pid, events }: HookRecord) {
  const turnId = newTurnId();
  const opens = events.includes("session_start") || events.includes("agent_start");
  if (!opens) return { turnId };
  const owner = pid === undefined ? undefined : agentAbove(pid);
  try {
    const { branch, commit } = await headOf(repo);
    return {
      turnId,
      ...(owner && { owner }),
      ...(branch !== undefined && { branch }),
      ...(commit !== undefined && { head: commit }),
    };
  } catch (error) {
    log("warn", `HEAD of ${repo.gitDir} cannot be read`, error);
    return { turnId, ...(owner && { owner }) };
  }
}

/** Files that tools which ran said they changed. */
function withNamedFiles(
  state: SessionState,
  repo: Repo,
  { tools = [], cwd }: Reading,
  { events, outcome }: HookRecord,
): SessionState {
  if (!events.includes("tool_execution_end") || outcome.block || !repo.workTree) return state;
  const top = repo.workTree;
  const named = tools
    .filter(({ name, result }) => WRITES.has(name) && !result?.isError)
    .flatMap(({ input }) => (typeof input.path === "string" ? [input.path] : []))
    .map((path) => relative(top, resolve(cwd ?? top, path)))
    .filter((path) => path !== "" && !path.startsWith(".."))
    .map((path) => shownPath(rawPath(path)));
  if (named.length === 0) return state;
  return { ...state, turn_files: [...new Set([...(state.turn_files ?? []), ...named])] };
}

/** Long ones are in the transcript in full. */
const MAX_PROMPT = 2_000;

async function shownPrompt({ redactor }: Keeper, prompt: string | undefined) {
  return prompt === undefined ? {} : { prompt: (await redactor.text(prompt)).slice(0, MAX_PROMPT) };
}

async function snapshot(
  { record, log }: Keeper,
  repo: Repo,
  state: SessionState,
  moment: "start" | "end",
  { at, prompt }: { readonly at: string; readonly prompt?: string },
): Promise<Snapshot | undefined> {
  if (!repo.workTree || state.turn_id === undefined) return undefined;
  const isNamed = moment === "end" && !state.turn_ran_shell && state.turn_start_tree !== undefined;
  try {
    return await takeSnapshot(record, {
      session_id: state.session_id,
      agent: state.agent,
      turn_id: state.turn_id,
      moment,
      at,
      ...(prompt !== undefined && { prompt }),
      ...(isNamed && { paths: (state.turn_files ?? []).map(pathFromShown) }),
    });
  } catch (error) {
    log("warn", `No snapshot at the ${moment} of turn ${state.turn_id}`, error);
    return undefined;
  }
}

/** What changed in the turn is what the session touched, unless another session says it was that. */
async function withTouchedFiles(
  { record: { store, states } }: Keeper,
  state: SessionState,
  { tree, record }: Snapshot,
): Promise<SessionState> {
  const changed = await diffTrees(store, state.turn_start_tree ?? tree, tree);
  const named = new Set(state.turn_files);
  const others = states
    .live()
    .filter((other) => other.session_id !== state.session_id)
    .filter(({ work_tree }) => work_tree === state.work_tree);
  const files: Record<string, TouchedFile> = { ...state.pending.files };
  for (const { path, after } of changed) {
    const shown = shownPath(path);
    const blob = after?.id ?? null;
    // What a commit in this turn has taken up already is not pending.
    if (await isCommitted(store, record.head, path, blob)) {
      delete files[shown];
      continue;
    }
    const isTheirs = others.some(
      ({ pending, turn_files = [] }) =>
        turn_files.includes(shown) || pending.files[shown]?.blob === blob,
    );
    if (isTheirs && !named.has(shown)) continue;
    files[shown] = { blob, ...(after && { mode: after.mode }), turn: state.turn_id ?? "" };
  }
  return { ...state, pending: { ...state.pending, files } };
}

async function isCommitted(
  store: Keeper["record"]["store"],
  head: string | undefined,
  path: RawPath,
  blob: string | null,
): Promise<boolean> {
  const root = head === undefined ? undefined : await store.info(`${head}^{tree}`);
  const there = root && (await treeValueAt(store, root.id, path));
  return (there?.id ?? null) === blob;
}
