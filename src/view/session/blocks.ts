import { isRecord } from "../../values/index.ts";

/** A picture inside a line of a transcript. */
export interface Picture {
  readonly mime: string;
  /** Base64. */
  readonly data: string;
}

export interface Blocks {
  readonly pictures: readonly Picture[];
  /** The change that a tool says it made, as hunks with line numbers. */
  readonly patch?: readonly PatchHunk[];
}

export interface PatchHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** Deeper than any agent nests what a person sees. */
const DEEPEST = 8;
const MOST_PICTURES = 50;
/** What browsers show in an <img> and what holds no script. */
const MIME = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;
const DATA_URL = /^data:(image\/[a-z]+);base64,/;

/**
 * What a line holds beside what its agent's reader tells: pictures and hunks. Agents write
 * them in a handful of shapes that mean the same wherever they stand, so they are looked for by shape.
 */
export function blocksIn(line: unknown): Blocks {
  const pictures: Picture[] = [];
  let patch: PatchHunk[] | undefined;
  const look = (value: unknown, depth: number): void => {
    if (depth > DEEPEST || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) look(one, depth + 1);
      return;
    }
    if (!isRecord(value)) return;
    const picture = pictures.length < MOST_PICTURES ? pictureOf(value) : undefined;
    if (picture) {
      pictures.push(picture);
      return;
    }
    patch ??= hunksOf(value.structuredPatch);
    for (const [key, one] of Object.entries(value)) {
      if (typeof one === "object" && !NOT_SAID.has(key)) look(one, depth + 1);
    }
  };
  look(line, 0);
  return { pictures: unique(pictures), ...(patch && { patch }) };
}

/** What a tool was given or keeps for itself: nobody said or showed it. */
const NOT_SAID = new Set([
  "structuredPatch",
  "input",
  "arguments",
  "args",
  "originalFile",
  "usage",
]);

function pictureOf(value: Readonly<Record<string, unknown>>): Picture | undefined {
  const { type, source, data, mimeType, image_url, url } = value;
  if (type === "image" && isRecord(source)) return pictured(source.media_type, source.data);
  if (typeof data === "string" && typeof mimeType === "string") return pictured(mimeType, data);
  const address = isRecord(image_url) ? image_url.url : (image_url ?? url);
  if (typeof address !== "string") return undefined;
  const mime = DATA_URL.exec(address.slice(0, 64))?.[1];
  return mime === undefined ? undefined : pictured(mime, address.slice(address.indexOf(",") + 1));
}

function pictured(mime: unknown, data: unknown): Picture | undefined {
  if (typeof mime !== "string" || typeof data !== "string" || !MIME.test(mime)) return undefined;
  return { mime, data };
}

/** Some agents write a result twice on one line. */
function unique(pictures: readonly Picture[]): Picture[] {
  return [...new Map(pictures.map((one) => [one.data, one])).values()];
}

function hunksOf(value: unknown): PatchHunk[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const hunks = value.filter(isHunk);
  return hunks.length === value.length ? hunks : undefined;
}

function isHunk(value: unknown): value is PatchHunk {
  if (!isRecord(value)) return false;
  const { oldStart, oldLines, newStart, newLines, lines } = value;
  const numbers = [oldStart, oldLines, newStart, newLines];
  return (
    numbers.every((one) => typeof one === "number") &&
    Array.isArray(lines) &&
    lines.every((one) => typeof one === "string")
  );
}
