import { environment } from "./environment.ts";

/** Whether everything is wanted: `npm run test:full` says so, and nothing else does. */
export const isFull = environment.SEAM_TEST_FULL === "1";

/** Whether the n-th of many like it is looked at: one in so many, and all in `npm run test:full`. */
export function isSampled(n: number, every: number): boolean {
  return isFull || n % every === 0;
}

/** How often a property is tried: a part of it, except in `npm run test:full`. */
export function runs(all: number): { readonly numRuns: number } {
  return { numRuns: isFull ? all : Math.min(all, Math.max(20, Math.ceil(all / 10))) };
}
