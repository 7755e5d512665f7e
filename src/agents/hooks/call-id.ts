import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../values/index.ts";
import type { Json } from "./fields.ts";
import type { ToolReading } from "./reading.ts";

const LONG = 4096;

/**
 * What a call is known by that the agent gave no id: the same before and after the call, because
 * both hooks name session, tool and input. The same call made twice has the same; CallIds makes
 * ids of it.
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
    // The input is nested too deep. Then only their number tells the calls of one tool apart.
    return "";
  }
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

interface Changed {
  readonly base: string;
  readonly nativeName: string;
  readonly input: Readonly<Json>;
}

/** More calls than this are not open at the same time; older ones are forgotten. */
const MOST = 1000;

/**
 * Ids for calls that agents gave none. An id is made of the call and of the hook that announced it:
 * no other call ever has it, and it is the same if that hook comes again after a crash. The hook
 * after the call is given the id of the latest one that is open: after a crash nobody knows which
 * ones before it were blocked. Kept by whoever sees all hooks of a session; ids that agents gave
 * themselves pass unchanged.
 */
export class CallIds {
  /** Ids of open calls, by what both hooks know them by. */
  readonly #open = new Map<string, string[]>();
  /** Open calls whose input was changed, by id. */
  readonly #changed = new Map<string, Changed>();
  /** The ids that were given to hooks after calls. */
  readonly #ended = new Map<string, string>();

  /** A call begins. */
  begin({ callId, madeUpId }: ToolReading, hookId: string): string {
    if (!madeUpId) return callId;
    const id = idOf(callId, hookId);
    add(this.#open, callId, id);
    return id;
  }

  /** The input was changed to this on the way: the hook after the call will name the new one. */
  rewritten(
    sessionId: string,
    { nativeName, madeUpId }: ToolReading,
    id: string,
    input: Readonly<Json>,
  ): void {
    if (!madeUpId || !this.drop(id)) return;
    const base = madeUpCallId(sessionId, nativeName, input);
    add(this.#open, base, id);
    this.#changed.set(id, { base, nativeName, input });
    forgetOldest(this.#changed);
  }

  /** The call will not come back: it was blocked. False if it was not open. */
  drop(id: string): boolean {
    return [...this.#open.keys()].some((base) => take(this.#open, base, id));
  }

  /** A call ended: the id it began with. */
  end(tool: ToolReading, hookId: string): string {
    const { callId, madeUpId } = tool;
    if (!madeUpId) return callId;
    const hook = idOf(callId, hookId);
    const known = this.#ended.get(hook);
    if (known !== undefined) return known;
    const id = this.#open.get(callId)?.at(-1) ?? this.#changedTo(tool);
    if (id === undefined) return callId;
    take(this.#open, this.#changed.get(id)?.base ?? callId, id);
    this.#changed.delete(id);
    this.#ended.set(hook, id);
    forgetOldest(this.#ended);
    return id;
  }

  /** Of a changed input an agent may afterwards name only the fields that its tool knows. */
  #changedTo({ nativeName, nativeInput }: ToolReading): string | undefined {
    const fields = Object.entries(nativeInput);
    if (fields.length === 0) return undefined;
    const found = [...this.#changed].find(
      ([, call]) =>
        call.nativeName === nativeName &&
        fields.every(([name, value]) => isDeepStrictEqual(value, call.input[name])),
    );
    return found?.[0];
  }
}

function idOf(base: string, hookId: string): string {
  const hash = createHash("sha256").update(`${base}\0${hookId}`);
  return `seam-${hash.digest("hex").slice(0, 24)}`;
}

function add(calls: Map<string, string[]>, base: string, id: string): void {
  const ids = calls.get(base) ?? [];
  if (!ids.includes(id)) ids.push(id);
  calls.delete(base);
  calls.set(base, ids);
  forgetOldest(calls);
}

/** False if there is no such call. */
function take(calls: Map<string, string[]>, base: string, id: string): boolean {
  const ids = calls.get(base) ?? [];
  const index = ids.indexOf(id);
  if (index < 0) return false;
  ids.splice(index, 1);
  if (ids.length === 0) calls.delete(base);
  return true;
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MOST) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
