import { signal } from "@preact/signals";
import { type Address, readAddress, type SessionName, type View, writeAddress } from "./address.ts";

const base = new URL(document.baseURI).pathname;

function here(): Address {
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : "";
  return readAddress(path, location.search);
}

/** What the page shows. The address bar says the same. */
export const address = signal<Address>(here());

export function listenToHistory(): void {
  addEventListener("popstate", () => {
    address.value = here();
  });
}

/** The address of a view or a session, for a link. */
export function hrefOf(to: Address): string {
  return base + writeAddress(to);
}

export function go(to: Address): void {
  history.pushState(null, "", hrefOf(to));
  address.value = to;
}

export function viewAddress(view: View, query: Address["query"] = {}): Address {
  return { view, query };
}

export function sessionAddress(session: SessionName, query: Address["query"] = {}): Address {
  return { view: "now", session: { agent: session.agent, session: session.session }, query };
}

/** Changes a part of the query. It is not a step one could go back from, unless `isStep`. */
export function setQuery(
  change: Readonly<Record<string, string | undefined>>,
  isStep = false,
): void {
  const merged = { ...address.peek().query, ...change };
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(merged)) if (value) query[name] = value;
  const to = { ...address.peek(), query };
  if (hrefOf(to) === location.pathname + location.search) return;
  if (isStep) history.pushState(null, "", hrefOf(to));
  else history.replaceState(history.state, "", hrefOf(to));
  address.value = to;
}
