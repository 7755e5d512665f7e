import { isRecord } from "../../values/index.ts";
import { StreamReader } from "./stream-reader.ts";

/** What the hooks of an attempt told the daemon, read from the attempt's folder. */
export class HeardHooks {
  readonly #reader: StreamReader;
  /** Hooks of any kind. */
  count = 0;
  /** Tool calls that came before the gate. */
  gated = 0;
  /** Calls that the gate refused. */
  refused = 0;
  session: string | undefined;
  transcript: string | undefined;
  model: string | undefined;

  constructor(path: string) {
    this.#reader = new StreamReader(path);
  }

  /** Reads what came since; true if something did. */
  read(): boolean {
    const before = this.count;
    this.#reader.read((line) => this.#take(line));
    return this.count > before;
  }

  #take(line: string): void {
    const heard = parsed(line);
    if (!heard) return;
    this.count += 1;
    const { events, session, transcript, model, blocked } = heard;
    if (Array.isArray(events) && events.includes("tool_call")) this.gated += 1;
    if (typeof blocked === "string") this.refused += 1;
    if (typeof session === "string") this.session ??= session;
    // Gemini CLI names another file at the start of a session that it goes on with.
    if (typeof transcript === "string") this.transcript = transcript;
    if (typeof model === "string") this.model = model;
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
