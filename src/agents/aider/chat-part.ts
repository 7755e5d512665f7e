import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";

const KEY = "part";
/** No more of a part is kept until it ends: what is kept is stored between scans. */
const LONGEST = 64 * 1024;
/** Commands that ask the model; others aider deals with itself. */
const ASKING = /^\/(?:ask|code|architect|context|chat-mode|editor|edit|web)\s+\S/;

/** The prompt or answer that a history is in the middle of. */
export class ChatPart {
  readonly #seen: Map<string, unknown>;
  is: "prompt" | "answer" | undefined;
  text = "";
  start = 0;
  /** Before the first prompt aider shows how it was called, in its own way. */
  isAsked = false;

  private constructor(seen: Map<string, unknown>) {
    this.#seen = seen;
  }

  static in(seen: Map<string, unknown>): ChatPart {
    const part = new ChatPart(seen);
    const kept = seen.get(KEY);
    if (!isRecord(kept)) return part;
    if (kept.is === "prompt" || kept.is === "answer") part.is = kept.is;
    if (typeof kept.text === "string") part.text = kept.text;
    if (typeof kept.start === "number") part.start = kept.start;
    part.isAsked = kept.isAsked === true;
    return part;
  }

  /** Aider ends its own lines in two spaces: in an answer that tells them from the model's. */
  isPrompt(line: string): boolean {
    return /^####(?: |$)/.test(line) && this.#isAiders(line);
  }

  isQuoted(line: string): boolean {
    return /^>(?: |$)/.test(line) && this.#isAiders(line);
  }

  #isAiders(line: string): boolean {
    return this.is !== "answer" || line.endsWith("  ");
  }

  addPrompt(line: string, position: number): TranscriptEntry[] {
    const said = line.slice(5).trimEnd();
    if (this.is === "prompt") {
      this.#keep({ text: `${this.text}\n${said}` });
      return [];
    }
    const ended = this.end();
    this.#keep({ is: "prompt", text: said, start: position, isAsked: true });
    return ended;
  }

  addAnswer(line: string, position: number): TranscriptEntry[] {
    if (this.is === "answer") {
      this.#keep({ text: `${this.text}\n${line}` });
      return [];
    }
    const ended = this.end();
    if (this.isAsked && line.trim() !== "") {
      this.#keep({ is: "answer", text: line, start: position });
    }
    return ended;
  }

  /** What the part says, now that it is over. */
  end(): TranscriptEntry[] {
    const { is, start } = this;
    const text = this.text.trim();
    this.#keep({ is: undefined, text: "" });
    const common = { id: `line-${start}`, endsBefore: true } as const;
    if (is === "prompt") return isForModel(text) ? [{ ...common, kind: "user", text }] : [];
    if (is !== "answer" || text === "") return [];
    return [{ ...common, kind: "assistant", text, story: withoutEdits(text) }];
  }

  #keep(change: Partial<Pick<ChatPart, "is" | "text" | "start" | "isAsked">>): void {
    Object.assign(this, change);
    this.text = this.text.slice(0, LONGEST);
    const { is, text, start, isAsked } = this;
    this.#seen.set(KEY, { is, text, start, isAsked });
  }
}

/** The name of a file and the lines to be replaced in it, fenced or not. */
const EDIT =
  /^(?:[^\n]+\n)?(?:(`{3,}|<\w+>)[^\n]*\n(?:[^\n]+\n)?)?<{5,9} SEARCH[^\n]*\n[\s\S]*?^>{5,9} REPLACE[ \t]*(?:\n(?:`{3,}|<\/\w+>)[ \t]*)?$/gm;

/** The lines of an edit are left out: aider itself says which file it changed. */
function withoutEdits(answer: string): string {
  return answer
    .replace(EDIT, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

export function isForModel(prompt: string): boolean {
  if (prompt === "" || prompt.startsWith("!")) return false;
  return !prompt.startsWith("/") || ASKING.test(prompt);
}
