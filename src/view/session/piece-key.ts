import type { Piece } from "./pieces.ts";

/** Names a piece for as long as its transcript only grows. */
export function keyOf({ offset, n }: Pick<Piece, "offset" | "n">): string {
  return `${offset}.${n}`;
}

export function parseKey(key: string): { readonly offset: number; readonly n: number } | undefined {
  const [, offset, n] = /^(\d{1,15})\.(\d{1,6})$/.exec(key) ?? [];
  return offset === undefined ? undefined : { offset: Number(offset), n: Number(n) };
}

/** Whether a piece comes before a place. */
export function isBefore(
  piece: Pick<Piece, "offset" | "n">,
  place: { offset: number; n: number },
): boolean {
  return piece.offset < place.offset || (piece.offset === place.offset && piece.n < place.n);
}
