import { createContext } from "preact";
import type { Entry } from "../../src/view/api.ts";
import type { EntryPlace } from "./entry-source.ts";

/** What entries need to know of the list they are in. */
export interface SessionContext {
  readonly place: EntryPlace;
  /** The folder it works in: paths below it are shown without it. */
  readonly folder?: string;
  readonly open: ReadonlySet<string>;
  readonly focused?: string;
  /** It came while somebody looked. */
  isFresh(key: string): boolean;
  toggle(key: string): void;
  /** The number of a prompt in its session, from 1, where it is known. */
  promptNumber(entry: Entry): number | undefined;
  /** Since when a question about this session waits; ISO. */
  readonly waitingSince?: string;
}

export const Session = createContext<SessionContext>({
  place: { agent: "", session: "" },
  open: new Set(),
  isFresh: () => false,
  toggle: () => {},
  promptNumber: () => undefined,
});

/** The name of an entry among the open ones: children have keys of their own. */
export function openName(place: EntryPlace, key: string): string {
  return place.child === undefined ? key : `${place.child}/${key}`;
}
