import type { Hit, SearchRequest } from "../../src/search/index.ts";

/** The filters of a search that stand in the address. */
export const FILTERS = ["agent", "project", "file", "role", "tool", "since", "until"] as const;

type Query = Readonly<Record<string, string>>;

/** Whether the address asks for something to be found. */
export function isSearch(query: Query): boolean {
  return wishText(query) !== "" || FILTERS.some((name) => query[name]) || query.stopped === "1";
}

function wishText(query: Query): string {
  return (query.q ?? "").trim();
}

/** The request for what the address asks for. */
export function searchWish(query: Query): SearchRequest {
  const wish: SearchRequest = { query: wishText(query), limit: 30 };
  for (const name of FILTERS) {
    const value = query[name];
    if (value) wish[name] = value;
  }
  if (query.stopped === "1") wish.stopped = true;
  if (query.in === "all") wish.in = "all";
  return wish;
}

/** A snippet in pieces; those that were looked for are marked. */
export function marked(
  snippet: Hit["snippet"],
): { readonly text: string; readonly isHit: boolean }[] {
  const pieces: { text: string; isHit: boolean }[] = [];
  let at = 0;
  for (const [start, end] of snippet.hits) {
    if (start < at || end <= start) continue;
    if (start > at) pieces.push({ text: snippet.text.slice(at, start), isHit: false });
    pieces.push({ text: snippet.text.slice(start, end), isHit: true });
    at = end;
  }
  if (at < snippet.text.length) pieces.push({ text: snippet.text.slice(at), isHit: false });
  return pieces;
}
