import type { ServerResponse } from "node:http";
import type { RunEvent } from "../model/run-event.ts";
import type { AttemptEvent } from "../workers/index.ts";

/** A line of the stream of somebody who follows a run. */
export type FollowLine =
  | ({ readonly type: "event" } & RunEvent)
  | { readonly type: "live"; readonly attempt: string; readonly event: AttemptEvent };

interface Follower {
  readonly response: ServerResponse;
  readonly run: string;
  /** What comes while the story so far is read is told after it. */
  early: FollowLine[] | undefined;
  last: number;
}

/** A follower that is further behind has stopped reading: it is let go and asks anew when it comes back. */
const MOST_BUFFERED = 4 * 1024 * 1024;

/** Everybody who follows a run: a terminal, the page. */
export class Followers {
  readonly #all = new Set<Follower>();

  get size(): number {
    return this.#all.size;
  }

  async add(
    response: ServerResponse,
    run: string,
    story: () => Promise<readonly RunEvent[]>,
  ): Promise<void> {
    const follower: Follower = { response, run, early: [], last: 0 };
    this.#all.add(follower);
    response.once("close", () => this.#all.delete(follower));
    response.writeHead(200, {
      "content-type": "application/x-ndjson",
      "cache-control": "no-store",
    });
    response.flushHeaders();
    const told = await story();
    const early = follower.early ?? [];
    follower.early = undefined;
    for (const event of told) write(follower, { type: "event", ...event });
    for (const line of early) write(follower, line);
  }

  tell(event: RunEvent): void {
    this.#pass(event.run, { type: "event", ...event });
  }

  show(attempt: string, event: AttemptEvent): void {
    this.#pass(attempt.split(".")[0] ?? "", { type: "live", attempt, event });
  }

  end(): void {
    for (const { response } of this.#all) response.end();
  }

  #pass(run: string, line: FollowLine): void {
    for (const follower of this.#all) {
      if (follower.run !== run) continue;
      if (follower.early) follower.early.push(line);
      else write(follower, line);
    }
  }
}

function write(follower: Follower, line: FollowLine): void {
  const { response } = follower;
  if (line.type === "event") {
    if (line.number <= follower.last) return;
    follower.last = line.number;
  }
  if (response.writableLength > MOST_BUFFERED) response.destroy();
  else response.write(`${JSON.stringify(line)}\n`);
}
