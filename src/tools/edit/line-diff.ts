export interface LineChange {
  kind: "same" | "removed" | "added";
  line: string;
}

/** Above this many differing lines the shortest diff is not worth its memory. */
const MAX_DISTANCE = 1000;

/** The shortest way from one list of lines to the other. */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;

  const oldMiddle = before.slice(head, before.length - tail);
  const newMiddle = after.slice(head, after.length - tail);
  return [
    ...as("same", before.slice(0, head)),
    ...(shortestDiff(oldMiddle, newMiddle) ?? [
      ...as("removed", oldMiddle),
      ...as("added", newMiddle),
    ]),
    ...as("same", before.slice(before.length - tail)),
  ];
}

function as(kind: LineChange["kind"], lines: readonly string[]): LineChange[] {
  return lines.map((line) => ({ kind, line }));
}

/**
 * Myers' algorithm. Diagonal k holds the positions where x - y = k; `reach` is how far along each
 * diagonal one gets with a given number of changes, and the history of it gives the way back.
 */
function shortestDiff(
  before: readonly string[],
  after: readonly string[],
): LineChange[] | undefined {
  const history: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let distance = 0; distance <= MAX_DISTANCE; distance++) {
    history.push(reach);
    const next = new Map<number, number>();
    for (let k = -distance; k <= distance; k += 2) {
      let x = startOn(k, distance, reach);
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      next.set(k, x);
      if (x >= before.length && x - k >= after.length) return wayBack(before, after, history);
    }
    reach = next;
  }
  return undefined;
}

function startOn(k: number, distance: number, reach: ReadonlyMap<number, number>): number {
  return comesFromAbove(k, distance, reach) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
}

function comesFromAbove(k: number, distance: number, reach: ReadonlyMap<number, number>): boolean {
  if (k === -distance) return true;
  return k !== distance && (reach.get(k - 1) ?? 0) < (reach.get(k + 1) ?? 0);
}

function wayBack(
  before: readonly string[],
  after: readonly string[],
  history: readonly ReadonlyMap<number, number>[],
): LineChange[] {
  const changes: LineChange[] = [];
  let x = before.length;
  let y = after.length;
  for (const [distance, reach] of [...history.entries()].reverse()) {
    const k = x - y;
    const added = comesFromAbove(k, distance, reach);
    const start = startOn(k, distance, reach);
    while (x > start) {
      x--;
      y--;
      changes.push({ kind: "same", line: before[x] ?? "" });
    }
    if (distance === 0) break;
    if (added) changes.push({ kind: "added", line: after[--y] ?? "" });
    else changes.push({ kind: "removed", line: before[--x] ?? "" });
  }
  return changes.reverse();
}
