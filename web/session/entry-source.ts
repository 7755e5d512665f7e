import { signal } from "@preact/signals";
import type { EntriesPage } from "../../src/view/api.ts";
import type { SessionName } from "../data/address.ts";
import { asRefused, get, type Refused } from "../data/http.ts";
import { type Asked, askAfter, ends, missing, NO_ENTRIES, withPage } from "./entry-window.ts";

/** So many entries are asked for at a time. */
const PAGE = 100;

/** Where entries come from: a session, or a child of one. */
export interface EntryPlace extends SessionName {
  readonly child?: string;
}

/** Reads the entries of a session in pieces, as they are looked at and as it grows. */
export class EntrySource {
  readonly place: EntryPlace;
  readonly window = signal(NO_ENTRIES);
  readonly error = signal<Refused | undefined>(undefined);
  readonly isLoaded = signal(false);
  /** Keys of entries that came while somebody looked: they fade in. */
  readonly fresh = new Set<string>();
  #asking: Promise<void> | undefined;
  #hasGrown = false;

  constructor(place: EntryPlace) {
    this.place = place;
  }

  /** What is around an entry or a line of the transcript, or the end of the session. */
  async begin({ at, line }: { at?: string; line?: string } = {}): Promise<void> {
    const wish: Record<string, string> = at ? { around: at } : line ? { line } : {};
    await this.#ask(wish, "anywhere");
    // An entry that is not there any more, because the transcript was rewritten, hides nothing.
    if ((at || line) && this.error.peek()) await this.begin();
  }

  /** Sees to it that what is looked at is there, and a little more on both sides. */
  look(from: number, to: number): void {
    const window = this.window.peek();
    if (!this.isLoaded.peek() || this.#asking) return;
    const gap = missing(window, from - 20, to + 20, PAGE);
    const { first, last } = ends(window);
    if (gap) void this.#ask({ at: gap.at, limit: gap.limit }, "anywhere");
    else if (window.hasBefore && from < 20 && first) void this.#ask({ before: first }, "before");
    else if (window.hasAfter && to > window.entries.length - 20 && last) {
      void this.#ask({ after: last }, "after");
    }
  }

  /** Brings an entry in, if it is not there. */
  async reach(key: string): Promise<boolean> {
    if (!this.window.peek().places.has(key)) {
      await this.#asking;
      await this.#ask({ around: key }, "anywhere");
    }
    return this.window.peek().places.has(key);
  }

  /** Everything up to the last entry. */
  async reachEnd(): Promise<void> {
    const window = this.window.peek();
    if (window.hasAfter || window.entries.at(-1) === undefined) {
      await this.#asking;
      await this.#ask({}, "anywhere");
    }
  }

  /** Reads what has been added. While that is under way, once more at most is remembered. */
  async grow(): Promise<void> {
    if (this.#asking) {
      this.#hasGrown = true;
      return;
    }
    const window = this.window.peek();
    const after = askAfter(window);
    if (after !== undefined) await this.#ask({ after }, "after");
    else if (window.entries.length === 0) await this.#ask({}, "anywhere");
  }

  #ask(wish: Readonly<Record<string, string | number>>, asked: Asked): Promise<void> {
    const asking = this.#answer(wish, asked).finally(() => {
      if (this.#asking === asking) this.#asking = undefined;
      if (!this.#hasGrown) return;
      this.#hasGrown = false;
      void this.grow();
    });
    this.#asking = asking;
    return asking;
  }

  async #answer(wish: Readonly<Record<string, string | number>>, asked: Asked): Promise<void> {
    try {
      const page = await get<EntriesPage>("api/entries", { ...this.place, limit: PAGE, ...wish });
      const before = this.window.peek();
      if (asked === "after" && !before.hasAfter) {
        for (const { key } of page.entries) if (!before.places.has(key)) this.fresh.add(key);
      }
      this.window.value = withPage(before, page, asked);
      this.error.value = undefined;
    } catch (error) {
      this.error.value = asRefused(error);
    }
    this.isLoaded.value = true;
  }
}
