import { computed, signal } from "@preact/signals";
import type { SessionName } from "../data/address.ts";
import { isLoaded, live } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { address } from "../data/route.ts";
import { grouped } from "./phases.ts";

/**
 * The session that Now began with. It stays when another one would come first meanwhile, unless that
 * one asks something: what a question is about is shown below it.
 */
const first = signal<SessionName | undefined>(undefined);

/** The session in the middle: the one in the address, or the most pressing when the page was opened. */
export const chosen = computed<SessionName | undefined>(() => {
  const { view, session } = address.value;
  if (view !== "now") return undefined;
  return session ?? first.value;
});

/** Chooses for a Now that names no session, once it is known which there are. */
export function chooseFirst(): void {
  if (!isLoaded.value || address.value.session) return;
  const { questions } = live.value;
  const before = first.peek();
  // What a crew asks about is on the board of its run.
  const open = questions.filter(({ isHeld, run }) => !isHeld && run === undefined);
  if (before && (open.length === 0 || open.some((one) => isSame(one, before)))) return;
  const session = open[0] ?? inOrder()[0];
  if (session) first.value = { agent: session.agent, session: session.session };
}

/** All sessions in the order of the list. */
export function inOrder(): readonly SessionName[] {
  return grouped(live.value.sessions, { text: "" }).flatMap((group) => group.sessions);
}
