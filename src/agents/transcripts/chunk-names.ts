/** Name of a piece of a transcript: the first has the base name, the others `.001`, `.002` … */
export function chunkFileName(base: string, index: number): string {
  return index === 0 ? base : `${base}.${String(index).padStart(3, "0")}`;
}

/** Which piece a file is; -1 if it is none of this base. */
export function parseChunkIndex(name: string, base: string): number {
  if (name === base) return 0;
  if (!name.startsWith(`${base}.`)) return -1;
  const suffix = name.slice(base.length + 1);
  const index = /^\d{3,15}$/.test(suffix) ? Number(suffix) : -1;
  // Every piece has one name only: .0001 is not how the first one is called.
  return index > 0 && chunkFileName(base, index) === name ? index : -1;
}

/** The pieces among some files, in their order. */
export function sortChunkFiles(names: readonly string[], base: string): string[] {
  return names
    .map((name) => ({ name, index: parseChunkIndex(name, base) }))
    .filter(({ index }) => index >= 0)
    .sort((a, b) => a.index - b.index)
    .map(({ name }) => name);
}
