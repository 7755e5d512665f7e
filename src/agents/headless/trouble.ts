/** Words of an agent that mean that it could not work at all. */
export interface Trouble {
  readonly kind: "limited" | "logged-out";
  readonly pattern: RegExp;
}

/** What a text of an agent says about why it could not work. */
export function troubleIn(
  text: string,
  troubles: readonly Trouble[],
  now: number,
): { readonly kind: Trouble["kind"]; readonly until?: string } | undefined {
  const found = troubles.find(({ pattern }) => pattern.test(text));
  if (!found) return undefined;
  const until = found.kind === "limited" ? resetTime(text, now) : undefined;
  return { kind: found.kind, ...(until !== undefined && { until }) };
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * When a limit ends, as far as its text says so: seconds since 1970, an ISO time, "in 2 hours 5
 * minutes", "resets 3pm" in this machine's time zone. Undefined if it says nothing of the kind.
 */
export function resetTime(text: string, now: number): string | undefined {
  const [, epoch] = /\|\s*(\d{10})\b/.exec(text) ?? [];
  if (epoch !== undefined) return new Date(Number(epoch) * 1000).toISOString();
  const [iso] = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)/.exec(text) ?? [];
  if (iso !== undefined && !Number.isNaN(Date.parse(iso))) return new Date(iso).toISOString();
  return afterSpan(text, now) ?? atClock(text, now);
}

const UNIT = "(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])";
const SPAN = new RegExp(
  `\\b(?:in|after)\\s+((?:\\d+(?:\\.\\d+)?\\s*${UNIT}(?![a-z])[\\s,]*(?:and\\s+)?)+)`,
  "i",
);

/** "in 2 days 3 hours", "after 1h5m30s". */
function afterSpan(text: string, now: number): string | undefined {
  const [, span] = SPAN.exec(text) ?? [];
  if (span === undefined) return undefined;
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)\s*([smhdw])/gi)];
  const seconds = parts.reduce(
    (sum, [, count = "0", unit = ""]) => sum + Number(count) * (UNITS[unit.toLowerCase()] ?? 0),
    0,
  );
  return seconds > 0 ? new Date(now + seconds * 1000).toISOString() : undefined;
}

/** "resets 3pm", "try again at 3:05 PM": the next time it is that late here. */
function atClock(text: string, now: number): string | undefined {
  const [, hour, minute = "0", half] =
    /\b(?:resets?(?: at)?|again at|until)\s+(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b/i.exec(text) ?? [];
  if (hour === undefined || half === undefined) return undefined;
  const at = new Date(now);
  at.setHours((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0), Number(minute), 0, 0);
  if (at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.toISOString();
}
