/** What is known about one handler's work. */
export interface HandlerStats {
  calls: number;
  errors: number;
  timeouts: number;
  /** How many calls were timed: every one that waited for something, and a sample of the others. */
  timed: number;
  totalMs: number;
  maxMs: number;
  /** Whether it had to be waited for the last time. */
  waits: boolean;
}

export function newStats(): HandlerStats {
  return { calls: 0, errors: 0, timeouts: 0, timed: 0, totalMs: 0, maxMs: 0, waits: false };
}

// Reading the clock costs as much as calling an empty handler, so most quick calls go untimed.
const SAMPLE_MASK = 63;

export function shouldTime(stats: HandlerStats): boolean {
  return stats.waits || (stats.calls & SAMPLE_MASK) === 0;
}

export function addTime(stats: HandlerStats, ms: number): void {
  stats.timed++;
  stats.totalMs += ms;
  if (ms > stats.maxMs) stats.maxMs = ms;
}
