/**
 * Whose code has this thread. Several sessions' extensions share it: what a thread has only one of
 * (its folder, its environment) each of them sees as its own.
 */
import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { MARK_BEGUN, MARK_SEAT, MARKS } from "./protocol.ts";

/** One session's place in the thread. */
export interface SeatPlace {
  readonly seat: number;
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  /** The question that its extensions are deciding about, while they do. */
  readonly deciding?: number;
}

/** Whether somebody would see a question of an extension. */
export const attendance = { isAttended: false };

/** Readable by the daemon also while this thread does not answer. */
export const marks = new Int32Array(new SharedArrayBuffer(MARKS * Int32Array.BYTES_PER_ELEMENT));

const places = new AsyncLocalStorage<SeatPlace>();
let latest: SeatPlace | undefined;

// Also after an await or in a callback of Node's the daemon can tell whose code does not come back.
createHook({
  before: () => {
    marks[MARK_SEAT] = places.getStore()?.seat ?? 0;
  },
}).enable();

/** Runs something for a session, and all that comes of it. */
export function runFor<T>(place: SeatPlace, run: () => T): T {
  const before = marks[MARK_SEAT] ?? 0;
  marks[MARK_SEAT] = place.seat;
  latest = place;
  try {
    return places.run(place, run);
  } finally {
    marks[MARK_SEAT] = before;
  }
}

export function noteBegun(id: number): void {
  marks[MARK_BEGUN] = id;
}

/** Where Node has lost track of who is behind a callback, it is most likely the one that came last. */
export function currentPlace(): SeatPlace | undefined {
  return places.getStore() ?? latest;
}

/** Gives every session its own folder and environment, as far as code asks for them through `process`. */
export function divideProcess(): void {
  const { cwd } = process;
  process.cwd = () => currentPlace()?.cwd ?? cwd();
  const own = process.env;
  const env = () => currentPlace()?.env ?? own;
  process.env = new Proxy(own, {
    get: (_, name) => Reflect.get(env(), name),
    // As Node does it.
    set: (_, name, value) => Reflect.set(env(), name, String(value)),
    has: (_, name) => Reflect.has(env(), name),
    deleteProperty: (_, name) => Reflect.deleteProperty(env(), name),
    ownKeys: () => Reflect.ownKeys(env()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(env(), name),
    defineProperty: (_, name, attributes) => Reflect.defineProperty(env(), name, attributes),
  });
}
