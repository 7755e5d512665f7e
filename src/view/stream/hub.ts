import type { ServerResponse } from "node:http";
import { SeamError } from "../../errors/index.ts";
import type { StreamEvent } from "../api.ts";
import { StreamClient } from "./stream-client.ts";

/** More pages than a person can have open. */
const MOST_CLIENTS = 100;
/** How much is kept for pages that lost the connection for a moment. */
const MOST_KEPT = 500;
const MOST_KEPT_BYTES = 1024 * 1024;
const BEAT_MS = 20_000;

interface Kept {
  readonly id: number;
  readonly message: Buffer;
  readonly only: string | undefined;
}

/** Everybody who has the page open, and what they are told. */
export class Hub {
  readonly #clients = new Set<StreamClient>();
  readonly #kept: Kept[] = [];
  /** Numbers of another daemon mean nothing to this one. */
  readonly #run = Date.now().toString(36);
  readonly #onCount: (count: number) => void;
  #last = 0;
  #keptBytes = 0;
  #beat: NodeJS.Timeout | undefined;

  /** `onCount` is told how many there are whenever that changes. */
  constructor(onCount: (count: number) => void = () => {}) {
    this.#onCount = onCount;
  }

  get count(): number {
    return this.#clients.size;
  }

  /** Makes a response the stream of one page. `since`: the last id it has heard. */
  join(response: ServerResponse, since?: string, follows?: string): void {
    if (this.#clients.size >= MOST_CLIENTS) {
      throw new SeamError("SEAM_VIEW_FULL", { count: this.#clients.size });
    }
    const client = new StreamClient(response, follows);
    const leave = () => {
      if (this.#clients.delete(client)) this.#changed();
    };
    response.once("close", leave);
    response.on("error", leave);
    response.writeHead(200, {
      "content-type": "text/event-stream",
      // Not even a proxy may keep it back.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
    response.write("retry: 1000\n\n");
    for (const message of this.#missed(since, follows)) response.write(message);
    this.#clients.add(client);
    this.#changed();
  }

  /** `only`: for pages that show this session, as "agent/session". */
  tell(event: StreamEvent, only?: string): void {
    if (this.#clients.size === 0 && this.#kept.length === 0) return;
    const id = ++this.#last;
    const message = this.#message(event, id);
    this.#keep({ id, message, only });
    for (const client of this.#clients) {
      if (only === undefined || client.follows === only) client.send(message, this.#reload);
    }
  }

  /** Bytes in memory for pages that come back. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  isFollowed(session: string): boolean {
    for (const { follows } of this.#clients) if (follows === session) return true;
    return false;
  }

  close(): void {
    clearInterval(this.#beat);
    for (const client of this.#clients) client.end();
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    this.#keptBytes += kept.message.length;
    while (this.#kept.length > MOST_KEPT || this.#keptBytes > MOST_KEPT_BYTES) {
      this.#keptBytes -= this.#kept.shift()?.message.length ?? 0;
    }
  }

  readonly #reload = (): Buffer => this.#message({ type: "reload" }, this.#last);

  #message(event: StreamEvent, id: number): Buffer {
    return Buffer.from(`id: ${this.#run}-${id}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** What came since; a page of which nobody knows what it missed gets its state anew. */
  #missed(since: string | undefined, follows: string | undefined): readonly Buffer[] {
    const [run, number] = since?.split("-") ?? [];
    const after = Number(number);
    const first = this.#kept[0]?.id ?? this.#last + 1;
    if (run !== this.#run || !(after >= first - 1 && after <= this.#last)) return [this.#reload()];
    return this.#kept
      .filter(({ id, only }) => id > after && (only === undefined || only === follows))
      .map(({ message }) => message);
  }

  #changed(): void {
    if (this.#clients.size === 0) {
      clearInterval(this.#beat);
      this.#beat = undefined;
    } else {
      this.#beat ??= setInterval(() => {
        for (const client of this.#clients) client.beat(this.#reload);
      }, BEAT_MS).unref();
    }
    this.#onCount(this.#clients.size);
  }
}
