import type { Payload } from "../../agents/index.ts";

/** A hook before it has its place in the journal. */
export interface Accepted {
  /** Given by whoever sent it; the same hook sent twice has the same id. */
  readonly id: string;
  /** ISO. */
  readonly at: string;
  readonly agent: string;
  readonly hook: string;
  readonly pid?: number;
  readonly cwd?: string;
  /** What the agent said, as it came; empty in an entry that was read back and has a payload. */
  readonly text: string;
  /** The same, understood; undefined if it is not a JSON object. */
  readonly payload: Payload | undefined;
}

export interface JournalEntry extends Accepted {
  /** Rises by one. */
  readonly seq: number;
}

/** One line. JSON is kept as it came: what Seam does not know of today is not lost. */
export function toLine({ text, payload, ...rest }: JournalEntry): string {
  const head = JSON.stringify(rest).slice(0, -1);
  // Line ends in JSON stand only between its tokens, never inside a string.
  const body = payload
    ? `"payload":${text.replace(/[\r\n]/g, " ")}`
    : `"text":${JSON.stringify(text)}`;
  return `${head},${body}}\n`;
}

/** Undefined for a line that cannot be read. */
export function parseLine(line: string): JournalEntry | undefined {
  const value = parseObject(line);
  if (!value) return undefined;
  const { seq, id, at, agent, hook, pid, cwd, payload, text } = value;
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
    text: typeof text === "string" ? text : "",
    payload: isObject(payload) ? payload : undefined,
  };
}

/** Undefined for anything but a JSON object. */
export function parseObject(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
