import { setTimeout as sleep } from "node:timers/promises";
import { type DaemonService, jsonRoute, type StartService } from "../daemon/index.ts";
import { isRecord } from "../values/index.ts";
import type { SearchAnswer, StatsAnswer } from "./answer.ts";
import type { Progress } from "./indexing/indexer.ts";
import { Passes } from "./passes.ts";
import { type SearchRequest, type StatsRequest, searchRequest, statsRequest } from "./request.ts";
import { hasIndex } from "./store/database.ts";
import type { IndexSize } from "./threads/protocol.ts";
import { type SearchThread, searchThread } from "./threads/search-thread.ts";

/** How far the index is behind what is on disk. */
export interface Freshness {
  /** Everything that was on disk when it was asked is in it. */
  readonly isComplete: boolean;
  /** Of a pass that is under way. */
  readonly progress?: Progress;
  /** The pass that will make it complete; whoever asks again names it. */
  readonly pass?: number;
  /** ISO; when the last pass ended. */
  readonly lookedAt?: string;
}

export interface Answered<Answer> {
  readonly answer: Answer;
  readonly index: Freshness;
}

/** How long a question waits until what is on disk was looked at, unless it says otherwise. */
const WAIT_MS = 1_500;
/** No question waits longer. */
const LONGEST_WAIT_MS = 600_000;
/** What agents write is read into the index so long after they did something. */
const QUIET_MS = 2_000;

const NOTHING_FOUND: SearchAnswer = { hits: [], by: "words" };

/**
 * Search, in the daemon. Two threads of their own do everything: one writes the index, the other
 * looks things up. There is no index before the first question.
 */
export class Search {
  readonly #home: string;
  readonly #writer: SearchThread;
  readonly #reader: SearchThread;
  readonly #passes: Passes;
  #progress: Progress | undefined;
  #lookedAt: string | undefined;
  #soon: NodeJS.Timeout | undefined;
  /** A damaged index that is made anew. */
  #mending: Promise<Freshness> | undefined;

