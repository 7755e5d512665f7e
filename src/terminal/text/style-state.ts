import { ESC } from "./escapes.ts";

const SGR = new RegExp(`^${ESC}\\[([\\d;:]*)m$`);
const HYPERLINK = new RegExp(`^${ESC}\\]8;[^;]*;(.*?)(?:\u0007|${ESC}\\\\)$`, "s");
const HYPERLINK_END = `${ESC}]8;;${ESC}\\`;

/** What a style code sets. Bold and dim are two slots that share one "off" code. */
const OFF = {
  bold: 22,
  dim: 22,
  italic: 23,
  underline: 24,
  blink: 25,
  inverse: 27,
  hidden: 28,
  strikethrough: 29,
  fg: 39,
  bg: 49,
  overline: 55,
  underlineColor: 59,
} as const;
type Slot = keyof typeof OFF;

const ON = new Map<number, Slot>([
  [1, "bold"],
  [2, "dim"],
  [3, "italic"],
  [4, "underline"],
  [5, "blink"],
  [6, "blink"],
  [7, "inverse"],
  [8, "hidden"],
  [9, "strikethrough"],
  [21, "underline"],
  [38, "fg"],
  [48, "bg"],
  [53, "overline"],
  [58, "underlineColor"],
]);
for (let color = 0; color < 8; color++) {
  ON.set(30 + color, "fg").set(90 + color, "fg");
  ON.set(40 + color, "bg").set(100 + color, "bg");
}

/** Follows the styles that are switched on while a text is read from left to right. */
export class StyleState {
  readonly #slots = new Map<Slot, string>();
  #link = "";

  /** Takes in one escape sequence; sequences that are no styles change nothing. */
  apply(sequence: string): void {
    const link = HYPERLINK.exec(sequence);
    if (link) this.#link = link[1] ? sequence : "";
    const sgr = SGR.exec(sequence);
    if (sgr) this.#applyCodes((sgr[1] ?? "").split(";"));
  }

  get hasBackground(): boolean {
    return this.#slots.has("bg");
  }

  /** What to write so that a fresh line looks as the text does here. */
  open(): string {
    const codes = [...this.#slots.values()];
    return (codes.length > 0 ? `${ESC}[${codes.join(";")}m` : "") + this.#link;
  }

  /**
   * What to write so that nothing leaks out of the line. Each style is switched off by its own
   * code: a full reset would also end the background somebody puts around the line.
   */
  close(): string {
    const codes = new Set(Array.from(this.#slots.keys(), (slot) => OFF[slot]));
    const styles = codes.size > 0 ? `${ESC}[${[...codes].join(";")}m` : "";
    return styles + (this.#link ? HYPERLINK_END : "");
  }

  #applyCodes(codes: readonly string[]): void {
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? "";
      const value = Number.parseInt(code || "0", 10);
      if (value === 0) this.#slots.clear();
      const slot = ON.get(value);
      if (!slot) {
        this.#switchOff(value);
        continue;
      }
      const length = code.includes(":") ? 1 : colorLength(value, codes[i + 1]);
      this.#slots.set(slot, codes.slice(i, i + length).join(";"));
      i += length - 1;
    }
  }

  #switchOff(code: number): void {
    for (const slot of this.#slots.keys()) if (OFF[slot] === code) this.#slots.delete(slot);
  }
}

/** How many parameters a colour code takes up: `38;5;n` is three, `38;2;r;g;b` is five. */
function colorLength(code: number, mode: string | undefined): number {
  if (code !== 38 && code !== 48 && code !== 58) return 1;
  if (mode === "5") return 3;
  return mode === "2" ? 5 : 1;
}
