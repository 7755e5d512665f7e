import { beginningOf, type TranscriptEntry } from "../../agents/index.ts";
import type { Role } from "../store/roles.ts";

/** A text of an entry that can be found. */
export interface EntryText {
  readonly role: Role;
  readonly text: string;
  /** Normalised name of the tool, for calls and what they gave back. */
  readonly tool?: string;
}

/** More of one text is not kept; nobody writes so much by hand. */
const LONGEST_TEXT = 256 * 1024;
/** Of what a tool was given or gave back, the beginning and the end are kept. */
const HEAD = 700;
const TAIL = 250;
/** Nobody searches inside such a long run without a space: images, signatures, minified code. */
const BLOB = 512;

/** What of an entry is kept and can be found. */
export function textsOf(entry: TranscriptEntry, nameOfCall: (id: string) => string): EntryText[] {
  const { kind, text, thinking, tool, summary } = entry;
  const texts: EntryText[] = [];
  const add = (role: Role, said: string | undefined, toolName?: string) => {
    const kept = said === undefined ? "" : cleaned(said);
    if (kept.trim() === "") return;
    texts.push({ role, text: kept, ...(toolName && { tool: toolName }) });
  };
  add("thinking", thinking);
  if (kind === "user") add("prompt", text);
  if (kind === "assistant") add("answer", text);
  add("title", summary);
  if (kind === "tool_call" && tool) {
    const name = tool.name || tool.nativeName;
    const files = (tool.files ?? []).filter((file) => !tool.about?.includes(file));
    add("call", [name, tool.about, ...files].filter(Boolean).join(" "), name);
    add("input", cut(stringsIn(tool.input, tool.about)), name);
  }
  if (kind === "tool_result" && tool) {
    const name = tool.name || (tool.callId === undefined ? "" : nameOfCall(tool.callId));
    add("output", cut(tool.about ?? stringsIn(tool.output)), name);
  }
  return texts;
}

/** Without what is not text, and not longer than can be kept. */
function cleaned(text: string): string {
  const most = beginningOf(text, LONGEST_TEXT);
  // SQLite ends a text at the first of these.
  const whole = most.includes("\0") ? most.replaceAll("\0", " ") : most;
  return withoutBlobs(whole);
}

/** Every long run covers at least one of these places, so only they are looked at. */
function withoutBlobs(text: string): string {
  let kept = "";
  let done = 0;
  for (let at = BLOB - 1; at < text.length; at += BLOB) {
    if (at < done) continue;
    let start = at;
    while (start > done && isRunCode(text.charCodeAt(start - 1))) start--;
    let end = at;
    while (end < text.length && isRunCode(text.charCodeAt(end))) end++;
    if (end - start < BLOB) continue;
    kept += `${text.slice(done, start)} … `;
    done = end;
  }
  return done === 0 ? text : kept + text.slice(done);
}

/** Letters, digits and what base64 has besides. */
function isRunCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 61 ||
    code === 95
  );
}

/** The beginning and the end of a long text, cut between two words: half a key is not recognised. */
function cut(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  const tail = text.slice(-TAIL);
  const space = tail.search(/\s/);
  return `${beginningOf(text, HEAD)}\n…\n${space >= 0 ? tail.slice(space + 1) : ""}`;
}

const SECRET_NAME = /pass|pwd|secret|token|key|auth|credential|cookie|session/i;

/** The strings in a value, without the names of its fields and without what is known already. */
function stringsIn(value: unknown, known?: string): string {
  const found: string[] = [];
  let length = 0;
  const visit = (one: unknown, depth: number): void => {
    if (length > MOST_COLLECTED || depth > DEEPEST) return;
    if (typeof one === "string") {
      if (one === known || one === "") return;
      found.push(one);
      length += one.length;
    } else if (Array.isArray(one)) {
      for (const item of one) visit(item, depth + 1);
    } else if (typeof one === "object" && one !== null) {
      for (const [key, item] of Object.entries(one)) {
        if (NOT_TEXT.has(key)) continue;
        // Only the name of such a field tells that its value is a password, so the value is left
        // out.
        const isSecret = typeof item === "string" && item !== known && SECRET_NAME.test(key);
        visit(isSecret ? `${JSON.stringify(key)}: ${JSON.stringify(item)}` : item, depth + 1);
      }
    }
  };
  visit(value, 0);
  return found.join("\n");
}

const MOST_COLLECTED = 1024 * 1024;
const DEEPEST = 8;
/** Fields whose strings are no text: types, ids, images. */
const NOT_TEXT: ReadonlySet<string> = new Set([
  "type",
  "id",
  "call_id",
  "tool_use_id",
  "data",
  "media_type",
  "mimeType",
  "signature",
  "encrypted_content",
]);
