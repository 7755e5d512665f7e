import {
  type Agent,
  agentNamed,
  anchorSkill,
  callsAfter,
  type Facts,
  type FamilyScan,
  type FamilyState,
  type Prompt,
  scanFamily,
  scanTranscript,
  type Until,
  withChildren,
} from "../../agents/index.ts";
import { noTokens, type SkillEvent, type TokenUsage, tokensSince } from "../../events/index.ts";
import type { RecordingContext } from "../recording-context.ts";
import { foundAgain } from "./find-pending-turns.ts";
import { knownAmong } from "./skill-events.ts";
import type { PendingTurn, SessionState } from "./state.ts";
import { withSkills, withUsage } from "./step.ts";
import { checkTranscript, transcriptRef } from "./transcript-ref.ts";
import { safeStory, withTold } from "./turn-story.ts";

interface Late {
  /** What the agent said last: agents write late. */
  readonly lastMessage?: string | undefined;
  /** ISO. Of a prompt after this time a later hook tells: who comes late must not count it before. */
  readonly at?: string;
  /** Its agent has ended: what it was at work on stays as it is. */
  readonly isOver?: boolean;
}

/** What the transcript says since it was read last: tokens, skills, model. */
export function readTranscript(
  context: RecordingContext,
  state: SessionState,
  { lastMessage: text, ...how }: Late = {},
): Promise<SessionState> {
  const last = text === undefined ? {} : { text };
  return read(context, state, (agent, ref) => agent.transcript.prepare?.(ref, last), how);
}

/** The same for somebody who looks on: as much as is there by now. */
export function readSoFar(
  context: Pick<RecordingContext, "log" | "redactor">,
  state: SessionState,
): Promise<SessionState> {
  return read(context, state, () => undefined);
}

async function read(
  { log, redactor }: Pick<RecordingContext, "log" | "redactor">,
  state: SessionState,
  prepare: (agent: Agent, ref: string) => Promise<void> | undefined,
  { at, isOver = false }: Pick<Late, "at" | "isOver"> = {},
): Promise<SessionState> {
  const agent = agentNamed(state.agent);
  const ref = transcriptRef(state);
  if (!agent || ref === undefined) return state;
  try {
    checkTranscript(ref);
    await prepare(agent, ref);
    const from = state.scan as FamilyState | undefined;
    const hasPrompt = (state.turn_told?.story.entries.length ?? 0) > 0;
    const until = at === undefined ? undefined : { at, withFirst: !hasPrompt };
    // A fork carries the history of another session, and a session may be older than its record.
    const since = state.started_at;
    const { forgotten_before: skip = 0, transcript_end: end } = state;
    const scan = await scanFamily(agent, ref, {
      since,
      skip,
      until,
      isOver,
      ...(from && { from }),
      ...(end !== undefined && { end }),
    });
    const { facts, restarted } = scan.main;
    // Of a transcript that was written anew nobody knows more than when its lines were written.
    const history = Math.max(facts.begins ?? 0, restarted ? 0 : skip);
    const skills = [scan.main, ...scan.children.map((child) => child.scan)]
      .flatMap((one) => one.facts.skills)
      // A transcript that was rewritten tells everything once more.
      .filter(({ id }) => !restarted || id === undefined || !state.told_skills?.includes(id))
      .map((event): SkillEvent => ({ ...event, ...turn(state) }));
    const origins = [...facts.origins, ...(await originElsewhere(agent, ref, state, facts))];
    const isGuest = state.works_in !== undefined;
    const told = isGuest
      ? []
      : agent.transcript.onlyPlacesSkills
        ? knownAmong(state.pending.skill_events, skills)
        : skills;
    const turns = restarted
      ? foundAgain(state, await withoutSecrets(redactor, facts.prompts), scan.main.state.position)
      : afterHistory(state.pending.turns, history);
    const lastPrompt = facts.lastPrompt && (await redactor.text(facts.lastPrompt));
    const story = await safeStory(
      { redactor },
      withChildren(
        facts.story,
        scan.children.map(({ id, ref: of, scan: { facts: its } }) => {
          return { id, story: its.story, goesOn: from?.[of] !== undefined };
        }),
        {
          started: [scan.main, ...scan.children.map((child) => child.scan)].flatMap(
            (one) => one.facts.subagents,
          ),
          before: state.turn_told?.story,
        },
      ),
    );
    const used = restarted
      ? await tokensAfterAll(agent, ref, { ...state, pending: { ...state.pending, turns } }, scan, {
          from,
          until,
        })
      : tokensSince(state.last_read?.total ?? state.token_usage, scan.total);
    const known = withSkills(
      withUsage(
        {
          ...state,
          scan: scan.state,
          ...forkOf(state, origins),
          last_read: { total: scan.total, ...turn(state) },
          transcript_position: scan.main.state.position,
          next_prompt: scan.next,
          ...(state.forgotten_before !== undefined && { forgotten_before: history }),
          ...(facts.interrupted !== undefined && { interrupted: facts.interrupted }),
          pending: {
            ...state.pending,
            turns: withPrompt(turns, state.turn_id, lastPrompt),
            // What a hook told first has its place only now.
            skill_events: state.pending.skill_events
              .map((event) => (restarted ? withoutPlace(event) : event))
              .map((event) => anchorSkill(event, facts.prompts, agent.transcript.unit)),
          },
        },
        // Where the session is at home it is counted already.
        isGuest ? noTokens() : used,
        facts.model,
      ),
      told,
    );
    return withTold(known, story, { isAnew: restarted === true });
  } catch (error) {
    log("warn", `The transcript ${ref} could not be read`, error);
    return state;
  }
}

