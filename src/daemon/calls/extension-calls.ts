import { createHash, randomUUID } from "node:crypto";
import { eventPowers } from "../../agents/index.ts";
import type { Session, SessionOwner } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { CallEnd, Offers, WantedCall } from "../worker/protocol.ts";
import type { CallOptions } from "../worker/running-calls.ts";
import { isExpected, takeExpected } from "./expected-calls.ts";

/** Where a call comes from. Nobody who calls says which session it is for. */
export interface CallPlace {
  readonly cwd: string;
  /** The process that calls, and those above it. */
  readonly processes: readonly number[];
}

/** A tool or a command of an extension, and what it is to be run with. */
export type CallWish =
  | { readonly tool: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly command: string; readonly args: string };

/**
 * The tools and commands that extensions let others call: those of the session whose agent is above
 * the caller, so that a tool and the handlers beside it see one session. Where there is no such
 * session, the folder has one of its own.
 */
export class ExtensionCalls {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  offers(place: CallPlace): Promise<Offers> {
    const session = this.#sessionOf(place);
    const offers = session.offers();
    this.#sessions.used(session);
    return offers;
  }

  async call(place: CallPlace, wish: CallWish, options: CallOptions): Promise<CallEnd> {
    const canAsk = options.ask !== undefined;
    if ("command" in wish) return this.#run(this.#sessionOf(place), { ...wish, canAsk }, options);
    const { session, isAsked } = this.#sessionFor(wish, place);
    const asked = { call: isAsked, result: isAsked && tellsOfResults(session) };
    const callId = `mcp_${randomUUID()}`;
    return this.#run(session, { ...wish, callId, asked, canAsk }, options);
  }

  /**
   * Calls the listener whenever the list of what others can call changes, until the function it
   * returns is called.
   */
  follow(place: CallPlace, hear: () => void): () => void {
    const { onOffers } = this.#sessionOf(place);
    onOffers.add(hear);
    return () => onOffers.delete(hear);
  }

  #run(session: Session, wanted: WantedCall, options: CallOptions): Promise<CallEnd> {
    const end = session.call(wanted, options);
    this.#sessions.used(session);
    return end;
  }

  /** The session a tool is called in, and whether its agent told of the call at a hook. */
  #sessionFor(
    { tool, params }: Extract<CallWish, { tool: string }>,
    place: CallPlace,
  ): { session: Session; isAsked: boolean } {
    const above = this.#above(place);
    if (above) return { session: above, isAsked: takeExpected(above, tool, params) };
    // The process may be invisible from here. Then the session in this folder that was asked about
    // this very call is meant.
    const expecting = this.#sessions.latest(
      (session) => session.cwd === place.cwd && isExpected(session, tool, params),
    );
    if (expecting) {
      return { session: expecting, isAsked: takeExpected(expecting, tool, params) };
    }
    return { session: this.#own(place), isAsked: false };
  }

  #sessionOf(place: CallPlace): Session {
    return this.#above(place) ?? this.#own(place);
  }

  #above({ cwd, processes }: CallPlace): Session | undefined {
    const isAbove = ({ pid, hooks }: Session) =>
      pid !== undefined && processes.includes(pid) && !hooks.inside;
    return (
      this.#sessions.latest((session) => session.cwd === cwd && isAbove(session)) ??
      this.#sessions.latest(isAbove)
    );
  }

  #own({ cwd }: CallPlace): Session {
    const sessionId = createHash("sha256").update(cwd).digest("hex").slice(0, 16);
    return this.#sessions.find(CLIENT, { sessionId }, cwd);
  }
}

/** Whether a result of this agent's tools comes by a hook as well. */
function tellsOfResults({ hooks }: Session): boolean {
  return eventPowers(hooks.mapping).tool_result !== undefined;
}

/** The session of a folder belongs to whoever calls. The daemon itself asks its handlers. */
const CLIENT: SessionOwner = {
  name: "mcp",
  type: "MCP",
  hooks: {
    mapping: {
      call: { events: ["tool_call", "tool_admit"], powers: ["block", "rewrite_input"] },
      result: { events: ["tool_result"], powers: ["replace_result"] },
    },
  },
  transcript: {
    unit: "line",
    read: async () => Buffer.alloc(0),
    recognise: () => false,
    chunk: (content) => [content],
    reassemble: (chunks) => Buffer.concat(chunks),
  },
};
