import type { EVENTS, EventMap, EventName, ResultMap } from "../events/index.ts";
import type { Ask } from "./ask.ts";

interface Decided {
  /** The signal fired before all handlers had their say. */
  readonly aborted: boolean;
  /** Who said what, if the caller asked for it. */
  readonly trace?: readonly TraceStep[];
}

export interface TraceStep {
  readonly by: string;
  readonly said: "nothing" | "result" | "failure" | "aborted" | "skipped";
  readonly result?: unknown;
  readonly ms: number;
}

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

export interface TransformDecision<Name extends EventName = EventName> extends Decided {
  /** The event after all changes. */
  readonly event: EventMap[Name];
  readonly changedBy: readonly string[];
  /** The extension that ended the chain, as an `input` handler does that handles it. */
  readonly endedBy?: string;
  /** A critical extension failed: the content is not to be used. */
  readonly withheldBy?: string;
}

export interface ClaimDecision<Name extends EventName = EventName> extends Decided {
  readonly by?: string;
  readonly result?: ResultMap[Name];
}

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