/** Where what came after a commit begins, and what the agent has used since. */
export interface EndOfCommit {
  readonly position: number;
  readonly usedAfter: TokenUsage;
}

/**
 * Where what came after a commit begins, as far as that was not read yet. An agent may have gone on
 * by the time a commit is recorded: it ends with the call that made it, or, where nobody told of the
 * start of that call, before what the agent did next.
 */
export async function endOfCommit(
  state: SessionState,
  made: { readonly call?: string; readonly time?: string },
): Promise<EndOfCommit | undefined> {
  const agent = agentNamed(state.agent);
  const ref = transcriptRef(state);
  if (!agent || ref === undefined) return undefined;
  const from = (state.scan as FamilyState | undefined)?.[ref];
  const { call, time } = made;
  const options = {
    ...(call !== undefined && { call }),
    ...(time !== undefined && { time }),
    ...(from && { from }),
  };
  const { facts } = await scanTranscript(agent.transcript, ref, options);
  const position = facts.afterCall ?? facts.afterTime;
  if (position === undefined) return undefined;
  return { position, usedAfter: facts.usedAfter ?? noTokens() };
}

/** Whether the user has stopped the turn under way, which some agents only write down. */
export async function isStoppedSoFar(state: SessionState): Promise<boolean> {
  const agent = agentNamed(state.agent);
  const ref = transcriptRef(state);
  if (!agent || ref === undefined) return false;
  try {
    checkTranscript(ref);
    const from = (state.scan as FamilyState | undefined)?.[ref];
    const { facts } = await scanTranscript(agent.transcript, ref, from ? { from } : {});
    return typeof (facts.interrupted ?? state.interrupted) === "string";
  } catch {
    return false;
  }
}

/** Where history comes from that does not say itself whose it is. */
async function originElsewhere(
  { transcript }: Agent,
  ref: string,
  { session_id, fork_of }: SessionState,
  { begins, origins }: Facts,
): Promise<string[]> {
  const isKnown = fork_of !== undefined || origins.some((id) => id !== session_id);
  if (begins === undefined || isKnown) return [];
  const origin = await transcript.forkedFrom?.(ref);
  return origin === undefined ? [] : [origin];
}

/** Sessions name themselves too; a fork of a fork has the history of both. */
function forkOf({ session_id, fork_of }: SessionState, origins: readonly string[]) {
  const origin = fork_of ?? origins.findLast((id) => id !== session_id);
  return origin === undefined ? {} : { fork_of: origin };
}

/** A session that is new to the record, with what its agent keeps a sum of: that was used before. */
export async function withUsedBefore(state: SessionState): Promise<SessionState> {
  const ref = transcriptRef(state);
  const sums = agentNamed(state.agent)?.sessions.totals;
  if (ref === undefined || !sums) return state;
  // Where there is no sum, or none that can be read, nothing was used.
  const total = await sums(ref).catch(() => undefined);
  return total ? { ...state, last_read: { total } } : state;
}

/** No turn that is recorded begins in what was there before. */
function afterHistory(turns: readonly PendingTurn[], begins: number): readonly PendingTurn[] {
  return turns.map((turn) => ({
    ...turn,
    transcript_start: Math.max(turn.transcript_start, begins),
  }));
}

/** As the state of the session has them. */
function withoutSecrets(redactor: RecordingContext["redactor"], prompts: readonly Prompt[]) {
  return Promise.all(prompts.map(async (one) => ({ ...one, text: await redactor.text(one.text) })));
}

/** Some agents do not tell the prompt; then the transcript does. */
function withPrompt(
  turns: readonly PendingTurn[],
  turn_id: string | undefined,
  prompt: string | undefined,
) {
  return turns.map((turn) =>
    prompt !== undefined && turn.prompt === undefined && turn.id === turn_id
      ? { ...turn, prompt }
      : turn,
  );
}

/** Lines of a transcript that was written anew have other numbers. */
function withoutPlace({ transcript_anchor: _, ...event }: SkillEvent): SkillEvent {
  return event;
}

/**
 * What a turn used whose transcript was written anew while it ran: its total says nothing, parts of
 * it were counted before and others are gone. All of the turn under way counts, or what stands after
 * the last call that was counted already.
 */
async function tokensAfterAll(
  agent: Agent,
  ref: string,
  { last_read, turn_id, token_usage, pending }: SessionState,
  { total, state }: FamilyScan,
  {
    from: scan,
    until,
  }: { readonly from?: FamilyState | undefined; readonly until?: Until | undefined },
): Promise<TokenUsage> {
  const since = tokensSince(last_read?.total ?? token_usage, total);
  const current = pending.turns.find(({ id }) => id === turn_id);
  if (agent.sessions.totals) return since;
  const before = scan?.[ref]?.usage;
  const now = state[ref]?.usage;
  if (!current || last_read?.turn_id === turn_id) {
    const calls = before && now ? callsAfter(before, now) : undefined;
    return calls ? { ...since, ...calls } : since;
  }
  const skip = current.transcript_start;
  const { main } = await scanFamily(agent, ref, { skip, until });
  const { subagent_tokens } = since;
  return { ...main.total, ...(subagent_tokens && { subagent_tokens }) };
}

function turn({ turn_id }: SessionState): { turn_id?: string } {
  return turn_id === undefined ? {} : { turn_id };
}
