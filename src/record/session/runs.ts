import { agentNamed, canWrite, type ToolReading } from "../../agents/index.ts";
import type { EventName } from "../../events/index.ts";
import type { HookRecord } from "../recorder.ts";
import type { SessionState } from "./state.ts";

/** A time in which a session ran something that does not say itself which files it changes. */
export interface Run {
  readonly from: string;
  /** Absent while it runs, and for what may run on after its call has ended. */
  readonly until?: string;
  readonly call?: string;
  /** Its call has ended, and a program that it started may run on. */
  readonly left?: true;
}

/** Tools that write and say which file: after all others that can, the work tree is looked at. */
const NAMES_ITS_FILES: ReadonlySet<string> = new Set(["write", "edit"]);

const isRun = (tool: ToolReading) => canWrite(tool) && !NAMES_ITS_FILES.has(tool.name);

/** Whether a hook tells that something begins to run, or has ended, which does not say what it changes. */
export function tellsOfRun({ events, reading, told }: HookRecord): boolean {
  const isAboutCall = events.some((event) => ABOUT_CALLS.has(event));
  return isAboutCall && !told.block && (reading?.tools ?? []).some(isRun);
}

const ABOUT_CALLS: ReadonlySet<EventName> = new Set([
  "tool_call",
  "tool_execution_start",
  "tool_execution_end",
]);

/** Whether the hooks of an agent are silent about its tool calls: nothing of a turn is named then. */
function isSilent(name: string): boolean {
  const hooks = agentNamed(name)?.hooks;
  const told = Object.values(hooks?.mapping ?? {}).flatMap((hook) => hook?.events ?? []);
  return hooks !== undefined && !told.some((event) => ABOUT_CALLS.has(event));
}

/** The turn of an agent that is silent about its calls is itself one that may change any file. */
export function withSilentTurn(state: SessionState, at: string): SessionState {
  if (!isSilent(state.agent) || state.turn_id === undefined) return state;
  if (openRunOf(state)) return state;
  const run: Run = { from: at, call: state.turn_id };
  return { ...state, turn_ran_shell: true, runs: bounded([...(state.runs ?? []), run]) };
}

/** The end of such a turn. */
export function withSilentTurnEnded(state: SessionState, at: string): SessionState {
  const { runs = [], turn_id } = state;
  const begun = openRunOf(state);
  if (begun === undefined || turn_id === undefined) return state;
  const ended: Run = { from: begun.from, until: at };
  return { ...state, runs: runs.map((run) => (run === begun ? ended : run)) };
}

/** The run that is a whole turn, while that is under way. */
function openRunOf({ runs = [], turn_id }: SessionState): Run | undefined {
  return runs.find(({ call, until }) => call === turn_id && until === undefined);
}

/** A command that its user stops needs a moment to end. */
const STOPPING_MS = 1_000;

/**
 * What ran when its turn was cut off ended with it: of such a call no hook tells the end. If something
 * did run on, as in a subagent in the background, its end makes it a run of the turn it ends in.
 */
export function withRunsCutOff(state: SessionState, at: string): SessionState {
  const { runs = [], interrupted } = state;
  const stopped = typeof interrupted === "string" ? Date.parse(interrupted) + STOPPING_MS : NaN;
  const until = Number.isNaN(stopped) ? at : new Date(stopped).toISOString();
  const cut = (run: Run) => (run.until !== undefined || run.left ? run : { ...run, until });
  return runs.length > 0 ? { ...state, runs: runs.map(cut) } : state;
}

/** That something begins to run in this turn which does not say itself what it changes. */
export function withRun(state: SessionState, { reading, told, at }: HookRecord): SessionState {
  if (told.block) return state;
  const calls = reading?.tools?.filter(isRun) ?? [];
  if (calls.length === 0) return state;
  const { runs = [] } = state;
  const open = new Set(runs.filter(({ until }) => until === undefined).map(({ call }) => call));
  const begun = calls
    .filter(({ callId }) => !open.has(callId))
    .map(({ callId }): Run => ({ from: at, call: callId }));
  return { ...state, turn_ran_shell: true, runs: bounded([...runs, ...begun]) };
}

/** The same for the end of a call: some agents tell of nothing else. */
export function withRunEnded(state: SessionState, record: HookRecord): SessionState {
  const { reading, told, at } = record;
  if (told.block) return state;
  const calls = reading?.tools?.filter(isRun) ?? [];
  if (calls.length === 0) return state;
  let { runs = [] } = state;
  for (const tool of calls) {
    const begun = runs.find(({ call, until }) => call === tool.callId && until === undefined);
    const from = begun?.from ?? state.turn_started_at ?? at;
    const run: Run = mayRunOn(tool) ? { from, call: tool.callId, left: true } : { from, until: at };
    runs = [...runs.filter((one) => one !== begun), run];
  }
  return { ...state, turn_ran_shell: true, runs: bounded(runs) };
}

/** Programs that a command leaves behind, and what Codex says of a command that it no longer waits for. */
const LEAVES_PROGRAMS = /(?<![&>|<])&(?![&>])|\b(?:nohup|setsid|disown|tmux|screen)\b/;
const STILL_RUNS = /\bProcess running with session ID\b/;

/** Whether a command starts a program that may run on when the command has ended. */
export function leavesPrograms(command: string): boolean {
  return LEAVES_PROGRAMS.test(command);
}

/** Whether a program that a call started may run on when the call has ended. */
export function mayRunOn({ runsOn, input, result }: ToolReading): boolean {
  if (runsOn || leavesPrograms(String(input.command ?? ""))) return true;
  return (result?.content ?? []).some((part) => part.type === "text" && STILL_RUNS.test(part.text));
}

/** Calls of the last turn that left a program behind. */
export function leftByTurn({ runs = [], turn_started_at = "" }: SessionState): ReadonlySet<string> {
  const left = runs.filter(({ from, left: isLeft }) => isLeft && from >= turn_started_at);
  return new Set(left.flatMap(({ call }) => call ?? []));
}

/** Beyond them, the oldest become one. */
const MOST_RUNS = 24;

function bounded(runs: readonly Run[]): readonly Run[] {
  const [first, second, ...rest] = runs;
  if (runs.length <= MOST_RUNS || !first || !second) return runs;
  const [from = first.from] = [first.from, second.from].sort();
  const ends = [first, second].flatMap(({ until }) => until ?? []).sort();
  const until = ends.length === 2 ? ends.at(-1) : undefined;
  return [{ from, ...(until !== undefined && { until }) }, ...rest];
}

/**
 * Clocks of file systems run behind by the length of a tick, and by more on a busy machine: two changes
 * within this time look like one.
 */
export const TICK_MS = 20;
/** Files tell parts of the millisecond in which a hook came, and the hook does not. */
const HOOK_MS = 1;

/** From one moment to another, or a single one, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether something ran in this time that does not say itself what it changes. */
export function ranWithin(state: SessionState, span: Span): boolean {
  return runsWithin(state, span).length > 0;
}

/** Whether some of what ran in this time has not ended. */
export function runsSince(state: SessionState, span: Span): boolean {
  return runsWithin(state, span).some(({ until }) => until === undefined);
}

function runsWithin({ runs = [], phase, ended_at }: SessionState, span: Span): Run[] {
  const last = phase === "ended" ? ended_at : undefined;
  return runs
    .map(({ until = last, ...run }): Run => ({ ...run, ...(until !== undefined && { until }) }))
    .filter(({ from, until }) => {
      const isBegun = Date.parse(from) - TICK_MS <= span.to;
      return isBegun && (until === undefined || span.from < Date.parse(until) + HOOK_MS);
    });
}
