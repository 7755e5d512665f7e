/** What is added up in one column of a chart, from the ground up. */
export interface Column {
  readonly label: string;
  readonly parts: readonly number[];
}

export interface LaidColumn {
  readonly label: string;
  readonly x: number;
  readonly width: number;
  readonly parts: readonly { readonly y: number; readonly height: number }[];
}

export interface Chart {
  readonly columns: readonly LaidColumn[];
  /** Lines across, with what they stand for. */
  readonly lines: readonly { readonly y: number; readonly value: number }[];
  /** Which columns have their label written: as many as have room. */
  readonly labelled: readonly number[];
}

const WIDEST = 36;
const LABEL = 64;

/** Where everything stands in a picture of this size; y grows downwards, as in SVG. */
export function layOut(columns: readonly Column[], width: number, height: number): Chart {
  const top = roundUp(Math.max(0, ...columns.map(sum)));
  const room = columns.length === 0 ? width : width / columns.length;
  const wide = Math.min(WIDEST, room * 0.72);
  const scale = top === 0 ? 0 : height / top;
  const laid = columns.map((column, n) => {
    let y = height;
    const parts = column.parts.map((value) => {
      const high = value * scale;
      y -= high;
      return { y, height: high };
    });
    return { label: column.label, x: n * room + (room - wide) / 2, width: wide, parts };
  });
  const every = Math.max(1, Math.ceil(LABEL / room));
  return {
    columns: laid,
    lines:
      top === 0 ? [] : [0, 0.5, 1].map((part) => ({ y: height * (1 - part), value: top * part })),
    labelled: columns.map((_, n) => n).filter((n) => n % every === 0),
  };
}

function sum({ parts }: Column): number {
  return parts.reduce((all, part) => all + part, 0);
}

/** The next number that is easy to read, also at its half. */
export function roundUp(value: number): number {
  if (value <= 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  const step =
    [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].find((one) => one * unit >= value * (1 - 1e-9)) ?? 10;
  return step * unit;
}

/** Days without any use between the first and the last are columns, too. */
export function withEmptyDays<Row extends { readonly key: string }>(
  rows: readonly Row[],
  empty: (day: string) => Row,
): Row[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const days = [...known.keys()].filter((key) => /^\d{4}-\d{2}-\d{2}$/.test(key)).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || days.length !== rows.length) return [...rows];
  const all: Row[] = [];
  for (let day = first; day <= last && all.length < MOST_DAYS; day = nextDay(day)) {
    all.push(known.get(day) ?? empty(day));
  }
  return all;
}

const MOST_DAYS = 400;

function nextDay(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
