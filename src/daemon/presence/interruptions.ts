import { join } from "node:path";
import type { HookRow } from "../../agents/index.ts";
import type { Decision } from "../../dispatch/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { LedSession } from "./lead-sessions.ts";
import { keyOf, type SessionRef } from "./live-sessions.ts";

/** How the turn of a session ends: at its next step, or its calls are refused until it gives up. */
export type Ends = "next step" | "calls refused";

interface Interrupted extends SessionRef {
  /** "you", or the extension that wants it. */
  readonly by: string;
}

/** The events at which a turn is over, and with it the wish to interrupt it. */
const BOUNDARIES: ReadonlySet<SeamEvent["type"]> = new Set([
  "session_start",
  "agent_start",
  "agent_end",
  "session_shutdown",
]);

/** The turns that somebody wants to end. Kept on disk until they are over. */
export class Interruptions {
  readonly #path: string;
  readonly #inbox: Inbox;
  readonly #byKey = new Map<string, Interrupted>();
  readonly #onChange: (ref: SessionRef) => void;

  constructor(folder: string, inbox: Inbox, onChange: (ref: SessionRef) => void) {
    this.#path = join(folder, "interrupted.json");
    this.#inbox = inbox;
    this.#onChange = onChange;
    for (const one of load(this.#path)) this.#byKey.set(keyOf(one), one);
  }

  isInterrupted(ref: SessionRef): boolean {
    return this.#byKey.has(keyOf(ref));
  }

  /** Ends the turn of a session as soon as its agent lets that happen. Throws if it never does. */
  interrupt({ agent, session }: SessionRef, led: Pick<LedSession, "agent" | "hooks">, by: string) {
    const rows = Object.values(led.hooks.mapping);
    const ends = endsOf(rows);
    if (ends === undefined) {
      throw new SeamError("SEAM_SESSION_CANNOT", { agent: led.agent.type, what: "be interrupted" });
    }
    const ref = { agent, session };
    this.#byKey.set(keyOf(ref), { ...ref, by });
    this.#save(ref);
    // A call that waits for an answer hears at once that it is not to run.
    this.#inbox.settleAll((question) => keyOf(question) === keyOf(ref), {
      cancelled: true,
      who: by,
      why: `${nameOf(by)} interrupted the turn`,
    });
    return ends;
  }

  /** What the hook of an interrupted turn is told; undefined: nobody interrupted it. */
  decision(
    led: Pick<LedSession, "agent" | "id">,
    events: readonly SeamEvent[],
    row: HookRow,
  ): Pick<Decision, "block" | "interrupt"> | undefined {
    if (this.#byKey.size === 0) return undefined;
    const ref = { agent: led.agent.name, session: led.id };
    const interrupted = this.#byKey.get(keyOf(ref));
    if (!interrupted) return undefined;
    if (events.some(({ type }) => BOUNDARIES.has(type))) {
      this.#byKey.delete(keyOf(ref));
      this.#save(ref);
      return undefined;
    }
    const { by } = interrupted;
    const reason = `${nameOf(by)} interrupted this turn. Stop here and wait for the user.`;
    const isCall = row.powers.includes("block") && events.some(({ type }) => type === "tool_call");
    const canEnd = row.powers.includes("interrupt");
    if (!isCall && !canEnd) return undefined;
    const refusal = { reason, by };
    return { ...(isCall && { block: refusal }), ...(canEnd && { interrupt: refusal }) };
  }

  #save(ref: SessionRef): void {
    replaceFile(this.#path, `${JSON.stringify([...this.#byKey.values()])}\n`);
    this.#onChange(ref);
  }
}

/** How an agent with these hooks can be interrupted; undefined: not at all. */
export function endsOf(rows: readonly HookRow[]): Ends | undefined {
  const ends = rows.filter(({ powers }) => powers.includes("interrupt"));
  const gates = rows.filter(
    ({ powers, events }) => powers.includes("block") && events.includes("tool_call"),
  );
  if (ends.length > 0 && gates.every((gate) => ends.includes(gate))) return "next step";
  return gates.length > 0 ? "calls refused" : undefined;
}

const nameOf = (by: string) => (by === "you" ? "The user" : by);

function load(path: string): Interrupted[] {
  try {
    const list: unknown = JSON.parse(readText(path) ?? "[]");
    return Array.isArray(list) ? list.filter(isInterrupted) : [];
  } catch {
    return [];
  }
}

function isInterrupted(value: unknown): value is Interrupted {
  if (!isRecord(value)) return false;
  return [value.agent, value.session, value.by].every((one) => typeof one === "string");
}
