const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A number with its thousands apart. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A number in few characters: 412,880 is "413 k". */
export function short(value: number): string {
  if (value < 1000) return String(Math.round(value));
  for (const [size, unit] of [
    [1e9, "G"],
    [1e6, "M"],
  ] as const) {
    if (value >= size * 0.9995)
      return `${(value / size).toFixed(value < size * 10 ? 1 : 0)} ${unit}`;
  }
  return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)} k`;
}

/** An amount of money, with as many digits as say something. */
export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return "< $0.01";
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** How long something took: "0.1 s", "11.2 s", "3 min 20 s", "1 h 5 min". */
export function duration(milliseconds: number): string {
  if (milliseconds < 95) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / SECOND).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / SECOND);
  if (seconds < 3600) return pair(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return pair(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

/** How long ago something was, in one unit: "now", "14 s", "2 min", "1 h", "3 d". */
export function ago(milliseconds: number): string {
  if (milliseconds < 5 * SECOND) return "now";
  if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h`;
  return `${Math.floor(milliseconds / DAY)} d`;
}

/** What is left until a deadline, as a clock: "8:46", "1:02:03". */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  const two = (value: number) => String(value).padStart(2, "0");
  const rest = `${Math.floor(seconds / 60) % 60}:${two(seconds % 60)}`;
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest.padStart(5, "0")}`;
}

/** A size of a file or an output. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_500) return `${(size / 1000).toFixed(size < 10_000 ? 1 : 0)} kB`;
  return `${(size / 1e6).toFixed(size < 1e7 ? 1 : 0)} MB`;
}

/** "1 line", "4 lines". */
export function many(value: number, one: string, several = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : several}`;
}

/** The last part of a path: what people call a folder. */
export function baseName(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) || path;
}

/** A path as seen from a folder: what is below it without the folder, everything else whole. */
export function pathFrom(folder: string | undefined, path: string): string {
  const below = folder && `${folder.replace(/\/+$/, "")}/`;
  return below && path.startsWith(below) && path !== below ? path.slice(below.length) : path;
}

/** A time of day, as in "09:41". */
export function clock(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** A day and, unless it is today, its date: "09:41", "12 Nov, 09:41", "12 Nov 2025, 09:41". */
export function moment(iso: string, now: number): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return clock(iso);
  const isThisYear = date.getFullYear() === today.getFullYear();
  const day = date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
  return `${day}, ${clock(iso)}`;
}

function pair(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}
