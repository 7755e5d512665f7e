import { type EntryUsage, type TranscriptEntry, UsageLedger } from "../../agents/index.ts";
import type { TokenUsage } from "../../events/index.ts";
import { callCost } from "../../search/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import type { PromptMark, Todo } from "../api.ts";
import { keyOf } from "./piece-key.ts";
import type { Piece } from "./pieces.ts";
import { todosIn } from "./todos.ts";

/** More prompts than anybody jumps between; the last ones are kept. */
const MOST_PROMPTS = 5_000;
const PROMPT_TEXT = 200;
const MOST_FILES = 2_000;

/** What a session comes to, collected while its transcript is read. */
export class SessionFacts {
  readonly prompts: PromptMark[] = [];
  readonly files = new Set<string>();
  readonly #callFiles = new Map<string, readonly string[]>();
  readonly #ledger = new UsageLedger(undefined);
  entries = 0;
  title: string | undefined;
  model: string | undefined;
  startedAt: string | undefined;
  lastAt: string | undefined;
  todos: readonly Todo[] | undefined;
  forkOf: string | undefined;
  /** Of the last call of the model: what it was given fills its window. */
  lastUsage: TokenUsage | undefined;
  #isUsed = false;
  readonly #cost = new CostSum();

  get usage(): TokenUsage | undefined {
    return this.#isUsed ? this.#ledger.total() : undefined;
  }

  /** In dollars; undefined if a price is missing: a part of a sum would be taken for all of it. */
  get cost(): number | undefined {
    return this.#cost.sum;
  }

  note(entries: readonly TranscriptEntry[]): void {
    for (const entry of entries) {
      const isChild = entry.inSubagent !== undefined;
      if (entry.usage) {
        this.#isUsed = true;
        this.#ledger.put(entry.usage, isChild);
        this.#cost.put(entry.model ?? this.model, entry.usage);
        if (!isChild) this.lastUsage = entry.usage.tokens;
      }
      if (isChild) continue;
      if (entry.model !== undefined) this.model = entry.model;
      if (entry.summary !== undefined) this.title = entry.summary;
      if (entry.at !== undefined) {
        this.startedAt ??= entry.at;
        this.lastAt = entry.at;
      }
    }
  }

  /** `piece` is the next one that is shown, of the session itself. */
  count(piece: Piece): void {
    const index = this.entries++;
    if (piece.kind === "prompt") {
      const { at } = piece;
      const text = piece.text.slice(0, PROMPT_TEXT);
      this.prompts.push({ key: keyOf(piece), index, text, ...(at !== undefined && { at }) });
      if (this.prompts.length > MOST_PROMPTS) this.prompts.shift();
    }
    if (piece.kind !== "call") return;
    const { callId, files, input } = piece.entry.tool ?? {};
    this.todos = todosIn(input) ?? this.todos;
    if (!files) return;
    if (callId === undefined) this.#changed(files);
    else this.#callFiles.set(callId, files);
  }

  /** Files of a call count once it is known that the call did not fail. */
  result({ entry: { tool } }: Extract<Piece, { kind: "result" }>): void {
    const files = tool?.callId === undefined ? undefined : this.#callFiles.get(tool.callId);
    if (!files || tool?.callId === undefined) return;
    this.#callFiles.delete(tool.callId);
    if (!tool.isError) this.#changed(files);
  }

  #changed(files: readonly string[]): void {
    for (const file of files) if (this.files.size < MOST_FILES) this.files.add(file);
  }
}

/** Agents repeat a usage on the next lines, not hundreds of calls later. */
const MOST_OPEN = 64;

/** Adds up what calls of the model cost: of those with one key, the last one counts. */
export class CostSum {
  readonly #prices = loadUserSettings().prices;
  readonly #open = new Map<string, number>();
  #sum = 0;
  #calls = 0;
  #isUnknown = false;

  get sum(): number | undefined {
    return this.#calls === 0 || this.#isUnknown ? undefined : this.#sum;
  }

  put(model: string | undefined, usage: EntryUsage): void {
    const cost = callCost(model, usage, this.#prices);
    this.#calls++;
    if (cost === undefined) {
      this.#isUnknown = true;
      return;
    }
    this.#sum += cost - (this.#open.get(usage.key) ?? 0);
    this.#open.delete(usage.key);
    this.#open.set(usage.key, cost);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }
}
