import type { Handler } from "./handler.ts";

export interface Ordered {
  handlers: Handler[];
  /** Names whose before/after options contradict each other. Their options are ignored. */
  cycle?: string[];
}

/**
 * Handlers in the order they run. `handlers` comes in the order of the extensions and of
 * registration; before/after move a handler as little as needed, the same way on every machine.
 */
export function inOrder(handlers: readonly Handler[]): Ordered {
  if (handlers.every((h) => h.before.length === 0 && h.after.length === 0)) {
    return { handlers: [...handlers] };
  }
  const mustFollow = handlers.map((handler) => {
    const earlier = new Set<Handler>();
    for (const other of handlers) {
      if (other === handler || other.owner.name === handler.owner.name) continue;
      if (handler.after.includes(other.owner.name)) earlier.add(other);
      if (other.before.includes(handler.owner.name)) earlier.add(other);
    }
    return { handler, earlier };
  });

  const result: Handler[] = [];
  const waiting = [...mustFollow];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ earlier }) => earlier.size === 0);
    if (next < 0) {
      const cycle = [...new Set(waiting.map(({ handler }) => handler.owner.name))];
      return { handlers: [...handlers], cycle };
    }
    const [ready] = waiting.splice(next, 1);
    if (!ready) break;
    result.push(ready.handler);
    for (const { earlier } of waiting) earlier.delete(ready.handler);
  }
  return { handlers: result };
}
