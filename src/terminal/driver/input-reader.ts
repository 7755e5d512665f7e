import { ESC } from "../text/escapes.ts";

const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** Half an escape sequence is finished by what follows, unless nothing does: then it was a key. */
const ALONE_MS = 30;

const CSI = new RegExp(`^${ESC}\\[[0-?]*[ -/]*[@-~]`);
const SS3 = new RegExp(`^${ESC}O[ -~]`);
const STRING = new RegExp(`^${ESC}[\\]P_^X][^\u0007${ESC}]*(?:\u0007|${ESC}\\\\)`);
/** A beginning that is longer than any sequence is none. */
const LONGEST_SEQUENCE = 4096;

/** Cuts what a terminal sends into keys, whole pastes and whole escape sequences. */
export class InputReader {
  readonly #take: (data: string) => void;
  readonly #lateMs: number;
  #rest = "";
  /** The parts of a paste that has not ended yet. */
  #paste: string[] | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(take: (data: string) => void, lateMs = ALONE_MS) {
    this.#take = take;
    this.#lateMs = lateMs;
  }

  feed(data: string): void {
    clearTimeout(this.#timer);
    let rest = this.#rest + data;
    this.#rest = "";
    while (rest !== "") {
      const taken = this.#paste ? this.#pasteStep(rest) : this.#keyStep(rest);
      if (taken === 0) break;
      rest = rest.slice(taken);
    }
    this.#rest = rest;
    if (rest !== "" && !this.#paste) {
      this.#timer = setTimeout(() => this.#flush(), this.#lateMs);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Returns how much it took; 0: more has to arrive first. */
  #keyStep(rest: string): number {
    if (rest.startsWith(PASTE_START)) {
      this.#paste = [];
      return PASTE_START.length;
    }
    const length = sequenceLength(rest);
    if (length > 0) this.#take(rest.slice(0, length));
    return length;
  }

  /** A paste of many megabytes is searched for its end once, not with every part that arrives. */
  #pasteStep(rest: string): number {
    const parts = this.#paste ?? [];
    const end = rest.indexOf(PASTE_END);
    if (end !== -1) {
      parts.push(rest.slice(0, end));
      this.#paste = undefined;
      this.#take(PASTE_START + parts.join("") + PASTE_END);
      return end + PASTE_END.length;
    }
    const safe = rest.length - PASTE_END.length;
    if (safe <= 0) return 0;
    parts.push(rest.slice(0, safe));
    return safe;
  }

  #flush(): void {
    const rest = this.#rest;
    this.#rest = "";
    if (rest.startsWith(ESC + ESC)) this.#take(rest);
    else if (rest.length > 1 && rest.startsWith(ESC)) for (const key of rest) this.#take(key);
    else if (rest !== "") this.#take(rest);
  }
}

/** The length of the key or sequence at the start; 0 if it is not complete. */
function sequenceLength(text: string): number {
  if (!text.startsWith(ESC)) return characterLength(text);
  if (text.length === 1) return 0;
  const second = text.charAt(1);
  if (second === ESC) {
    // Alt with a key that is itself a sequence.
    if (text.length === 2) return 0;
    const inner = sequenceLength(text.slice(1));
    return inner === 0 ? 0 : inner + 1;
  }
  const whole = CSI.exec(text) ?? SS3.exec(text) ?? STRING.exec(text);
  if (whole) return whole[0].length;
  if ("[O]P_^X".includes(second) && text.length < LONGEST_SEQUENCE) return 0;
  return 1 + characterLength(text.slice(1));
}

function characterLength(text: string): number {
  const code = text.codePointAt(0) ?? 0;
  return code > 0xffff ? 2 : 1;
}
