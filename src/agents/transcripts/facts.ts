import { type SkillEvent, type TokenUsage, tokensSince } from "../../events/index.ts";
import type { TranscriptEntry } from "./entry.ts";
import { compact } from "./json.ts";
import { StoryCollector, type ToldStory } from "./story.ts";
import { type LedgerState, UsageLedger } from "./usage-ledger.ts";

/** What the user asked, and where it stands in the transcript. */
export interface Prompt {
  readonly text: string;
  readonly position: number;
  readonly id?: string;
  /** ISO. */
  readonly at?: string;
}

/** A subagent that a session started. */
export interface Subagent {
  readonly id?: string;
  readonly type?: string;
  readonly ref?: string;
  /** The id of the call that started it. */
  readonly call?: string;
}

/** What the part of a transcript that was read says. */
export interface Facts {
  readonly prompts: readonly Prompt[];
  /** Files changed by calls that did not fail, in the order they were first changed. */
  readonly files: readonly string[];
  /** The same for children that are written into this file. */
  readonly subagentFiles: readonly string[];
  /** What this part added; `subagent_tokens` only for children that are written into this file. */
  readonly tokens: TokenUsage;
  /** A skill whose result comes later is told again, under the same id, once that is there. */
  readonly skills: readonly SkillEvent[];
  readonly model?: string;
  readonly lastPrompt?: string;
  readonly lastAnswer?: string;
  readonly summary?: string;
  /** When the user stopped the agent, "" if that is not told; false if it has gone on since. */
  readonly interrupted?: string | false;
  readonly compactions: number;
  readonly toolResults: number;
  /** What was said and done, shortened. */
  readonly story: ToldStory;
  readonly subagents: readonly Subagent[];
  /** When its first entry was written, as far as entries say that. ISO. */
  readonly began?: string;
  /** Where what is not history begins, if there was history before it in this part. */
  readonly begins?: number;
  /** Sessions whose history is in this part, the latest last; perhaps its own among them. */
  readonly origins: readonly string[];
  /** Where what comes after the call that was asked for begins, if this part tells of it. */
  readonly afterCall?: number;
  /** Where what the agent said or did after the time that was asked for begins, if it did. */
  readonly afterTime?: number;
  /** What was used from there on, of the call if this part tells of it. */
  readonly usedAfter?: TokenUsage;
}

export interface FactsState {
  readonly usage: LedgerState;
  /** Skills whose result was not there yet. */
  readonly skills: readonly SkillEvent[];
}

interface CollectorOptions {
  readonly state?: FactsState | undefined;
  /** The transcript is that of a child, so what its child did is its own. */
  readonly ownChild?: boolean;
  readonly onlyTokens?: boolean;
  /** ISO. What is dated before is the history of another session, or of this one unrecorded. */
  readonly since?: string | undefined;
  /** The id of a tool call whose end is looked for. */
  readonly call?: string | undefined;
  /** ISO. What the agent did first after this time is looked for. */
  readonly time?: string | undefined;
}

const MOST_OPEN_SKILLS = 16;

/** Collects what entries say. */
export class FactsCollector {
  readonly #unit: string;
  readonly #ownChild: boolean;
  readonly #onlyTokens: boolean;
  readonly #since: number;
  readonly #call: string | undefined;
  readonly #time: number;
  readonly #ledger: UsageLedger;
  readonly #before: TokenUsage;
  readonly #prompts: Prompt[] = [];
  readonly #files = new ChangedFiles();
  readonly #subagentFiles = new ChangedFiles();
  readonly #skills = new Map<string, SkillEvent>();
  readonly #openSkills = new Map<string, SkillEvent>();
  readonly #subagents = new Map<string, Subagent>();
  readonly #story = new StoryCollector();
  #began: string | undefined;
  #model: string | undefined;
  #lastAnswer: string | undefined;
  #summary: string | undefined;
  #interrupted: string | false | undefined;
  #compactions = 0;
  #toolResults = 0;
  #history: number | undefined;
  #afterCall: number | undefined;
  #afterTime: number | undefined;
  /** What was used before those places. */
  #usedUntilCall: TokenUsage | undefined;
  #usedUntilTime: TokenUsage | undefined;
  /** Where each session that is named was named first. */
  readonly #origins = new Map<string, number>();

  constructor(unit: string, options: CollectorOptions = {}) {
    this.#unit = unit;
    this.#ownChild = options.ownChild ?? false;
    this.#onlyTokens = options.onlyTokens ?? false;
    this.#since = Date.parse(options.since ?? "");
    this.#call = options.call;
    this.#time = Date.parse(options.time ?? "");
    this.#ledger = new UsageLedger(options.state?.usage);
    this.#before = this.#ledger.total();
    for (const event of options.state?.skills ?? []) this.#remember(event);
  }

