/** A run of text that a terminal would show alike. `classes` are names of the style sheet. */
export interface AnsiRun {
  readonly text: string;
  readonly classes: string;
}

interface Look {
  ink?: number;
  paper?: number;
  isBold?: boolean;
  isDim?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isInverse?: boolean;
}

const ESC = "\x1b";
/** A sequence that sets something, with its parameters and its last letter; a title; any other. */
const ESCAPE = new RegExp(
  `${ESC}(?:\\[([0-9;:?]*)[ -/]*([@-~])|\\][^\x07${ESC}]*(?:\x07|${ESC}\\\\)?|[ -/]+[0-~]|[0-Z\\\\-~])`,
  "g",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that show nothing.
const INVISIBLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const PLAIN: Readonly<Look> = {};

/** The 16 colours that have a name in the style sheet, as terminals usually show them. */
const PALETTE: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

/** Text as a terminal shows it: colours as runs, everything else that steers a terminal left out. */
export function ansiRuns(text: string): AnsiRun[] {
  const runs: AnsiRun[] = [];
  let look: Look = { ...PLAIN };
  let at = 0;
  const put = (piece: string) => {
    const shown = piece.replace(INVISIBLE, "");
    if (shown) runs.push({ text: shown, classes: classesOf(look) });
  };
  const drawn = overwritten(text);
  for (const match of drawn.matchAll(ESCAPE)) {
    put(drawn.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") look = changed(look, match[1] ?? "");
  }
  put(drawn.slice(at));
  return runs;
}

/** The same text without anything that steers a terminal. */
export function withoutAnsi(text: string): string {
  return ansiRuns(text)
    .map((run) => run.text)
    .join("");
}

/** A progress bar draws one line again and again: what it drew last is what counts. */
function overwritten(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => {
      const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
      return whole.slice(whole.lastIndexOf("\r") + 1);
    })
    .join("\n");
}

function changed(before: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number);
  let look: Look = { ...before };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extendedColour(codes, at + 1);
      if (colour !== undefined) look[code === 38 ? "ink" : "paper"] = colour;
      at += used;
    } else look = code === 0 ? {} : simple(look, code);
  }
  return look;
}

function simple(look: Look, code: number): Look {
  if (code >= 30 && code <= 37) return { ...look, ink: code - 30 };
  if (code >= 90 && code <= 97) return { ...look, ink: code - 82 };
  if (code >= 40 && code <= 47) return { ...look, paper: code - 40 };
  if (code >= 100 && code <= 107) return { ...look, paper: code - 92 };
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 3) return { ...look, isItalic: true };
  if (code === 4) return { ...look, isUnderlined: true };
  if (code === 7) return { ...look, isInverse: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 23) return { ...look, isItalic: false };
  if (code === 24) return { ...look, isUnderlined: false };
  if (code === 27) return { ...look, isInverse: false };
  const { ink: _ink, ...inkless } = look;
  const { paper: _paper, ...paperless } = look;
  return code === 39 ? inkless : code === 49 ? paperless : look;
}

/** One of 256 colours or any colour at all, as the nearest that the style sheet has. */
function extendedColour(codes: readonly number[], at: number): [number | undefined, number] {
  if (codes[at] === 5) return [fromTable(codes[at + 1] ?? 0), 2];
  if (codes[at] !== 2) return [undefined, 1];
  return [nearest(codes[at + 1] ?? 0, codes[at + 2] ?? 0, codes[at + 3] ?? 0), 4];
}

function fromTable(index: number): number {
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return nearest(grey, grey, grey);
  }
  const part = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  const cube = index - 16;
  return nearest(part(Math.floor(cube / 36)), part(Math.floor(cube / 6) % 6), part(cube % 6));
}

function nearest(red: number, green: number, blue: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  PALETTE.forEach(([r, g, b], index) => {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

function classesOf(look: Look): string {
  const names: string[] = [];
  const [ink, paper] = look.isInverse ? [look.paper ?? 7, look.ink ?? 0] : [look.ink, look.paper];
  if (ink !== undefined) names.push(`ink-${ink}`);
  if (paper !== undefined) names.push(`paper-${paper}`);
  if (look.isBold) names.push("ansi-bold");
  if (look.isDim) names.push("ansi-dim");
  if (look.isItalic) names.push("ansi-italic");
  if (look.isUnderlined) names.push("ansi-underline");
  return names.join(" ");
}
