import type { HLJSApi } from "highlight.js";
import { FILE_LANGUAGES } from "../../host/index.ts";
import { safeText, type Theme, type ThemeColor } from "../../terminal/index.ts";

/** What the classes of the highlighter are drawn as. */
const COLORS: Readonly<Record<string, ThemeColor>> = {
  comment: "syntaxComment",
  quote: "syntaxComment",
  doctag: "syntaxComment",
  keyword: "syntaxKeyword",
  "selector-tag": "syntaxKeyword",
  literal: "syntaxNumber",
  number: "syntaxNumber",
  string: "syntaxString",
  regexp: "syntaxString",
  char: "syntaxString",
  title: "syntaxFunction",
  section: "syntaxFunction",
  function: "syntaxFunction",
  name: "syntaxFunction",
  type: "syntaxType",
  class: "syntaxType",
  built_in: "syntaxType",
  attr: "syntaxVariable",
  attribute: "syntaxVariable",
  variable: "syntaxVariable",
  params: "syntaxVariable",
  property: "syntaxVariable",
  symbol: "syntaxVariable",
  operator: "syntaxOperator",
  punctuation: "syntaxPunctuation",
  meta: "syntaxComment",
  addition: "toolDiffAdded",
  deletion: "toolDiffRemoved",
};

/** Longer code is drawn in one colour: reading it anew with every word would take too long. */
const MOST_CHARS = 20_000;

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** Colours code. What does it is loaded with the first code there is. */
export class Highlighter {
  readonly #onLoaded: () => void;
  #engine: HLJSApi | undefined;
  #isLoading = false;

  constructor(onLoaded: () => void) {
    this.#onLoaded = onLoaded;
  }

  /** The lines of some code. Of a language that is not known, they have one colour. */
  lines(code: string, language: string | undefined, theme: Theme): string[] {
    const text = safeText(code);
    const plain = () => text.split("\n").map((line) => theme.fg("mdCodeBlock", line));
    if (language === undefined || text.length > MOST_CHARS) return plain();
    const engine = this.#engine;
    if (!engine) {
      void this.#load();
      return plain();
    }
    if (!engine.getLanguage(language)) return plain();
    try {
      return painted(engine.highlight(text, { language, ignoreIllegals: true }).value, theme);
    } catch {
      // Some grammars give up on code that is half there.
      return plain();
    }
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#engine = (await import("highlight.js/lib/common")).default;
    this.#onLoaded();
  }
}

/**
 * Turns the marks of the highlighter into colours. A colour ends with its line and begins again on
 * the next.
 */
function painted(html: string, theme: Theme): string[] {
  const open: (ThemeColor | undefined)[] = [];
  const lines = [""];
  for (const part of html.split(/(<span class="[^"]*">|<\/span>)/)) {
    const opens = /^<span class="hljs-([^"\s]*)/.exec(part);
    if (opens) open.push(COLORS[(opens[1] ?? "").replace(/_$/, "")] ?? open.at(-1));
    else if (part === "</span>") open.pop();
    else {
      const color = open.findLast((one) => one !== undefined);
      const text = part.replace(
        /&(?:amp|lt|gt|quot|#x27);/g,
        (entity) => ENTITIES[entity] ?? entity,
      );
      for (const [index, piece] of text.split("\n").entries()) {
        if (index > 0) lines.push("");
        if (piece === "") continue;
        lines[lines.length - 1] += color ? theme.fg(color, piece) : piece;
      }
    }
  }
  return lines;
}

/** The language of a file, told by the end of its name. */
export function languageOf(path: string): string | undefined {
  return FILE_LANGUAGES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];
}
