/** Code of an extension: which one's, and what it is for. */
export interface RunningCode {
  readonly name: string;
  readonly path: string;
  /** The event, or what else it is: "tool deploy", "/todo", "a timer". */
  readonly what: string;
}

const codes: RunningCode[] = [];
const slots = new Map<string, number>();
const listeners = new Set<(slot: number, code: RunningCode) => void>();

/**
 * Whose code has this thread: the number of a slot, 0 if nobody's. A single number in shared
 * memory, so that another thread can look while this one does not answer. One per thread: an
 * extension that never yields is alone with it.
 */
export const running = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Slots beyond this are not counted: nobody has so many. */
const MOST_SLOTS = 8_192;

/**
 * How many calls of each slot have not settled yet. What holds the thread after an `await` runs as
 * nobody; these are the ones it may be. In shared memory for the same reason.
 */
export const unsettled = new Int32Array(
  new SharedArrayBuffer(MOST_SLOTS * Int32Array.BYTES_PER_ELEMENT),
);

/** A call returned a promise. */
export function awaits(slot: number): void {
  unsettled[slot] = (unsettled[slot] ?? 0) + 1;
}

/** That promise settled. */
export function settles(slot: number): void {
  unsettled[slot] = (unsettled[slot] ?? 0) - 1;
}

/** The slot of a piece of code. The same again for the same code, also after a reload. */
export function slotOf({ name, path }: { name: string; path: string }, what: string): number {
  const key = `${path}\n${what}`;
  const known = slots.get(key);
  if (known !== undefined) return known;
  const code = { name, path, what };
  const slot = codes.push(code);
  slots.set(key, slot);
  for (const listener of listeners) listener(slot, code);
  return slot;
}

/** What a slot stands for. */
export function codeIn(slot: number): RunningCode | undefined {
  return codes[slot - 1];
}

/** Calls the listener with all slots and every new one, for a thread that sees only numbers. */
export function onSlot(listener: (slot: number, code: RunningCode) => void): () => void {
  for (const [index, code] of codes.entries()) listener(index + 1, code);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Measures what a handler costs: it is told when each call begins, and when it ends or first
 * awaits.
 */
export interface CallMeter {
  /** Is told before anything of an extension's runs, also of what is not measured. */
  enters?(slot: number): void;
  begins(): void;
  ends(slot: number): void;
}

/** One per thread. Nobody measures unless somebody asks for it. */
export const metering: { meter?: CallMeter } = {};

/** Runs something of an extension's and says so meanwhile; after an await, that it has not settled. */
export function runAs<T>(
  owner: { readonly name: string; readonly path: string },
  what: string,
  run: () => T,
): T {
  const before = running[0] ?? 0;
  const slot = slotOf(owner, what);
  running[0] = slot;
  metering.meter?.enters?.(slot);
  try {
    const returned = run();
    if (returned instanceof Promise) {
      awaits(slot);
      const done = () => settles(slot);
      returned.then(done, done);
    }
    return returned;
  } finally {
    running[0] = before;
  }
}
