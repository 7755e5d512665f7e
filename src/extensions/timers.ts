import { promisify } from "node:util";
import { runAs } from "../dispatch/index.ts";

type Run = (...args: unknown[]) => unknown;

/** Timers whose failures are reported instead of ending the process, and that can all be cleared. */
export interface ContainedTimers {
  setTimeout: (run: Run, ms?: number, ...args: unknown[]) => NodeJS.Timeout;
  setInterval: (run: Run, ms?: number, ...args: unknown[]) => NodeJS.Timeout;
  setImmediate: (run: Run, ...args: unknown[]) => NodeJS.Immediate;
  queueMicrotask: (run: () => unknown) => void;
  /** Clears everything that is still to come, for good. */
  clear(): void;
}

export function containTimers(
  owner: { readonly name: string; readonly path: string },
  failed: (thrown: unknown) => void,
): ContainedTimers {
  const running = new Set<NodeJS.Timeout | NodeJS.Immediate>();
  let closed = false;

  const call = (run: Run, args: unknown[]) => {
    // A timer that was set after the end of the extension.
    if (closed) return;
    try {
      const returned = runAs(owner, "a timer", () => run(...args));
      if (returned instanceof Promise) returned.catch(failed);
    } catch (thrown) {
      failed(thrown);
    }
  };

  const contain = (run: Run, done?: () => void): Run => {
    // Node's own error for a callback that is not a function is the clearest one.
    if (typeof run !== "function") return run;
    return (...args) => {
      done?.();
      // Not in the timer itself: a callback that never returns would take all timers with it.
      queueMicrotask(() => call(run, args));
    };
  };

  const timers: ContainedTimers = {
    setTimeout: (run, ms, ...args) => {
      const done = () => running.delete(timer);
      const timer = setTimeout(contain(run, done), ms, ...args);
      running.add(timer);
      return timer;
    },
    setInterval: (run, ms, ...args) => {
      const end = () => {
        if (closed) clearInterval(timer);
      };
      const timer = setInterval(contain(run, end), ms, ...args);
      running.add(timer);
      return timer;
    },
    setImmediate: (run, ...args) => {
      const done = () => running.delete(timer);
      const timer = setImmediate(contain(run, done), ...args);
      running.add(timer);
      return timer;
    },
    // Node's own error again.
    queueMicrotask: (run) => queueMicrotask(typeof run === "function" ? () => call(run, []) : run),
    clear: () => {
      closed = true;
      for (const timer of running) {
        clearTimeout(timer as NodeJS.Timeout);
        clearImmediate(timer as NodeJS.Immediate);
      }
      running.clear();
    },
  };
  keepPromisified(timers.setTimeout, setTimeout);
  keepPromisified(timers.setImmediate, setImmediate);
  return timers;
}

/** `promisify(setTimeout)` must go on working inside extensions. */
function keepPromisified(ours: object, original: object): void {
  const custom: unknown = Reflect.get(original, promisify.custom);
  Object.defineProperty(ours, promisify.custom, { value: custom });
}
