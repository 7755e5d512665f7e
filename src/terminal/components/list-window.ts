/** Which rows of a long list are shown so that the selected one stays near the middle. */
export function listWindow(
  selected: number,
  total: number,
  maxVisible: number,
): { start: number; end: number } {
  const size = Math.max(1, maxVisible);
  const start = Math.max(0, Math.min(selected - Math.floor(size / 2), total - size));
  return { start, end: Math.min(start + size, total) };
}

/** The next row in a direction; past an end the other end follows. */
export function wrapAround(selected: number, step: number, total: number): number {
  return total === 0 ? 0 : (selected + step + total) % total;
}
