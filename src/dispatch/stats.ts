/** What is known about one handler's work. */
export interface HandlerStats {
  calls: number;
  /** The call that is timed next, counted as `calls` counts. */
  timeAt: number;
  errors: number;
  timeouts: number;
  /** How many calls were timed: every one that made a decision wait, and a sample of the others. */
  timed: number;
  totalMs: number;
  maxMs: number;
}

export function newStats(): HandlerStats {
  return { calls: 0, timeAt: 0, errors: 0, timeouts: 0, timed: 0, totalMs: 0, maxMs: 0 };
}

// Reading the clock costs more than calling an empty handler, so most quick calls go untimed: one in
// 64 is looked at, and of a handler that is called all the time one in 1024.
const FEW_CALLS = 256;
const OFTEN = 64;
const SELDOM = 1_024;
/** A call that took this long is not a quick one. */
const LONG_MS = 1;

export function shouldTime(stats: HandlerStats): boolean {
  return stats.calls >= stats.timeAt;
}

/** A call that nobody waited for. If it was a quick one, the next few go untimed. */
export function addSample(stats: HandlerStats, ms: number): void {
  addTime(stats, ms);
  const every = stats.calls < FEW_CALLS ? OFTEN : SELDOM;
  stats.timeAt = ms < LONG_MS ? stats.calls - 1 + every : 0;
}

/** A call that was waited for. The next one is timed as well. */
export function addWait(stats: HandlerStats, ms: number): void {
  addTime(stats, ms);
  stats.timeAt = 0;
}

function addTime(stats: HandlerStats, ms: number): void {
  stats.timed++;
  stats.totalMs += ms;
  if (ms > stats.maxMs) stats.maxMs = ms;
}
