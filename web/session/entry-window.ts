import type { EntriesPage, Entry } from "../../src/view/api.ts";

/**
 * The entries of a session that the page has. While nobody has counted them, they are one piece that
 * begins at 0 and can grow at both ends. Once they are counted, each has its place among all, and
 * pieces in between can be missing.
 */
export interface EntryWindow {
  readonly entries: readonly (Entry | undefined)[];
  readonly places: ReadonlyMap<string, number>;
  readonly isCounted: boolean;
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
}

export const NO_ENTRIES: EntryWindow = {
  entries: [],
  places: new Map(),
  isCounted: false,
  hasBefore: false,
  hasAfter: false,
};

/** Where a page was asked for: beside an entry that is there, or anywhere. */
export type Asked = "before" | "after" | "anywhere";

/** The window with one more page in it. Entries that are there already are replaced by their news. */
export function withPage(window: EntryWindow, page: EntriesPage, asked: Asked): EntryWindow {
  if (page.total !== undefined && page.from !== undefined) {
    return counted(window, page, page.from, page.total);
  }
  if (window.isCounted) return updated(window, page);
  return grown(window, page, asked);
}

/** The key of the first and the last entry that are there. */
export function ends(window: EntryWindow): { first?: string; last?: string } {
  const first = window.entries.find((entry) => entry !== undefined);
  const last = window.entries.at(-1);
  return { ...(first ? { first: first.key } : {}), ...(last ? { last: last.key } : {}) };
}

/**
 * After which entry to ask when the session has grown: calls that still ran may have ended since.
 * Undefined: the end of the session is not there, so nothing that is shown has changed.
 */
export function askAfter(window: EntryWindow): string | undefined {
  if (window.hasAfter || window.entries.at(-1) === undefined) return undefined;
  let at = window.entries.length - 1;
  for (let back = at; back >= 0 && at - back < MOST_ASKED_AGAIN; back--) {
    const entry = window.entries[back];
    if (entry === undefined) break;
    if (entry.kind === "call" && entry.call?.state === "running") at = back - 1;
  }
  return window.entries[at]?.key ?? window.entries[window.entries.length - 1]?.key;
}

const MOST_ASKED_AGAIN = 100;

/** The first entry on this line of the transcript, or after it; -1 if there is none. */
export function placeOfLine(entries: EntryWindow["entries"], line: number): number {
  return entries.findIndex((entry) => entry?.line !== undefined && entry.line >= line);
}

/** The missing piece nearest to what is looked at: from which place, and how many. */
export function missing(
  window: EntryWindow,
  from: number,
  to: number,
  size: number,
): { at: number; limit: number } | undefined {
  if (!window.isCounted) return undefined;
  for (let place = Math.max(0, from); place <= Math.min(to, window.entries.length - 1); place++) {
    if (window.entries[place] !== undefined) continue;
    let begin = place;
    while (begin > 0 && place - begin < size / 2 && window.entries[begin - 1] === undefined)
      begin--;
    let end = begin;
    while (end - begin < size && end < window.entries.length && !window.entries[end]) end++;
    return { at: begin, limit: end - begin };
  }
  return undefined;
}

function counted(window: EntryWindow, page: EntriesPage, from: number, total: number): EntryWindow {
  const entries: (Entry | undefined)[] = new Array<Entry | undefined>(total).fill(undefined);
  const shift = window.isCounted ? 0 : shiftOf(window, page, from);
  if (shift !== undefined) {
    window.entries.forEach((entry, place) => {
      if (entry && place + shift < total) entries[place + shift] = entry;
    });
  }
  page.entries.forEach((entry, n) => {
    if (from + n < total) entries[from + n] = entry;
  });
  return {
    entries,
    places: placesOf(entries),
    isCounted: true,
    hasBefore: false,
    hasAfter: false,
  };
}

/** How far entries that were not counted move, known by one that is in both. */
function shiftOf(window: EntryWindow, page: EntriesPage, from: number): number | undefined {
  for (const [n, entry] of page.entries.entries()) {
    const place = window.places.get(entry.key);
    if (place !== undefined) return from + n - place;
  }
  // A page after the last one, or before the first one, that shares no entry with what is there.
  if (window.entries.length === 0) return 0;
  return page.hasAfter ? from + page.entries.length : from - window.entries.length;
}

function grown(window: EntryWindow, page: EntriesPage, asked: Asked): EntryWindow {
  const isEmpty = window.entries.length === 0;
  const known = updated(window, page);
  const added = page.entries.filter((entry) => !window.places.has(entry.key));
  const isApart = asked === "anywhere" && added.length === page.entries.length && !isEmpty;
  if (isEmpty || isApart) {
    return {
      entries: page.entries,
      places: placesOf(page.entries),
      isCounted: false,
      hasBefore: page.hasBefore,
      hasAfter: page.hasAfter,
    };
  }
  const entries = asked === "before" ? [...added, ...known.entries] : [...known.entries, ...added];
  return {
    entries,
    places: placesOf(entries),
    isCounted: false,
    hasBefore: asked === "before" ? page.hasBefore : window.hasBefore,
    hasAfter: asked === "before" ? window.hasAfter : page.hasAfter,
  };
}

function updated(window: EntryWindow, page: EntriesPage): EntryWindow {
  const entries = [...window.entries];
  for (const entry of page.entries) {
    const place = window.places.get(entry.key);
    if (place !== undefined) entries[place] = entry;
  }
  return { ...window, entries };
}

function placesOf(entries: readonly (Entry | undefined)[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  entries.forEach((entry, place) => {
    if (entry) places.set(entry.key, place);
  });
  return places;
}
