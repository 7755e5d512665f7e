import { isRecord } from "../../../values/index.ts";

const ESCAPES = /^["\\/bfnrtu]$/;
const SHORT: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};

/** Mends what models get wrong inside of strings: raw line breaks and backslashes that escape nothing. */
export function repairJson(json: string): string {
  let result = "";
  let inside = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at] ?? "";
    if (char === '"') inside = !inside;
    if (!inside || char === '"') result += char;
    else if (char === "\\") {
      const next = json[at + 1] ?? "";
      const valid =
        ESCAPES.test(next) && (next !== "u" || /^[\da-f]{4}$/i.test(json.slice(at + 2, at + 6)));
      result += valid ? char + next : "\\\\";
      if (valid) at++;
    } else if (char < " ") {
      result += SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    } else result += char;
  }
  return result;
}

/** Parses JSON, mended if it does not parse as it is. */
export function parseJsonWithRepair(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (thrown) {
    const mended = repairJson(json);
    if (mended === json) throw thrown;
    return JSON.parse(mended);
  }
}

/** Parses as much of an unfinished JSON as is there; an empty object if that is nothing. */
export function parseStreamingJson(partial: string | undefined): unknown {
  if (partial === undefined || partial.trim() === "") return {};
  try {
    return parseJsonWithRepair(partial) ?? {};
  } catch {
    return new StreamingJsonParser(partial).snapshot() ?? {};
  }
}

/** What a model calls a tool with; what cannot be read is said in `argumentsError`. */
export function parseToolCallArguments(json: string | undefined) {
  if (json === undefined || json.trim() === "") return { arguments: {} };
  try {
    const value = parseJsonWithRepair(json);
    if (isRecord(value)) return { arguments: value };
    return { arguments: {}, argumentsError: "The arguments are not an object." };
  } catch (thrown) {
    const problem = thrown instanceof Error ? thrown.message : String(thrown);
    const argumentsError = `${problem}\n\nReceived arguments:\n${json}`;
    const partial = parseStreamingJson(json);
    return { arguments: isRecord(partial) ? partial : {}, argumentsError };
  }
}

type Path = readonly (string | number)[];
type Change =
  | { readonly kind: "set"; readonly path: Path; readonly value: unknown }
  | { readonly kind: "append"; readonly path: Path; readonly text: string };

/** Reads JSON while it arrives, and tells what each piece changed. */
export class StreamingJsonParser {
  #text: string;

  constructor(text = "") {
    this.#text = text;
  }

  append(text: string): readonly Change[] {
    const before = this.snapshot();
    this.#text += text;
    return changes([], before, this.snapshot());
  }

  /** What is there so far; undefined if nothing can be told yet. */
  snapshot(): unknown {
    const text = repairJson(this.#text);
    // An unfinished value at the end is left out until enough of it is there.
    for (let end = text.length; end > 0; end = lastBreak(text, end)) {
      try {
        return JSON.parse(closed(text.slice(0, end)));
      } catch {}
    }
    return undefined;
  }
}

/** The place before the last thing that could be unfinished. */
function lastBreak(text: string, end: number): number {
  return Math.max(
    ...[",", "{", "[", ":"].map(
      (sign) => text.lastIndexOf(sign, end - 2) + (sign === "{" || sign === "[" ? 1 : 0),
    ),
    0,
  );
}

/** The text with everything closed that is open at its end. */
function closed(text: string): string {
  const open: string[] = [];
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inside && char === "\\") at++;
    else if (char === '"') inside = !inside;
    else if (inside) continue;
    else if (char === "{") open.push("}");
    else if (char === "[") open.push("]");
    else if (char === "}" || char === "]") open.pop();
  }
  const whole = inside
    ? `${text.replace(/\\(?:u[\da-f]{0,3})?$/i, "")}"`
    : text.replace(/[,\s]+$/, "");
  return whole + open.reverse().join("");
}

function changes(path: Path, before: unknown, after: unknown): Change[] {
  if (before === after || after === undefined) return [];
  if (typeof before === "string" && typeof after === "string" && after.startsWith(before)) {
    return [{ kind: "append", path, text: after.slice(before.length) }];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.flatMap((value, index) => changes([...path, index], before[index], value));
  }
  if (isRecord(before) && isRecord(after)) {
    return Object.entries(after).flatMap(([key, value]) =>
      changes([...path, key], before[key], value),
    );
  }
  if (typeof after === "object" && after !== null) {
    // Something that holds others is there first, and then what is in it.
    const empty: unknown = Array.isArray(after) ? [] : {};
    return [{ kind: "set", path, value: empty }, ...changes(path, empty, after)];
  }
  return [{ kind: "set", path, value: after }];
}

/** The arguments of a tool call while the model writes them. */
export class ToolCallArgumentsStream {
  #text = "";

  get text(): string {
    return this.#text;
  }

  append(delta: string): Record<string, unknown> {
    this.#text += delta;
    return this.#now();
  }

  replace(text: string) {
    const delta = text.startsWith(this.#text) ? text.slice(this.#text.length) : undefined;
    this.#text = text;
    return { delta, arguments: this.#now() };
  }

  finish = () => parseToolCallArguments(this.#text);

  #now(): Record<string, unknown> {
    const value = parseStreamingJson(this.#text);
    return isRecord(value) ? { ...value } : {};
  }
}
