import { isBefore, parseKey } from "./piece-key.ts";
import type { Piece } from "./pieces.ts";
import type { PageWish, PiecesPage } from "./source.ts";

export const NOTHING: PiecesPage = {
  pieces: [],
  results: new Map(),
  hasBefore: false,
  hasAfter: false,
};

/** A page of pieces that are all in memory; without what came back from their calls. */
export function pageOf(all: readonly Piece[], wish: PageWish): PiecesPage {
  const start = startOf(all, wish);
  const pieces = all.slice(start, start + wish.limit);
  return {
    pieces,
    results: new Map(),
    hasBefore: start > 0,
    hasAfter: start + pieces.length < all.length,
    total: all.length,
    from: start,
  };
}

function startOf(all: readonly Piece[], wish: PageWish): number {
  const { before, after, around, at, line, limit } = wish;
  const last = Math.max(0, all.length - limit);
  if (at !== undefined) return Math.max(0, Math.min(at, all.length));
  if (line !== undefined) {
    const found = all.findIndex((piece) => (piece.line ?? -1) >= line);
    const index = found === -1 ? all.length : found;
    return Math.max(0, Math.min(index - Math.ceil(limit / 2), last));
  }
  const key = before ?? after ?? around;
  const place = key === undefined ? undefined : parseKey(key);
  if (!place) return last;
  const found = all.findIndex((piece) => !isBefore(piece, place));
  const index = found === -1 ? all.length : found;
  if (before !== undefined) return Math.max(0, index - limit);
  if (around !== undefined) return Math.max(0, Math.min(index - Math.ceil(limit / 2), last));
  const isIt = all[index]?.offset === place.offset && all[index]?.n === place.n;
  return isIt ? index + 1 : index;
}
