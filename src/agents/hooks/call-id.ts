import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isRecord, type Json } from "./fields.ts";
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

interface Changed {
  readonly base: string;
  readonly nativeName: string;
  readonly input: Readonly<Json>;
}

/** More calls than this are not open at the same time; older ones are forgotten. */
const MOST = 1000;

/**
 * Tells calls with the same made-up id apart: the second becomes `…-2`. Kept by whoever sees all
 * hooks of a session. Ids that agents gave themselves pass unchanged.
 */
export class CallIds {
  readonly #calls = new Map<string, Calls>();
  /** Open calls whose input was changed, by id. */
  readonly #changed = new Map<string, Changed>();

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
  rewritten(
    sessionId: string,
    { nativeName, madeUpId }: ToolReading,
    id: string,
    input: Readonly<Json>,
  ): void {
    if (!madeUpId) return;
    const calls = this.#calls.get(this.#baseOf(id));
    if (!calls?.open.includes(id)) return;
    this.drop(id);
    const base = madeUpCallId(sessionId, nativeName, input);
    const others = this.#calls.get(base) ?? { made: 0, open: [] };
    others.open.push(id);
    this.#keep(base, others);
    this.#changed.set(id, { base, nativeName, input });
    forgetOldest(this.#changed);
  }

  /** The call will not come back: it was blocked. */
  drop(id: string): void {
    const calls = this.#calls.get(this.#baseOf(id));
    const index = calls?.open.indexOf(id) ?? -1;
    if (calls && index >= 0) calls.open.splice(index, 1);
  }

  /** A call ended: the id it began with. */
  end(tool: ToolReading): string {
    if (!tool.madeUpId) return tool.callId;
    const id = this.#calls.get(tool.callId)?.open.shift() ?? this.#endChanged(tool);
    if (id === undefined) return tool.callId;
    this.#changed.delete(id);
    return id;
  }

  /** Of a changed input an agent may afterwards name only the fields that its tool knows. */
  #endChanged({ nativeName, nativeInput }: ToolReading): string | undefined {
    const fields = Object.entries(nativeInput);
    if (fields.length === 0) return undefined;
    const found = [...this.#changed].find(
      ([, call]) =>
        call.nativeName === nativeName &&
        fields.every(([name, value]) => isDeepStrictEqual(value, call.input[name])),
    );
    if (!found) return undefined;
    const [id, { base }] = found;
    const open = this.#calls.get(base)?.open ?? [];
    const index = open.indexOf(id);
    if (index >= 0) open.splice(index, 1);
    return id;
  }

  #baseOf(id: string): string {
    return this.#calls.has(id) ? id : id.replace(/-\d+$/, "");
  }

  #keep(base: string, calls: Calls): void {
    this.#calls.delete(base);
    this.#calls.set(base, calls);
    forgetOldest(this.#calls);
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MOST) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
