import { signal } from "@preact/signals";
import type { SessionCard } from "../../src/view/api.ts";

/** When each session was looked at last, and from when on anything counts as new. */
export interface Seen {
  readonly since: string;
  readonly at: Readonly<Record<string, string>>;
}

type Known = Pick<SessionCard, "agent" | "session" | "phase" | "since">;

const KEY = "seam.seen";
/** More sessions than anybody comes back to. */
const MOST = 500;

export const seen = signal<Seen>(load());

const keyOf = ({ agent, session }: Pick<Known, "agent" | "session">) => `${agent}/${session}`;

/** It came to an end, or asks something, and nobody has looked since. What works will tell. */
export function isUnread(session: Known, { since, at }: Seen): boolean {
  if (session.phase === "working") return false;
  return session.since > (at[keyOf(session)] ?? since);
}

/** A person looks at it. */
export function look(session: Pick<Known, "agent" | "session">, now = new Date()): void {
  const { since, at } = seen.peek();
  const { [keyOf(session)]: _, ...others } = at;
  const kept = Object.entries(others).slice(1 - MOST);
  seen.value = { since, at: { ...Object.fromEntries(kept), [keyOf(session)]: now.toISOString() } };
  try {
    localStorage.setItem(KEY, JSON.stringify(seen.value));
  } catch {
    // A browser that keeps nothing marks what is new since the page was opened.
  }
}

function load(): Seen {
  const fresh = { since: new Date().toISOString(), at: {} };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (isSeen(kept)) return kept;
    localStorage.setItem(KEY, JSON.stringify(fresh));
  } catch {
    // As above.
  }
  return fresh;
}

function isSeen(value: unknown): value is Seen {
  if (typeof value !== "object" || value === null) return false;
  return "since" in value && typeof value.since === "string" && "at" in value && isTimes(value.at);
}

function isTimes(value: unknown): value is Record<string, string> {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every((one) => typeof one === "string");
}
