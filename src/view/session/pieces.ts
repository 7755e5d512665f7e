import { type TranscriptEntry, textOf } from "../../agents/index.ts";
import { messageOf } from "../../errors/index.ts";
import { isRecord } from "../../values/index.ts";
import { type Blocks, blocksIn, type PatchHunk, type Picture } from "./blocks.ts";

interface PieceBase {
  /** Where its line begins, and the how-manieth of that line it is. */
  readonly offset: number;
  readonly n: number;
  readonly line?: number;
  readonly at?: string;
  readonly child?: string;
  readonly pictures?: readonly Picture[];
}

/** One thing on a line of a transcript. A result is a piece of its own: its call came before it. */
export type Piece =
  | (PieceBase & {
      readonly kind: "prompt" | "answer" | "thinking";
      readonly text: string;
      readonly entry?: TranscriptEntry;
    })
  | (PieceBase & { readonly kind: "interrupted" })
  | (PieceBase & { readonly kind: "call"; readonly entry: TranscriptEntry })
  | (PieceBase & { readonly kind: "compaction" })
  | (PieceBase & { readonly kind: "unknown"; readonly what: string; readonly raw: string })
  | (PieceBase & {
      readonly kind: "result";
      readonly entry: TranscriptEntry;
      readonly patch?: readonly PatchHunk[];
    });

export interface Place {
  readonly offset: number;
  readonly line?: number;
}

/** What a line says that could be read. `decoded` is the line as its format decodes it. */
export function piecesOf(
  decoded: unknown,
  entries: readonly TranscriptEntry[],
  place: Place,
): Piece[] {
  if (entries.length === 0) return [unknownPiece("a line of no known kind", decoded, place)];
  const hasBlocks = isRecord(decoded) && entries.some(isSaid);
  const blocks: Blocks = hasBlocks ? blocksIn(decoded) : NONE;
  const pieces: Piece[] = [];
  const base = (entry: TranscriptEntry | undefined) => ({
    ...place,
    n: pieces.length,
    ...(entry?.at !== undefined && { at: entry.at }),
    ...(entry?.inSubagent !== undefined && { child: entry.inSubagent }),
  });
  let pictures = blocks.pictures;
  const takePictures = () => {
    const taken = pictures.length > 0 ? { pictures } : {};
    pictures = [];
    return taken;
  };
  for (const entry of entries) {
    const { thinking } = entry;
    if (thinking !== undefined) {
      pieces.push({ ...base(entry), kind: "thinking", text: thinking });
    }
    if (entry.interrupts) pieces.push({ ...base(entry), kind: "interrupted" });
    else if (entry.kind === "user" && entry.text !== undefined) {
      pieces.push({ ...base(entry), kind: "prompt", text: entry.text, entry, ...takePictures() });
    } else if (entry.kind === "assistant" && entry.text !== undefined) {
      pieces.push({ ...base(entry), kind: "answer", text: entry.text, entry, ...takePictures() });
    } else if (entry.kind === "tool_call") {
      pieces.push({ ...base(entry), kind: "call", entry });
    } else if (entry.kind === "tool_result") {
      const patch = blocks.patch && { patch: blocks.patch };
      pieces.push({ ...base(entry), kind: "result", entry, ...patch, ...takePictures() });
    } else if (entry.kind === "compaction") {
      pieces.push({ ...base(entry), kind: "compaction" });
    }
  }
  return pieces;
}

/** A line that its format could not read. */
export function brokenPiece(raw: string, error: unknown, place: Place): Piece {
  return { ...place, n: 0, kind: "unknown", what: `a broken line: ${messageOf(error)}`, raw };
}

const NONE: Blocks = { pictures: [] };
const isSaid = ({ kind }: TranscriptEntry) =>
  kind === "user" || kind === "assistant" || kind === "tool_result";

function unknownPiece(what: string, decoded: unknown, place: Place): Piece {
  const raw = typeof decoded === "string" ? decoded : JSON.stringify(decoded);
  return { ...place, n: 0, kind: "unknown", what, raw: raw ?? "" };
}

/** The text of what came back from a tool. */
export function resultText({ tool }: TranscriptEntry): string {
  const { about, output } = tool ?? {};
  if (about !== undefined) return about;
  const text = textOf(output);
  if (text !== undefined) return text;
  if (output === undefined || output === null) return "";
  if (Array.isArray(output) && output.every(isPictureBlock)) return "";
  return typeof output === "string" ? output : JSON.stringify(output, null, 2);
}

const isPictureBlock = (block: unknown) => isRecord(block) && block.type === "image";
