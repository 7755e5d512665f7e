import { signal } from "@preact/signals";
import type { PromptMark } from "../../src/view/api.ts";
import type { EntryWindow } from "./entry-window.ts";

/** The prompt of the turn one reads; undefined for the last turn. */
export const readTurn = signal<string | undefined>(undefined);

/** Which entry somebody wants to see; the list takes it from here and brings it into view. */
export const wanted = signal<string | undefined>(undefined);

/** The prompt of the turn that this place is in, unless it is the last turn. */
export function turnAt(
  window: EntryWindow,
  prompts: readonly PromptMark[],
  place: number,
): string | undefined {
  for (let at = Math.min(place, window.entries.length - 1); at >= 0; at--) {
    const entry = window.entries[at];
    if (entry === undefined) break;
    if (entry.kind === "prompt") return entry.key === prompts.at(-1)?.key ? undefined : entry.key;
  }
  // The prompt is further up than what is on the page.
  const before = prompts.findLast(({ index }) => window.isCounted && (index ?? place) <= place);
  return before === undefined || before.key === prompts.at(-1)?.key ? undefined : before.key;
}

/** The prompt before or after a place. */
export function promptBeside(
  window: EntryWindow,
  prompts: readonly PromptMark[],
  place: number,
  step: 1 | -1,
): string | undefined {
  const placeOf = ({ key, index }: PromptMark) => window.places.get(key) ?? index ?? -1;
  const found =
    step > 0
      ? prompts.find((prompt) => placeOf(prompt) > place)
      : prompts.findLast((prompt) => placeOf(prompt) < place);
  return found?.key;
}
