/**
 * What extensions hold outside of the heap: Buffers, for the most part. No limit of Node's covers it,
 * so it is looked at after everything they were told, and now and then.
 */
import { getHeapStatistics } from "node:v8";
import { codeIn, metering } from "../../dispatch/index.ts";

const MB = 1024 * 1024;
const MOST_MB = 512;

const grownBySeat = new Map<number, number>();
const grownBySlot = new Map<number, number>();

function outside(): number {
  return getHeapStatistics().external_memory;
}

/** Measures from now on in whose handlers the memory outside of V8 grows. `enters`: is told of each. */
export function meterHandlers(enters?: (slot: number) => void): void {
  const begun: number[] = [];
  metering.meter = {
    ...(enters && { enters }),
    begins: () => begun.push(outside()),
    ends: (slot) => add(grownBySlot, slot, outside() - (begun.pop() ?? 0)),
  };
}

/** Runs something of a session's, and notes by how much it grew meanwhile. */
export async function meterSeat(seat: number, run: () => Promise<void>): Promise<void> {
  const before = outside();
  try {
    await run();
  } finally {
    add(grownBySeat, seat, outside() - before);
  }
}

export function forgetSeat(seat: number): void {
  grownBySeat.delete(seat);
}

/** Whose it is, if it is too much. */
export function tooMuchOutside(): { by: number; path: string | undefined; mb: number } | undefined {
  const bytes = outside();
  if (bytes < MOST_MB * MB) return undefined;
  const seat = largest(grownBySeat);
  const slot = largest(grownBySlot);
  // A handler is named only if it was seen to take most of the memory: after an await nobody knows.
  const isClear = slot !== undefined && slot[1] > bytes / 2;
  return {
    by: seat?.[0] ?? 0,
    path: isClear ? codeIn(slot[0])?.path : undefined,
    mb: Math.round(bytes / MB),
  };
}

function add(grown: Map<number, number>, key: number, bytes: number): void {
  if (bytes !== 0) grown.set(key, Math.max(0, (grown.get(key) ?? 0) + bytes));
}

function largest(grown: ReadonlyMap<number, number>): [number, number] | undefined {
  const [first] = [...grown].sort((a, b) => b[1] - a[1]);
  return first;
}
