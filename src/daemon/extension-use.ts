import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { readText, replaceFile } from "../files/index.ts";
import type { LiveEvent } from "./live-events.ts";
import type { HandlersUse } from "./worker/use-since.ts";

const CountsSchema = Type.Object({
  calls: Type.Number(),
  errors: Type.Number(),
  ms: Type.Number(),
  longestMs: Type.Number(),
  stops: Type.Number(),
});
const KeptSchema = Type.Object({
  since: Type.String(),
  extensions: Type.Record(Type.String(), CountsSchema),
});
type Counts = Static<typeof CountsSchema>;

/** What each extension did, by its name, and since when that is counted. */
export type ExtensionsUse = Static<typeof KeptSchema>;

const MOST_NAMES = 500;
const WRITE_MS = 10_000;
const NONE: Counts = { calls: 0, errors: 0, ms: 0, longestMs: 0, stops: 0 };

/**
 * What extensions did on all agents: how often they were asked, how long that took, what failed, and
 * what they stopped. It is kept, so that a restart of the daemon does not begin anew.
 */
export class ExtensionUse {
  readonly #path: string;
  readonly #since: string;
  readonly #counts: Map<string, Counts>;
  #writing: NodeJS.Timeout | undefined;

  constructor(run: string) {
    this.#path = join(run, "extension-use.json");
    const { since, extensions } = load(this.#path) ?? {
      since: new Date().toISOString(),
      extensions: {},
    };
    this.#since = since;
    this.#counts = new Map(Object.entries(extensions));
  }

  add(use: readonly HandlersUse[]): void {
    for (const { name, calls, errors, ms, longestMs } of use) {
      this.#change(name, (before) => ({
        ...before,
        calls: before.calls + calls,
        errors: before.errors + errors,
        ms: before.ms + ms,
        longestMs: Math.max(before.longestMs, longestMs),
      }));
    }
  }

  /** Counts what was stopped, as far as an extension did it. */
  hear({ by, decision }: LiveEvent): void {
    if (by === undefined || decision !== "blocked") return;
    for (const name of by.split(", ")) {
      this.#change(name, (before) => ({ ...before, stops: before.stops + 1 }));
    }
  }

  /** Only extensions that were called count: people and Seam itself stop calls, too. */
  counted(): ExtensionsUse {
    const called = [...this.#counts].filter(([, { calls }]) => calls > 0);
    return { since: this.#since, extensions: Object.fromEntries(called) };
  }

  close(): void {
    if (this.#writing) this.#write();
  }

  #change(name: string, change: (before: Counts) => Counts): void {
    const before = this.#counts.get(name);
    if (!before && this.#counts.size >= MOST_NAMES) return;
    this.#counts.set(name, change(before ?? NONE));
    this.#writing ??= setTimeout(() => this.#write(), WRITE_MS).unref();
  }

  #write(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    try {
      replaceFile(this.#path, `${JSON.stringify(this.counted())}\n`);
    } catch {
      // The numbers are for people to look at, so nothing waits until they are written.
    }
  }
}

function load(path: string): ExtensionsUse | undefined {
  try {
    const value: unknown = JSON.parse(readText(path) ?? "null");
    return Value.Check(KeptSchema, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
