import type { Payload } from "../../agents/index.ts";
import { isRecord } from "../../values/index.ts";

/** What has to be known of a hook's tool calls to find their ends after a crash. */
export interface Calls {
  readonly session: string;
  readonly cwd?: string;
  readonly ids: readonly string[];
}

/** A hook before it has its place in the journal. */
export interface Accepted {
  /** The sender chooses it; the same hook sent twice has the same id. */
  readonly id: string;
  /** ISO. */
  readonly at: string;
  readonly agent: string;
  readonly hook: string;
  readonly pid?: number;
  readonly cwd?: string;
  /** What its tool calls are known by, where the agent gives them no ids. */
  readonly calls?: Calls;
  /** What the agent said, as it came; empty in an entry that was read back and has a payload. */
  readonly text: string;
  /** The same, understood; undefined if it is not a JSON object. */
  readonly payload: Payload | undefined;
}

export interface JournalEntry extends Accepted {
  /** The number of the entry; each is one higher than the last. */
  readonly seq: number;
  /** It was recorded, and what the agent said was taken out of the journal. */
  readonly isStruck?: true;
}

/**
 * One line in two parts: what Seam says of the hook, and what the agent said. JSON is kept as it
 * came: what Seam does not know of today is not lost.
 */
export function toLine(entry: JournalEntry): { head: string; body: string } {
  const { text, payload } = entry;
  // Line ends in JSON stand only between its tokens, never inside a string.
  const said = payload
    ? `"payload":${text.replace(/[\r\n]/g, " ")}`
    : `"text":${JSON.stringify(text)}`;
  return { head: headOf(entry), body: `,${said}}\n` };
}

/** All of a line but what the agent said. */
export function headOf({ text: _, payload: __, isStruck: ___, ...rest }: JournalEntry): string {
  return JSON.stringify(rest).slice(0, -1);
}

/** Undefined for a line that cannot be read. */
export function parseLine(line: string): JournalEntry | undefined {
  const value = parseObject(line);
  if (!value) return undefined;
  const { seq, id, at, agent, hook, pid, cwd, calls, payload, text } = value;
  const named = [id, at, agent, hook].every((field) => typeof field === "string");
  if (!Number.isSafeInteger(seq) || !named) return undefined;
  return {
    seq: seq as number,
    id: id as string,
    at: at as string,
    agent: agent as string,
    hook: hook as string,
    ...(typeof pid === "number" && { pid }),
    ...(typeof cwd === "string" && { cwd }),
    ...(isCalls(calls) && { calls }),
    ...(payload === undefined && text === undefined && { isStruck: true as const }),
    text: typeof text === "string" ? text : "",
    payload: isRecord(payload) ? payload : undefined,
  };
}

/** Undefined for anything but a JSON object. */
export function parseObject(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCalls(value: unknown): value is Calls {
  if (!isRecord(value)) return false;
  const { session, cwd, ids } = value;
  if (typeof session !== "string" || !Array.isArray(ids)) return false;
  if (cwd !== undefined && typeof cwd !== "string") return false;
  return ids.every((id) => typeof id === "string");
}
