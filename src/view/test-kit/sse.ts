import type { StreamEvent } from "../api.ts";

/** What came over a stream so far. */
export class SseParser {
  readonly events: StreamEvent[] = [];
  lastId: string | undefined;
  #rest = "";

  add(part: Buffer): void {
    this.#rest += part.toString("utf8");
    for (let end = this.#rest.indexOf("\n\n"); end !== -1; end = this.#rest.indexOf("\n\n")) {
      const lines = this.#rest.slice(0, end).split("\n");
      this.#rest = this.#rest.slice(end + 2);
      for (const line of lines) {
        if (line.startsWith("id: ")) this.lastId = line.slice(4);
        if (line.startsWith("data: ")) this.events.push(JSON.parse(line.slice(6)));
      }
    }
  }
}
