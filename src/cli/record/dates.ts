import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A day, a time, or so long ago (12h, 7d, 2w), as an ISO time. A day begins at midnight here. */
export function sinceTime(text: string): string {
  return timeOf(text, 0);
}

/** The same for an end: a day counts to its end. */
export function untilTime(text: string): string {
  return timeOf(text, 1);
}

function timeOf(text: string, daysMore: number): string {
  const [, amount, unit = ""] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (amount !== undefined) {
    return new Date(Date.now() - Number(amount) * (UNITS[unit] ?? 0)).toISOString();
  }
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const time =
    year === undefined
      ? new Date(text)
      : new Date(Number(year), Number(month) - 1, Number(day) + daysMore);
  const isThatDay = year === undefined || isDay(text);
  if (Number.isNaN(time.getTime()) || !isThatDay) {
    throw new InvalidArgumentError(
      "It must be a day (2026-11-17), a time, or so long ago: 12h, 7d, 2w.",
    );
  }
  return time.toISOString();
}

/** The 31st of a month that has 30 days is none. */
function isDay(text: string): boolean {
  const noon = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(text);
}
