/** What a graph is drawn of. */
export interface GraphTask {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly group?: string;
}

export interface PlacedTask<T> {
  readonly task: T;
  readonly x: number;
  readonly y: number;
}

export interface Graph<T> {
  readonly nodes: readonly PlacedTask<T>[];
  /** Paths from one task to the next, for an SVG. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 208, height: 62 } as const;
const GAP = { x: 44, y: 14 } as const;

/** From left to right: a task stands in a column after all that it depends on. */
export function layOut<T extends GraphTask>(tasks: readonly T[]): Graph<T> {
  const column = columnsOf(tasks);
  const rows = new Map<number, number>();
  const nodes = tasks.map((task): PlacedTask<T> => {
    const at = column.get(task.id) ?? 0;
    const row = rows.get(at) ?? 0;
    rows.set(at, row + 1);
    return { task, x: at * (NODE.width + GAP.x), y: row * (NODE.height + GAP.y) };
  });
  const placed = new Map(nodes.map((node) => [node.task.id, node]));
  const edges = tasks.flatMap((task) =>
    arrowsTo(task, tasks).flatMap((from) => {
      const [start, end] = [placed.get(from), placed.get(task.id)];
      return start && end ? [{ from, to: task.id, path: pathOf(start, end) }] : [];
    }),
  );
  const across = Math.max(0, ...nodes.map(({ x }) => x + NODE.width));
  const down = Math.max(0, ...nodes.map(({ y }) => y + NODE.height));
  return { nodes, edges, width: across, height: down };
}

/** A group stands for its tasks: who waits for it waits for them. */
function arrowsTo(task: GraphTask, tasks: readonly GraphTask[]): string[] {
  const found = task.dependsOn.flatMap((id) => {
    const inside = tasks.filter((one) => one.group === id && one.id !== task.id);
    const isOwn = task.group === id;
    return isOwn || inside.length === 0 ? [id] : lastOf(inside);
  });
  return [...new Set(found)];
}

/** Those of a group that nobody else of the group waits for. */
function lastOf(group: readonly GraphTask[]): string[] {
  const waited = new Set(group.flatMap(({ dependsOn }) => dependsOn));
  return group.filter(({ id }) => !waited.has(id)).map(({ id }) => id);
}

function columnsOf(tasks: readonly GraphTask[]): Map<string, number> {
  const known = new Map<string, number>();
  const busy = new Set<string>();
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const visit = (task: GraphTask): number => {
    const before = known.get(task.id);
    // A circle cannot be in a graph that was checked; it must not hang the page either.
    if (before !== undefined || busy.has(task.id)) return before ?? 0;
    busy.add(task.id);
    const at = Math.max(
      -1,
      ...arrowsTo(task, tasks).map((id) => {
        const one = byId.get(id);
        return one ? visit(one) : -1;
      }),
    );
    known.set(task.id, at + 1);
    return at + 1;
  };
  for (const task of tasks) visit(task);
  return known;
}

function pathOf(start: PlacedTask<unknown>, end: PlacedTask<unknown>): string {
  const [x1, y1] = [start.x + NODE.width, start.y + NODE.height / 2];
  const [x2, y2] = [end.x, end.y + NODE.height / 2];
  const bend = Math.max(GAP.x / 2, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
