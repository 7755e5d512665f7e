import { it } from "vitest";
import { environment } from "./environment.ts";

/** Whether everything is wanted: `npm run test:full` says so, and nothing else does. */
export const isFull = environment.SEAM_TEST_FULL === "1";

/** Whether there is time for what is rare: in `.ci/run` and `npm run test:full`. */
export const hasTime = isFull || environment.SEAM_TEST_RARE === "1";

/** A test of something rare, which `npm test` leaves to those who have more time. Nothing lands without it. */
export const inFull = it.runIf(hasTime);

/** Whether the n-th of many like it is looked at: one in so many, and all in `npm run test:full`. */
export function isSampled(n: number, every: number): boolean {
  return isFull || n % every === 0;
}

/** How often a property is tried: a part of it, except in `npm run test:full`. */
export function runs(all: number): { readonly numRuns: number } {
  return { numRuns: isFull ? all : Math.min(all, Math.max(20, Math.ceil(all / 10))) };
}

type Named = string | number | { readonly name: string } | readonly [string | number, ...unknown[]];

/**
 * Of cases that differ in little, those with these names, and all in `npm run test:full`. A name that
 * no case has is an error: otherwise a case that gets another name would be left out unnoticed.
 */
export function sampled<T extends Named>(
  cases: readonly T[],
  ...names: readonly (string | number)[]
): T[] {
  const chosen = names.map((name) => {
    const found = cases.find((one) => nameOf(one) === name);
    if (found === undefined) throw new Error(`no case is called ${JSON.stringify(name)}`);
    return found;
  });
  return isFull ? [...cases] : chosen;
}

function nameOf(one: Named): string | number {
  if (typeof one === "string" || typeof one === "number") return one;
  return "name" in one ? one.name : one[0];
}