  add(entry: TranscriptEntry, position: number): void {
    if (entry.session !== undefined && !this.#origins.has(entry.session)) {
      this.#origins.set(entry.session, position);
    }
    this.#began ??= entry.at;
    // Entries without a date stand among those that have one.
    if (Date.parse(entry.at ?? "") < this.#since) {
      this.#history = position;
      return;
    }
    const isChild = entry.inSubagent !== undefined && !this.#ownChild;
    this.#noteEnd(entry, position);
    if (entry.usage) this.#ledger.put(entry.usage, isChild);
    if (this.#onlyTokens) return;
    this.#story.add(entry);
    this.noteCall(entry, position);
    if (entry.tool) (isChild ? this.#subagentFiles : this.#files).note(entry.tool);
    if (entry.subagent) {
      this.#noteSubagent(compact({ call: entry.tool?.callId, ...entry.subagent }));
    }
    if (entry.skill) this.#noteSkill(entry, entry.skill, position);
    if (entry.kind === "tool_result") this.#noteResult(entry, position);
    if (isChild) return;
    if (entry.kind === "compaction") this.#compactions++;
    if (entry.interrupts) this.#interrupted = entry.at ?? "";
    else if (entry.kind === "assistant" || entry.kind === "tool_call") this.#interrupted = false;
    if (entry.model !== undefined) this.#model = entry.model;
    if (entry.summary !== undefined) this.#summary = entry.summary;
    if (entry.text === undefined) return;
    if (entry.kind === "assistant") this.#lastAnswer = entry.text;
    if (entry.kind === "user") {
      const { text, id, at } = entry;
      this.#prompts.push(compact({ text, position, id, at }));
    }
  }

  /** Whether what is asked for is over with this entry, which comes after it. */
  #noteEnd({ kind, at = "" }: TranscriptEntry, position: number): void {
    if (this.#afterCall !== undefined && position >= this.#afterCall) {
      this.#usedUntilCall ??= this.#ledger.total();
    }
    const isDone = kind === "assistant" || kind === "tool_call";
    if (this.#afterTime !== undefined || !isDone || !(Date.parse(at) > this.#time)) return;
    this.#afterTime = position;
    this.#usedUntilTime = this.#ledger.total();
  }

  /** Where the call that is asked for ends, also if its message is not read yet. */
  noteCall({ tool }: TranscriptEntry, position: number): void {
    if (this.#call !== undefined && tool?.callId === this.#call) this.#afterCall = position + 1;
  }

  facts(): Facts {
    const until = this.#afterCall === undefined ? this.#usedUntilTime : this.#usedUntilCall;
    return compact({
      prompts: this.#prompts,
      files: this.#files.changed(),
      subagentFiles: this.#subagentFiles.changed(),
      tokens: tokensSince(this.#before, this.#ledger.total()),
      skills: [...this.#skills.values()],
      began: this.#began,
      model: this.#model,
      lastPrompt: this.#prompts.at(-1)?.text,
      lastAnswer: this.#lastAnswer,
      summary: this.#summary,
      interrupted: this.#interrupted,
      compactions: this.#compactions,
      toolResults: this.#toolResults,
      story: this.#story.story(),
      subagents: [...this.#subagents.values()],
      // A session that is only named, without any of its entries, is not history.
      origins: [...this.#origins]
        .filter(([, named]) => this.#history !== undefined && this.#history > named)
        .map(([session]) => session),
      afterCall: this.#afterCall,
      afterTime: this.#afterTime,
      usedAfter: until && tokensSince(until, this.#ledger.total()),
      begins: this.#history === undefined ? undefined : this.#history + 1,
    });
  }

  /** Of all that was read so far, in this scan and those before. */
  total(): TokenUsage {
    return this.#ledger.total();
  }

  state(): FactsState {
    return {
      usage: this.#ledger.state(),
      skills: [...this.#openSkills.values()].slice(-MOST_OPEN_SKILLS),
    };
  }

  #noteSubagent(subagent: Subagent): void {
    const key = subagent.id ?? subagent.ref ?? `${this.#subagents.size}`;
    this.#subagents.set(key, { ...this.#subagents.get(key), ...subagent });
  }

  #noteSkill(entry: TranscriptEntry, skill: SkillEvent, position: number): void {
    const callId = entry.tool?.callId;
    const transcript_anchor = skill.transcript_anchor ?? {
      unit: this.#unit,
      start: position,
      end: position,
      ...(entry.id !== undefined && { entry_ids: [entry.id] }),
      ...(callId !== undefined && { tool_use_id: callId }),
    };
    const event = { ...skill, transcript_anchor };
    this.#skills.set(keyOf(event), event);
    this.#remember(event);
  }

  #remember(event: SkillEvent): void {
    const callId = event.transcript_anchor?.tool_use_id;
    if (callId !== undefined) this.#openSkills.set(callId, event);
  }

  #noteResult({ tool }: TranscriptEntry, position: number): void {
    this.#toolResults++;
    const open = tool?.callId === undefined ? undefined : this.#openSkills.get(tool.callId);
    if (!open?.transcript_anchor || tool?.callId === undefined) return;
    this.#openSkills.delete(tool.callId);
    const event = { ...open, transcript_anchor: { ...open.transcript_anchor, end: position } };
    this.#skills.set(keyOf(event), event);
  }
}

const keyOf = (event: SkillEvent) => event.id ?? JSON.stringify(event);

/** Files of calls, without those that turn out to have failed. */
class ChangedFiles {
  readonly #calls: { readonly callId?: string; readonly files: readonly string[] }[] = [];
  readonly #failed = new Set<string>();

  note({ callId, files, isError }: NonNullable<TranscriptEntry["tool"]>): void {
    if (isError && callId !== undefined) this.#failed.add(callId);
    if (files && !isError) this.#calls.push(compact({ callId, files }));
  }

  changed(): string[] {
    const stood = this.#calls.filter(
      ({ callId }) => callId === undefined || !this.#failed.has(callId),
    );
    return [...new Set(stood.flatMap(({ files }) => files))];
  }
}
