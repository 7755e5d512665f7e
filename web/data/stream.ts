import { SseParser } from "./sse-parser.ts";

export type StreamState = "connecting" | "open" | "lost";

interface Listeners<Event> {
  hear(event: Event): void;
  changed(state: StreamState): void;
  /** The server refused: no use in trying again with the same cookie. */
  refused(status: number): void;
}

/** How long it waits before it tries again, each time longer. */
const WAITS = [300, 1_000, 2_000, 5_000, 10_000];
/** The server says something at least three times in this time, if only that it is there. */
const SILENCE = 60_000;

/**
 * A stream of server-sent events that comes back by itself and goes on after the last event it had.
 * It is read with fetch, because EventSource gives up on an error and does not say which.
 */
export class Stream<Event> {
  readonly #url: string;
  readonly #listeners: Listeners<Event>;
  readonly #waits: readonly number[];
  #lastId: string | undefined;
  #running: AbortController | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(url: string, listeners: Listeners<Event>, waits = WAITS) {
    this.#url = url;
    this.#listeners = listeners;
    this.#waits = waits;
    void this.#connect();
  }

  /** Tries at once, for example because the machine woke up. */
  retry(): void {
    if (this.#timer === undefined || this.#isClosed) return;
    clearTimeout(this.#timer);
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  async #connect(): Promise<void> {
    this.#timer = undefined;
    this.#listeners.changed("connecting");
    const running = new AbortController();
    this.#running = running;
    try {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (this.#lastId !== undefined) headers["last-event-id"] = this.#lastId;
      const response = await fetch(this.#url, { headers, signal: running.signal });
      if (response.status === 401 || response.status === 403) {
        this.close();
        this.#listeners.refused(response.status);
        return;
      }
      if (response.ok && response.body) await this.#read(response.body, running);
    } catch {
      // A connection that broke is tried again below, like one that ended.
    }
    if (this.#isClosed) return;
    this.#listeners.changed("lost");
    const wait = this.#waits[Math.min(this.#failures++, this.#waits.length - 1)];
    this.#timer = setTimeout(() => void this.#connect(), wait);
  }

  async #read(body: ReadableStream<Uint8Array>, running: AbortController): Promise<void> {
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    this.#listeners.changed("open");
    this.#failures = 0;
    let silence = setTimeout(() => running.abort(), SILENCE);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(() => running.abort(), SILENCE);
        for (const { data, id } of parser.take(decoder.decode(value, { stream: true }))) {
          if (id !== undefined) this.#lastId = id;
          this.#hear(data);
        }
      }
    } finally {
      clearTimeout(silence);
    }
  }

  /** An event that cannot be read, or a listener that fails, does not end the stream. */
  #hear(data: string): void {
    try {
      const event: Event = JSON.parse(data);
      this.#listeners.hear(event);
    } catch (error) {
      console.error("An event of the stream could not be taken.", error);
    }
  }
}
