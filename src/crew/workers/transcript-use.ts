import {
  agentNamed,
  type FamilyState,
  scanFamily,
  type TokenUsage,
  totalTokens,
} from "../../agents/index.ts";
import { readText } from "../../files/index.ts";
import { callCost } from "../../search/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Use } from "../model/run.ts";
import { attemptFiles } from "./attempt-files.ts";
import { type AttemptSpec, placeOf } from "./attempt-spec.ts";

/** What a session had used before an attempt went on with it. */
interface Base {
  readonly tokens: number;
  readonly turns: number;
}

type Counted = Omit<Use, "minutes">;

const NOTHING: Counted = { tokens: 0, turns: 0 };

/**
 * Counts what an attempt uses from its transcript while it works: most agents tell it nowhere else
 * before they are done.
 */
export class TranscriptUse {
  readonly #spec: AttemptSpec;
  readonly #base: Base;
  #state: FamilyState | undefined;
  #last: TokenUsage | undefined;
  #dollars: number | undefined;
  #use: Counted = NOTHING;

  constructor(spec: AttemptSpec) {
    this.#spec = spec;
    this.#base = baseIn(readText(attemptFiles(spec.folder).base));
  }

  get use(): Counted {
    return this.#use;
  }

  /** Reads what was appended. Never throws: without a transcript nothing is known. */
  async count(transcript: string, model: string | undefined): Promise<void> {
    const agent = agentNamed(this.#spec.agent);
    if (!agent) return;
    try {
      const { total, state, main } = await scanFamily(agent, transcript, {
        want: "tokens",
        from: this.#state,
      });
      if (main.missing) return;
      this.#state = state;
      this.#price(total, model ?? this.#spec.model);
      this.#use = {
        tokens: Math.max(0, tokensOf(total) - this.#base.tokens),
        turns: Math.max(0, callsOf(total) - this.#base.turns),
        ...(this.#dollars !== undefined && { dollars: this.#dollars }),
      };
    } catch {
      // The next look may find it whole.
    }
  }

  /** What came since the last look is priced as one call: looks come often. */
  #price(total: TokenUsage, model: string | undefined): void {
    const before = this.#last;
    this.#last = total;
    if (!before && this.#base.tokens > 0) return;
    const since = (
      name: "input_tokens" | "output_tokens" | "cache_creation_tokens" | "cache_read_tokens",
    ) => Math.max(0, sumOf(total, name) - (before ? sumOf(before, name) : 0));
    const tokens = {
      input_tokens: since("input_tokens"),
      output_tokens: since("output_tokens"),
      cache_creation_tokens: since("cache_creation_tokens"),
      cache_read_tokens: since("cache_read_tokens"),
      api_call_count: 0,
    };
    const cost = callCost(model, { key: "", tokens }, loadUserSettings().prices);
    if (cost !== undefined) this.#dollars = (this.#dollars ?? 0) + cost;
  }
}

/** What the session that an attempt goes on with has used so far. */
export async function usedBefore(spec: AttemptSpec): Promise<Base> {
  const agent = agentNamed(spec.agent);
  const ref = spec.resume === undefined ? undefined : transcriptOf(spec, spec.resume);
  const total =
    agent && ref !== undefined ? await totalTokens(agent, ref).catch(() => undefined) : undefined;
  return total ? { tokens: tokensOf(total), turns: callsOf(total) } : { tokens: 0, turns: 0 };
}

/** Where an agent keeps a session, for those that do not say it. */
export function transcriptOf(spec: AttemptSpec, session: string): string | undefined {
  try {
    return agentNamed(spec.agent)?.sessions.file(placeOf(spec), session);
  } catch {
    return undefined;
  }
}

function tokensOf(total: TokenUsage): number {
  const { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens } = total;
  const own = input_tokens + output_tokens + cache_creation_tokens + cache_read_tokens;
  return own + (total.subagent_tokens ? tokensOf(total.subagent_tokens) : 0);
}

function callsOf(total: TokenUsage): number {
  return total.api_call_count + (total.subagent_tokens ? callsOf(total.subagent_tokens) : 0);
}

function sumOf(total: TokenUsage, name: Exclude<keyof TokenUsage, "subagent_tokens">): number {
  return total[name] + (total.subagent_tokens ? sumOf(total.subagent_tokens, name) : 0);
}

function baseIn(text: string | undefined): Base {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (isRecord(value) && typeof value.tokens === "number" && typeof value.turns === "number") {
      return { tokens: value.tokens, turns: value.turns };
    }
  } catch {
    // It was cut off with the machine.
  }
  return { tokens: 0, turns: 0 };
}
