interface Node {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/** Everything that has to end before a node can start; also itself if it waits for itself. */
export function ancestorsOf(id: string, nodes: readonly Node[]): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = new Set<string>();
  const open = [...(byId.get(id)?.dependsOn ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(byId.get(next)?.dependsOn ?? []));
  }
  return found;
}

/** Nodes that wait for each other, in the order of their arrows and ending with the first again. */
export function cycleIn(nodes: readonly Node[]): string[] | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const free = new Set<string>();
  for (const start of byId.keys()) {
    const path: string[] = [];
    const tries: string[][] = [[start]];
    while (tries.length > 0) {
      const id = tries.at(-1)?.pop();
      if (id === undefined) {
        tries.pop();
        const left = path.pop();
        if (left !== undefined) free.add(left);
        continue;
      }
      if (free.has(id)) continue;
      const at = path.indexOf(id);
      if (at >= 0) return [...path.slice(at), id];
      path.push(id);
      tries.push((byId.get(id)?.dependsOn ?? []).filter((one) => byId.has(one)));
    }
  }
  return undefined;
}

/** What a loop runs again: everything on a way from where it goes back to, to its last task. */
export function loopMembers(last: string, backTo: string, nodes: readonly Node[]): Set<string> {
  const before = ancestorsOf(last, nodes);
  const between = [...before].filter((id) => id === backTo || ancestorsOf(id, nodes).has(backTo));
  return new Set([...between, last]);
}
