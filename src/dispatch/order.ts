import type { Handler } from "./handler.ts";

export interface Ordered {
  handlers: Handler[];
  /** Handlers whose before/after options contradict each other. Those options are ignored. */
  cycles: Handler[][];
}

type Waiting = Map<Handler, Set<Handler>>;

/**
 * Handlers in the order they run. `handlers` comes in the order of the extensions and of
 * registration; before/after move a handler as little as needed, the same way on every machine.
 */
export function inOrder(handlers: readonly Handler[]): Ordered {
  if (handlers.every((h) => h.before.length === 0 && h.after.length === 0)) {
    return { handlers: [...handlers], cycles: [] };
  }
  const waiting: Waiting = new Map(handlers.map((h) => [h, mustRunBefore(h, handlers)]));
  const cycles: Handler[][] = [];
  for (let cycle = findCycle(waiting); cycle; cycle = findCycle(waiting)) {
    cycles.push(cycle);
    for (const handler of cycle) {
      for (const other of cycle) waiting.get(handler)?.delete(other);
    }
  }
  const result: Handler[] = [];
  for (;;) {
    const next = [...waiting].find(([, earlier]) => earlier.size === 0)?.[0];
    if (!next) break;
    waiting.delete(next);
    result.push(next);
    for (const earlier of waiting.values()) earlier.delete(next);
  }
  return { handlers: result, cycles };
}

function mustRunBefore(handler: Handler, handlers: readonly Handler[]): Set<Handler> {
  const { name } = handler.owner;
  return new Set(
    handlers.filter(
      (other) =>
        other.owner.name !== name &&
        (handler.after.includes(other.owner.name) || other.before.includes(name)),
    ),
  );
}

/** Handlers that wait for each other in a circle, in the order they were registered in. */
function findCycle(waiting: Waiting): Handler[] | undefined {
  const harmless = new Set<Handler>();
  const search = (handler: Handler, path: readonly Handler[]): readonly Handler[] | undefined => {
    const start = path.indexOf(handler);
    if (start >= 0) return path.slice(start);
    if (harmless.has(handler)) return undefined;
    for (const earlier of waiting.get(handler) ?? []) {
      const found = search(earlier, [...path, handler]);
      if (found) return found;
    }
    harmless.add(handler);
    return undefined;
  };
  for (const handler of waiting.keys()) {
    const members = search(handler, []);
    if (members) return [...waiting.keys()].filter((one) => members.includes(one));
  }
  return undefined;
}
