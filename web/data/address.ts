/** What the page shows, as its address says it. */
export interface Address {
  readonly view: View;
  /** The session that is open, in Now. */
  readonly session?: SessionName;
  /** Everything after the question mark: filters, open entries, the reading position. */
  readonly query: Readonly<Record<string, string>>;
}

export interface SessionName {
  readonly agent: string;
  readonly session: string;
}

export const VIEWS = ["now", "history", "crews", "use", "extensions", "rules"] as const;
export type View = (typeof VIEWS)[number];

/** Reads the part of an address that comes after the page's base. What it does not know is Now. */
export function readAddress(path: string, search: string): Address {
  const [first = "", second, third] = path.split("/").filter(Boolean).map(decoded);
  const query = Object.fromEntries(new URLSearchParams(search));
  if (first === "session" && second && third) {
    return { view: "now", session: { agent: second, session: third }, query };
  }
  const view = VIEWS.find((name) => name === first) ?? "now";
  return { view, query };
}

/** The same address as text, relative to the page's base. */
export function writeAddress({ view, session, query }: Address): string {
  const path = session
    ? `session/${encodeURIComponent(session.agent)}/${encodeURIComponent(session.session)}`
    : view;
  const said = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(said).toString();
  return search ? `${path}?${search}` : path;
}

/** Entries that are open, in a query: keys have no comma, because commas are escaped. */
export function readOpen(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? "").split(",").filter(Boolean).map(decoded));
}

/** So many open entries are kept: an address has to stay one that can be sent. */
const MOST_OPEN = 40;

export function writeOpen(open: ReadonlySet<string>): string {
  return [...open].slice(-MOST_OPEN).map(encodeURIComponent).join(",");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
