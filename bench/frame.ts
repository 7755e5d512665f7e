/** What all benchmarks share: fair measuring, and cases that are met or missed. */

/** One measurement that has a bar. */
export interface Case {
  readonly name: string;
  readonly value: number;
  readonly bar: number;
  readonly rule: "at least" | "at most";
  /** What `value` and `bar` count. */
  readonly unit: string;
  readonly ok: boolean;
  /** What the value was made from, and what else is good to know. */
  readonly detail: readonly Detail[];
}

export interface Detail {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** A benchmark: its cases, one after the other. `say` tells what is being measured. */
export type Bench = (say: (text: string) => void) => AsyncIterable<Case>;

type CaseParts = Omit<Case, "rule" | "ok">;

export function atLeast(parts: CaseParts): Case {
  return { ...parts, rule: "at least", ok: parts.value >= parts.bar };
}

export function atMost(parts: CaseParts): Case {
  return { ...parts, rule: "at most", ok: parts.value <= parts.bar };
}

export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("the median of nothing");
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/** How many times the median of `b` fits into the median of `a`. */
export function ratio(a: readonly number[], b: readonly number[]): number {
  return median(a) / median(b);
}

/**
 * The same for measurements that took turns: each is compared with its neighbour, which ran while
 * the machine was in the same mood. For what is over within a fraction of a second.
 */
export function pairedRatio(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new Error("measurements without a neighbour");
  return median(a.map((value, index) => value / (b[index] ?? Number.NaN)));
}

/** Detail entries for the medians of some series. */
export function medians(series: Readonly<Record<string, readonly number[]>>, unit: string) {
  return Object.entries(series).map(([name, values]) => ({ name, value: median(values), unit }));
}

/**
 * Measures several things in turns, A B A B …: whatever else the machine does meanwhile slows all
 * of them alike. Warm-up rounds are run and forgotten.
 */
export async function interleave<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
  { rounds, warmUps }: { rounds: number; warmUps: number },
): Promise<Record<Name, number[]>> {
  const entries = Object.entries(measures) as [Name, () => Promise<number>][];
  const series = {} as Record<Name, number[]>;
  for (const [name] of entries) series[name] = [];
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, measure] of entries) {
      const value = await measure();
      if (round >= 0) series[name].push(value);
    }
  }
  return series;
}

const SAMPLE_MS = 30;

/**
 * Nanoseconds per call of a loop that makes `batch` calls. It is repeated until the sample is long
 * enough: samples of equal length suffer equally from what else the machine does.
 */
export async function nanosPerCall(
  batch: number,
  loop: (calls: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < SAMPLE_MS) {
    await loop(batch);
    calls += batch;
    elapsed = performance.now() - startedAt;
  }
  return (elapsed * 1e6) / calls;
}
