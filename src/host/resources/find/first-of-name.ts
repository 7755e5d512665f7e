import type { ResourceProblem } from "./problem.ts";

/** Keeps the first of each name and says which others are hidden by it. */
export function firstOfName<T extends { name: string }>(
  all: readonly T[],
  pathOf: (item: T) => string,
  problems: ResourceProblem[],
): T[] {
  const byName = new Map<string, T>();
  for (const item of all) {
    const first = byName.get(item.name);
    if (!first) byName.set(item.name, item);
    else {
      const message = `"${item.name}" is taken already by ${pathOf(first)}, which comes first.`;
      problems.push({ path: pathOf(item), message });
    }
  }
  return [...byName.values()];
}
