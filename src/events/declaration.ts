import type { Static, TSchema } from "typebox";

/**
 * How the handlers of one event become one decision.
 * observe: told, nothing comes back. gate: the first block or cancel wins. transform: each sees
 * what the one before made. claim: the first answer wins. collect: all answers, with their origin.
 */
export type EventKind = "observe" | "gate" | "transform" | "claim" | "collect";

/** What an event is about. */
export type EventGroup =
  | "session"
  | "run"
  | "message"
  | "provider"
  | "tool"
  | "user"
  | "notice"
  | "crew";

/**
 * What it means when a handler throws, is too late or returns nonsense.
 * report: said, the others go on. block: the gate closes, naming the extension.
 * withhold: said; if the extension is critical, what it should have checked is withheld.
 */
export type FailureRule = "report" | "block" | "withhold";

/** Ids every event may carry; agents that know them fill them in. */
export interface EventIds {
  sessionId?: string;
  /** One prompt and all the work until the agent stops. */
  turnId?: string;
  /** Registry name of the agent the event comes from. */
  agent?: string;
  /** The agent's own name of the hook the event came from. */
  nativeHook?: string;
  /** The agent's own payload, as it came. Shared by all handlers: not to be changed. */
  native?: unknown;
}

/** One event: everything dispatch, docs and checks need to know, said once. */
export interface Declaration<
  Name extends string = string,
  Payload extends TSchema = TSchema,
  Result extends TSchema | undefined = TSchema | undefined,
  Kind extends EventKind = EventKind,
> {
  readonly name: Name;
  readonly group: EventGroup;
  readonly kind: Kind;
  /** One line. */
  readonly doc: string;
  readonly payload: Payload;
  readonly result: Result;
  readonly deadlineMs: number;
  readonly onFailure: FailureRule;
  /** Payload fields a handler may change in place. It gets its own copy of them. */
  readonly mutable?: readonly string[];
  /** Turns what handlers of other dialects return into this event's result. */
  readonly dialect?: (result: unknown) => unknown;
  /** Gates: what two handlers' results come to. Without it the later one's fields win. */
  readonly merge?: (earlier: HandlerResult, later: HandlerResult) => HandlerResult;
  /** Gates: whether this result stops the chain. */
  readonly stops?: (result: HandlerResult) => boolean;
  /** Gates: whether this result leaves the decision to a person. */
  readonly asks?: (result: HandlerResult) => boolean;
  /** What is wrong with the event after a handler changed it. */
  readonly vet?: (before: AnyEvent, after: AnyEvent) => string | undefined;
  /** Transforms: the event after this result. `done` ends the chain. */
  readonly apply?: (event: AnyEvent, result: unknown) => Applied;
}

type HandlerResult = Readonly<Record<string, unknown>>;

export interface AnyEvent extends EventIds {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Applied {
  event: AnyEvent;
  done?: boolean;
}

const SECOND = 1000;

type Options<
  Payload extends TSchema,
  Result extends TSchema | undefined,
  Kind extends EventKind,
> = Pick<
  Declaration<string, Payload, Result, Kind>,
  | "group"
  | "kind"
  | "doc"
  | "payload"
  | "mutable"
  | "dialect"
  | "merge"
  | "stops"
  | "asks"
  | "vet"
  | "apply"
> & { result?: Result; deadlineMs?: number; onFailure?: FailureRule };

export function declare<
  const Name extends string,
  Payload extends TSchema,
  Result extends TSchema | undefined = undefined,
  const Kind extends EventKind = EventKind,
>(name: Name, options: Options<Payload, Result, Kind>): Declaration<Name, Payload, Result, Kind> {
  const { result, deadlineMs = 30 * SECOND, onFailure = "report", ...rest } = options;
  return { name, result: result as Result, deadlineMs, onFailure, ...rest };
}

/** The event object of a declaration. */
export type EventOf<D> =
  D extends Declaration<infer Name, infer Payload, TSchema | undefined>
    ? { type: Name } & Static<Payload> & EventIds
    : never;

/** What a handler of a declaration may return. */
export type ResultOf<D> =
  D extends Declaration<string, TSchema, infer Result>
    ? Result extends TSchema
      ? Static<Result>
      : undefined
    : never;
