import type { Headless, News } from "../../agents/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Use } from "../model/run.ts";

/** What the lines of an agent came to so far. */
export class Progress {
  readonly #headless: Headless;
  readonly #uses = new Map<string, { tokens: number; dollars?: number }>();
  #total: Extract<News, { kind: "total" }> | undefined;
  session: string | undefined;
  /** The last thing that the model said. */
  text = "";
  calls = 0;
  /** Calls that came back. */
  called = 0;
  done: Extract<News, { kind: "done" }> | undefined;
  failed: string | undefined;
  limited: Extract<News, { kind: "limited" }> | undefined;
  /** Lines that were not JSON, such as the message of a program that could not start. */
  readonly plain: string[] = [];

  constructor(headless: Headless) {
    this.#headless = headless;
  }

  /** Takes a line of the agent's output; gives what it told. */
  take(line: string): readonly News[] {
    const value = parsed(line);
    if (!value) {
      if (line.trim() !== "") this.plain.push(line.slice(0, 2_000));
      if (this.plain.length > 40) this.plain.shift();
      return [];
    }
    const news = this.#headless.read(value);
    for (const one of news) this.#note(one);
    return news;
  }

  /** What the model calls used that the output told of. */
  get use(): Omit<Use, "minutes"> {
    const all = [...this.#uses.values()];
    const tokens = this.#total?.tokens ?? all.reduce((sum, one) => sum + one.tokens, 0);
    const known = all.filter(({ dollars }) => dollars !== undefined);
    const dollars =
      this.#total?.dollars ??
      (known.length > 0 ? known.reduce((sum, one) => sum + (one.dollars ?? 0), 0) : undefined);
    const turns = this.#total?.calls ?? all.length;
    return { tokens, turns, ...(dollars !== undefined && { dollars }) };
  }

  #note(news: News): void {
    if (news.kind === "session") this.session ??= news.id;
    else if (news.kind === "text") this.text = news.text;
    else if (news.kind === "call") this.calls += 1;
    else if (news.kind === "called") this.called += 1;
    else if (news.kind === "use") {
      const { tokens, dollars } = news;
      const id = news.id ?? `#${this.#uses.size}`;
      this.#uses.set(id, { tokens, ...(dollars !== undefined && { dollars }) });
    } else if (news.kind === "total") this.#total = { ...this.#total, ...news };
    else if (news.kind === "done") {
      // A call that failed may have been tried again: what is said last counts.
      this.done = news;
      this.failed = undefined;
    } else if (news.kind === "failed") {
      this.failed = news.reason;
      this.done = undefined;
    } else this.limited = news;
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
