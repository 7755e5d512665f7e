import type { ServerResponse } from "node:http";
import type { EventName } from "../events/index.ts";

/** One event of an agent, as `seam events` shows it. */
export interface LiveEvent {
  readonly seq: number;
  /** ISO. */
  readonly at: string;
  readonly agent: string;
  /** The agent's own name of the hook. */
  readonly hook: string;
  readonly session?: string;
  readonly cwd?: string;
  /** Undefined for a hook that fires no event. */
  readonly event?: EventName;
  readonly tool?: string;
  /** What the tool works on: its command or path, shortened. */
  readonly target?: string;
  /** What handlers made of it; absent: nobody decided. */
  readonly decision?: string;
  readonly reason?: string;
  readonly by?: string;
  /** How long the answer took. */
  readonly ms?: number;
}

/** What a listener wants to see; absent means all. */
export interface LiveFilter {
  readonly agent?: string;
  /** The start of its id is enough. */
  readonly session?: string;
  readonly event?: string;
}

/** From when on a listener wants to hear: from a hook or a moment that may be over already. */
export interface LiveSince {
  /** What came after this hook. */
  readonly after?: number;
  /** ISO: what came from this moment on, for who has heard nothing yet. */
  readonly since?: string;
}

interface Listener {
  readonly filter: LiveFilter;
  readonly response: ServerResponse;
  lost: number;
}

/** A listener that is further behind loses events rather than the daemon its memory. */
const MOST_BUFFERED = 4 * 1024 * 1024;

/** So many events are kept for those who come a moment late. */
const MOST_LATEST = 1_000;

/** Everyone who follows what agents do right now. */
export class LiveEvents {
  readonly #listeners = new Set<Listener>();
  /** For who began to listen before there was a daemon, and for who lost the last one. */
  readonly #latest: LiveEvent[] = [];
  readonly #hear: (event: LiveEvent) => void;

  /** `hear` is called with every event before the listeners are. */
  constructor(hear: (event: LiveEvent) => void = () => {}) {
    this.#hear = hear;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  follow(filter: LiveFilter, response: ServerResponse, from: LiveSince = {}): void {
    const listener = { filter, response, lost: 0 };
    this.#listeners.add(listener);
    response.writeHead(200, {
      "content-type": "application/x-ndjson",
      "cache-control": "no-store",
    });
    response.flushHeaders();
    for (const event of this.#latest) {
      if (isSince(from, event) && matches(filter, event)) {
        response.write(`${JSON.stringify(event)}\n`);
      }
    }
    response.once("close", () => this.#listeners.delete(listener));
    response.on("error", () => this.#listeners.delete(listener));
  }

  publish(event: LiveEvent): void {
    this.#hear(event);
    this.#latest.push(event);
    if (this.#latest.length > MOST_LATEST) this.#latest.shift();
    for (const listener of this.#listeners) {
      if (!matches(listener.filter, event)) continue;
      if (listener.response.writableLength > MOST_BUFFERED) {
        listener.lost++;
        continue;
      }
      const missing = listener.lost > 0 && { lost: listener.lost };
      listener.lost = 0;
      listener.response.write(`${JSON.stringify({ ...event, ...missing })}\n`);
    }
  }

  end(): void {
    for (const { response } of this.#listeners) response.end();
  }
}

function isSince({ after, since }: LiveSince, { seq, at }: LiveEvent): boolean {
  if (after !== undefined) return seq > after;
  return since !== undefined && at >= since;
}

function matches({ agent, session, event }: LiveFilter, live: LiveEvent): boolean {
  if (agent !== undefined && live.agent !== agent) return false;
  if (session !== undefined && live.session?.startsWith(session) !== true) return false;
  return event === undefined || live.event === event || live.hook === event;
}
