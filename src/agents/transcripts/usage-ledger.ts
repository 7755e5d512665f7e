import { addTokens, noTokens, type TokenUsage } from "../../events/index.ts";
import type { EntryUsage } from "./entry.ts";

/** Calls of the model whose usage may still be written again. */
interface OpenCall {
  readonly key: string;
  readonly tokens: TokenUsage;
  /** A subagent made the call, and its parent's file has it. */
  readonly child?: true;
}

export interface LedgerState {
  readonly settled: TokenUsage;
  readonly open: readonly OpenCall[];
}

/** Agents repeat a usage on the next lines, not hundreds of calls later. */
const KEPT_OPEN = 32;
const MOST_OPEN = 4096;

/** Adds up usage of which entries with one key are one call of the model: the last one counts. */
export class UsageLedger {
  #settled: TokenUsage;
  readonly #open: Map<string, OpenCall>;

  constructor(state?: LedgerState) {
    this.#settled = state?.settled ?? noTokens();
    this.#open = new Map(state?.open.map((call) => [call.key, call]));
  }

  put({ key, tokens }: EntryUsage, isChild: boolean): void {
    // The entry moves to the end: what was written last is settled last.
    this.#open.delete(key);
    this.#open.set(key, isChild ? { key, tokens, child: true } : { key, tokens });
    if (this.#open.size > MOST_OPEN) this.#settle(MOST_OPEN / 2);
  }

  total(): TokenUsage {
    let sum = this.#settled;
    for (const call of this.#open.values()) sum = addTokens(sum, asUsage(call));
    return sum;
  }

  state(): LedgerState {
    this.#settle(KEPT_OPEN);
    return { settled: this.#settled, open: [...this.#open.values()] };
  }

  #settle(keep: number): void {
    for (const [key, call] of this.#open) {
      if (this.#open.size <= keep) return;
      this.#settled = addTokens(this.#settled, asUsage(call));
      this.#open.delete(key);
    }
  }
}

function asUsage({ tokens, child }: OpenCall): TokenUsage {
  return child ? { ...noTokens(), subagent_tokens: tokens } : tokens;
}

/**
 * What the calls used that stand after the last known one in a transcript that was written anew.
 * Undefined if that cannot be told, because too many came after it.
 */
export function callsAfter(before: LedgerState, now: LedgerState): TokenUsage | undefined {
  const known = new Set(before.open.map(({ key }) => key));
  const last = now.open.findLastIndex(({ key }) => known.has(key));
  if (last < 0 && now.settled.api_call_count > 0) return undefined;
  return now.open
    .slice(last + 1)
    .map(asUsage)
    .reduce(addTokens, noTokens());
}
