import { createHash } from "node:crypto";
import { isRecord } from "./fields.ts";
import type { ToolReading } from "./reading.ts";

const LONG = 4096;

/**
 * An id for a call that the agent gave none: the same before and after the call, because both
 * hooks name session, tool and input. The same call made twice has the same id; CallIds tells
 * those apart.
 */
export function madeUpCallId(sessionId: string, toolName: string, input: unknown): string {
  const hash = createHash("sha256").update(`${sessionId}\0${toolName}\0${digest(input)}`);
  return `seam-${hash.digest("hex").slice(0, 24)}`;
}

function digest(input: unknown): string {
  try {
    return JSON.stringify(input, (_, value: unknown) => {
      // The whole of a large file is not worth hashing twice; its ends and its length are.
      if (typeof value === "string" && value.length > LONG) {
        return `${value.length}:${value.slice(0, LONG / 2)}:${value.slice(-LONG / 2)}`;
      }
      return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(byKey)) : value;
    });
  } catch {
    // Nested too deep. Calls of one tool are then told apart by their number alone.
    return "";
  }
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

interface Calls {
  made: number;
  readonly open: string[];
}

/** More calls than this are not open at the same time; older ones are forgotten. */
const MOST = 1000;

/**
 * Tells calls with the same made-up id apart: the second becomes `…-2`. Kept by whoever sees all
 * hooks of a session. Ids that agents gave themselves pass unchanged.
 */
export class CallIds {
  readonly #calls = new Map<string, Calls>();

  /** A call begins. */
  begin({ callId, madeUpId }: ToolReading): string {
    if (!madeUpId) return callId;
    const calls = this.#calls.get(callId) ?? { made: 0, open: [] };
    calls.made += 1;
    const id = calls.made === 1 ? callId : `${callId}-${calls.made}`;
    calls.open.push(id);
    this.#keep(callId, calls);
    return id;
  }

  /** The input was changed to this on the way: the hook after the call will name the new one. */
  rewritten(sessionId: string, { nativeName, madeUpId }: ToolReading, id: string, input: unknown) {
    if (!madeUpId) return;
    const calls = this.#calls.get(this.#baseOf(id));
    if (!calls?.open.includes(id)) return;
    this.drop(id);
    const base = madeUpCallId(sessionId, nativeName, input);
    const others = this.#calls.get(base) ?? { made: 0, open: [] };
    others.open.push(id);
    this.#keep(base, others);
  }

  /** The call will not come back: it was blocked. */
  drop(id: string): void {
    const calls = this.#calls.get(this.#baseOf(id));
    const index = calls?.open.indexOf(id) ?? -1;
    if (calls && index >= 0) calls.open.splice(index, 1);
  }

  /** A call ended: the id it began with. */
  end({ callId, madeUpId }: ToolReading): string {
    return (madeUpId && this.#calls.get(callId)?.open.shift()) || callId;
  }

  #baseOf(id: string): string {
    return this.#calls.has(id) ? id : id.replace(/-\d+$/, "");
  }

  #keep(base: string, calls: Calls): void {
    this.#calls.delete(base);
    this.#calls.set(base, calls);
    if (this.#calls.size <= MOST) return;
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined) this.#calls.delete(oldest);
  }
}
