import type { EVENTS, EventMap, EventName, ResultMap, UserContent } from "../events/index.ts";
import type { Ask } from "./ask.ts";

/**
 * What all handlers come to about the events of one hook or step. The daemon, the record and the
 * agents use it as it is; only an agent's answer says it in other words. Indexes count the tools of
 * the hook.
 */
export interface Decision {
  readonly block?: Refusal;
  /** A person is to say whether the call may run. It counts only where nobody blocked the call. */
  readonly ask?: Ask;
  /** A person was asked about the call and let it run. */
  readonly allowed?: Permission;
  /** Inputs of tools after all changes, for the tools whose input was changed. */
  readonly inputs: readonly {
    readonly index: number;
    readonly input: Readonly<Record<string, unknown>>;
    readonly by: readonly string[];
  }[];
  /** Results of tools after all changes, for the tools whose result was changed. */
  readonly results: readonly (ToolOutput & {
    readonly index: number;
    readonly by: readonly string[];
  })[];
  /** Texts that the model is to read besides. */
  readonly context: readonly string[];
  /** The prompt was handled by an extension, or changed to this text. */
  readonly prompt?: {
    readonly handledBy?: string;
    readonly text?: string;
    readonly by: readonly string[];
  };
  /** A compaction or a change of session is not to happen. */
  readonly cancel?: Refusal;
  /** The turn is to end here, because a person or an extension interrupted it. */
  readonly interrupt?: Refusal;
  /** Wishes of handlers that no agent has words for, in words for the log. */
  readonly unsaid: readonly string[];
}

export interface Refusal {
  readonly reason: string;
  /** The extension that said no. */
  readonly by?: string;
}

/** Who let a call run about which a person was to be asked. */
export interface Permission {
  /** Where the answer was given: "the page", "seam inbox", "a rule". */
  readonly who: string;
  /** The extension that wanted it answered. */
  readonly by: string;
}

/** What the model sees of a tool's result. */
export interface ToolOutput {
  readonly content: readonly UserContent[];
  readonly isError: boolean;
}

/** Nobody decided anything. That is not the same as "allow". */
export const UNDECIDED: Decision = { inputs: [], results: [], context: [], unsaid: [] };

interface Decided {
  /** The signal fired before all handlers had their say. */
  readonly aborted: boolean;
  /** Who said what, if the caller asked for it. */
  readonly trace?: readonly TraceStep[];
}

/** What one handler did to the event. */
export interface TraceStep {
  readonly by: string;
  readonly said: "nothing" | "result" | "failure" | "aborted" | "skipped";
  readonly result?: unknown;
  readonly ms: number;
}

/** What an event came to whose handlers can say no. */
export interface GateDecision<Name extends EventName = EventName> extends Decided {
  /** With `ask`: what becomes of it if nobody can be asked. */
  readonly blocked: boolean;
  readonly reason?: string;
  /** A person is to decide. Nobody blocked it. */
  readonly ask?: Ask;
  /** The extension that blocked. */
  readonly by?: string;
  /** Blocked because a handler failed, not because it said so. */
  readonly failed?: boolean;
  /** What the handlers returned, taken together. */
  readonly result?: ResultMap[Name];
  /** The event after all changes. */
  readonly event: EventMap[Name];
  readonly changedBy: readonly string[];
}

/** What an event came to whose handlers each change it for the next. */
export interface TransformDecision<Name extends EventName = EventName> extends Decided {
  /** The event after all changes. */
  readonly event: EventMap[Name];
  readonly changedBy: readonly string[];
  /** The extension that ended the chain, as an `input` handler does that handles it. */
  readonly endedBy?: string;
  /** A critical extension failed: the content is not to be used. */
  readonly withheldBy?: string;
}

/** What an event came to that the first handler who takes it has for itself. */
export interface ClaimDecision<Name extends EventName = EventName> extends Decided {
  readonly by?: string;
  readonly result?: ResultMap[Name];
}

/** What an event came to whose handlers each add something. */
export interface CollectDecision<Name extends EventName = EventName> extends Decided {
  readonly results: readonly { readonly by: string; readonly result: ResultMap[Name] }[];
}

type KindOf<Name extends EventName> = (typeof EVENTS)[Name]["kind"];

/** What `emit` of an event comes to. Observation comes to nothing. */
export type DecisionOf<Name extends EventName> = {
  observe: undefined;
  gate: GateDecision<Name>;
  transform: TransformDecision<Name>;
  claim: ClaimDecision<Name>;
  collect: CollectDecision<Name>;
}[KindOf<Name>];
