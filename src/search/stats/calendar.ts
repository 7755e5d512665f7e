const DAY_MS = 86_400_000;

/** Days, weeks and months as they are in one time zone. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, string>();

  constructor(timezone: string | undefined) {
    this.#format = new Intl.DateTimeFormat("en-CA", {
      ...(timezone !== undefined && { timeZone: timezone }),
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
  }

  /** "2026-11-17", the Monday of the week, or "2026-11". */
  name(by: "day" | "week" | "month", time: number): string {
    const day = this.#day(time);
    if (by === "day") return day;
    return by === "month" ? day.slice(0, 7) : mondayOf(day);
  }

  #day(time: number): string {
    const known = this.#days.get(time);
    if (known !== undefined) return known;
    const day = this.#format.format(time);
    this.#days.set(time, day);
    return day;
  }
}

function mondayOf(day: string): string {
  const time = Date.parse(day);
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return new Date(time - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}