  constructor(home: string, log: (level: "info" | "warn", text: string) => void) {
    this.#home = home;
    this.#writer = searchThread({
      duty: "write",
      home,
      log,
      onProgress: (progress) => {
        this.#progress = progress;
      },
    });
    this.#passes = new Passes(async (kind) => {
      try {
        await this.#writer.ask(kind, undefined);
        this.#lookedAt = new Date().toISOString();
      } finally {
        this.#progress = undefined;
      }
    });
    this.#reader = searchThread({
      duty: "read",
      home,
      log,
      onDamage: (detail) => {
        if (this.#mending) return;
        log("warn", `The index of search is damaged and is made anew: ${detail}`);
        this.#mending = this.rebuild(LONGEST_WAIT_MS);
        const over = () => {
          this.#mending = undefined;
        };
        this.#mending.then(over, over);
      },
    });
  }

  get isBusy(): boolean {
    return this.#writer.waiting + this.#reader.waiting > 0;
  }

  /** Looks something up, after a look at what is new on disk if that does not take too long. */
  async search(request: SearchRequest, waitMs = WAIT_MS): Promise<Answered<SearchAnswer>> {
    const { answer = NOTHING_FOUND, index } = await this.#lookUp(
      () => this.#reader.ask("search", request),
      waitMs,
    );
    return { answer, index };
  }

  async stats(request: StatsRequest, waitMs = WAIT_MS): Promise<Answered<StatsAnswer | undefined>> {
    return this.#lookUp(() => this.#reader.ask("stats", request), waitMs);
  }

  /**
   * Waits so long until everything that is on disk now was looked at; 0: neither waits nor looks.
   * Whoever waits in steps names the pass that the first one spoke of.
   */
  async refresh(waitMs: number, pass = this.#passes.next): Promise<Freshness> {
    // A caller that does not wait has started a pass before, or does not need one.
    if (waitMs <= 0) return this.#freshness(!this.#passes.isUnderWay);
    return this.#freshness(await within(waitMs, this.#passes.through(pass)), pass);
  }

  /** Makes the index anew; the old one answers until it is gone. */
  async rebuild(waitMs: number): Promise<Freshness> {
    await this.#reader.ask("close", undefined);
    const { number, done } = this.#passes.begin("rebuild");
    return this.#freshness(await within(waitMs, done), number);
  }

  async forget(session: string): Promise<void> {
    await this.#writer.ask("forget", session);
  }

  size(): Promise<IndexSize | undefined> {
    return this.#reader.ask("size", undefined);
  }

  /** An agent did something: what it wrote is looked at when it has been quiet for a moment. */
  heard(): void {
    if (this.#soon || !hasIndex(this.#home)) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.#passes.through(this.#passes.next).catch(() => {});
    }, QUIET_MS);
    this.#soon.unref();
  }

  status(): Readonly<Record<string, unknown>> {
    return { ...this.#freshness(!this.#passes.isUnderWay) };
  }

  async close(): Promise<void> {
    clearTimeout(this.#soon);
    this.#passes.close();
    // What they have under way is given up at the next pause: it can be done again.
    await Promise.all([this.#writer.end(), this.#reader.end()]);
  }

  /** Asks, and once more if the index turned out to be damaged and is made anew. */
  async #lookUp<Answer>(ask: () => Promise<Answer>, waitMs: number): Promise<Answered<Answer>> {
    const index = await this.refresh(waitMs);
    const answer = await ask();
    if (!this.#mending) return { answer, index };
    const isDone = await within(waitMs, this.#mending);
    return { answer: await ask(), index: this.#freshness(isDone) };
  }

  #freshness(isComplete: boolean, pass?: number): Freshness {
    return {
      isComplete,
      ...(!isComplete && this.#progress && { progress: this.#progress }),
      ...(!isComplete && pass !== undefined && { pass }),
      ...(this.#lookedAt !== undefined && { lookedAt: this.#lookedAt }),
    };
  }
}

/** Whether something was over in time. Rejects if it failed by then. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  try {
    return await Promise.race([
      work.then(() => true),
      sleep(Math.min(ms, LONGEST_WAIT_MS), false, { signal: late.signal, ref: false }),
    ]);
  } finally {
    late.abort();
    work.catch(() => {});
  }
}

/** Search as a service of the daemon. */
export const startSearch: StartService = ({ paths, log }): DaemonService => {
  const service = new Search(paths.home, (level, text) => log.write(level, text));
  const numberOf = (body: unknown, name: "waitMs" | "pass") => {
    const value = isRecord(body) ? body[name] : undefined;
    return typeof value === "number" ? value : undefined;
  };
  const waitOf = (body: unknown) => numberOf(body, "waitMs");
  const requestIn = (body: unknown) => (isRecord(body) ? body.request : undefined);
  return {
    name: "search",
    routes: {
      "POST /v1/search": jsonRoute((body) =>
        service.search(searchRequest(requestIn(body)), waitOf(body)),
      ),
      "POST /v1/stats": jsonRoute((body) =>
        service.stats(statsRequest(requestIn(body)), waitOf(body)),
      ),
      "POST /v1/search/refresh": jsonRoute((body) =>
        service.refresh(waitOf(body) ?? WAIT_MS, numberOf(body, "pass")),
      ),
      "POST /v1/search/rebuild": jsonRoute((body) => service.rebuild(waitOf(body) ?? WAIT_MS)),
      "POST /v1/search/forget": jsonRoute(async (body) => {
        if (isRecord(body) && typeof body.session === "string") await service.forget(body.session);
      }),
      "GET /v1/search/size": jsonRoute(async () => (await service.size()) ?? {}),
    },
    isBusy: () => service.isBusy,
    status: () => service.status(),
    hear: () => service.heard(),
    close: () => service.close(),
  };
};
