import { computed, signal } from "@preact/signals";
import type { SessionName } from "../data/address.ts";
import { isLoaded, live } from "../data/live.ts";
import { address } from "../data/route.ts";
import { grouped } from "./phases.ts";

/** The session that Now began with: it stays, also when another one would come first meanwhile. */
const first = signal<SessionName | undefined>(undefined);

/** The session in the middle: the one in the address, or the most pressing when the page was opened. */
export const chosen = computed<SessionName | undefined>(() => {
  const { view, session } = address.value;
  if (view !== "now") return undefined;
  return session ?? first.value;
});

/** Chooses for a Now that names no session, once it is known which there are. */
export function chooseFirst(): void {
  if (!isLoaded.value || first.peek() || address.value.session) return;
  const session = inOrder()[0];
  if (session) first.value = { agent: session.agent, session: session.session };
}

/** All sessions in the order of the list. */
export function inOrder(): readonly SessionName[] {
  return grouped(live.value.sessions, { text: "" }).flatMap((group) => group.sessions);
}
