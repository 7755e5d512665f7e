import type { TranscriptEntry } from "./entry.ts";
import { compact, list, record, text } from "./json.ts";
import { textOf } from "./text-blocks.ts";

/** One thing of a conversation as a person reads it, the same for every agent. */
export interface StoryEntry {
  readonly kind: "prompt" | "answer" | "call" | "failure" | "compaction";
  /** What was said; of a call its command, file or the like; of a failure what came back. */
  readonly text?: string;
  /** Of a call: the tool in the words every extension knows. */
  readonly tool?: string;
  /** Of a call and its failure. */
  readonly call_id?: string;
  /** The call did not fail: the user refused or stopped it. */
  readonly refused?: true;
  /** The subagent that said or did it, where that is written into its parent's transcript. */
  readonly child?: string;
}

/** More of a text is not read: a person is shown a line of it. */
const MOST_TEXT = 4_000;

/** Undefined for what a person need not read. Longer texts than `most` are cut. */
export function storyEntryOf(entry: TranscriptEntry, most = MOST_TEXT): StoryEntry | undefined {
  const shortened = (said: string | undefined) =>
    said === undefined || said.trim() === "" ? undefined : beginningOf(said, most);
  const { kind, tool } = entry;
  const shared = { child: entry.inSubagent, call_id: tool?.callId };
  if (kind === "compaction") return { kind };
  if (kind === "user" || kind === "assistant") {
    const said = shortened(entry.story ?? entry.text);
    const who = kind === "user" ? ("prompt" as const) : ("answer" as const);
    return said === undefined ? undefined : compact({ kind: who, text: said, ...shared });
  }
  if (kind === "tool_call" && tool) {
    const name = tool.name || tool.nativeName;
    return compact({ kind: "call" as const, text: shortened(tool.about), tool: name, ...shared });
  }
  if (kind !== "tool_result" || !tool?.isError) return undefined;
  return compact({
    kind: "failure" as const,
    text: shortened(tool.about ?? resultText(tool.output)),
    refused: tool.refused,
    ...shared,
  });
}

const SPACE = /\s/;

/**
 * The beginning of a text, to be searched for secrets. It ends between two words: of half a word
 * nobody could say whether it is a part of a key.
 */
export function beginningOf(said: string, most = MOST_TEXT): string {
  if (said.length <= most) return said;
  let end = most - 1;
  // From the end, which is where a word nearly always ends soon: a regular expression begins at the start.
  while (end > 0 && !SPACE.test(said.charAt(end))) end--;
  return said.slice(0, end > 0 ? end : most);
}

/** What a tool gave back as text, whatever its agent wraps around it. */
export function resultText(output: unknown): string | undefined {
  const said = textOf(output);
  if (said !== undefined) return said;
  if (Array.isArray(output)) {
    return text(
      list(output)
        .flatMap((one) => resultText(one) ?? [])
        .join("\n"),
    );
  }
  for (const key of WRAPPERS) {
    const inner = record(output)[key];
    const found = inner === undefined ? undefined : resultText(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The fields in which agents hand on a result, the telling ones first. */
const WRAPPERS = [
  "error",
  "message",
  "output",
  "content",
  "text",
  "functionResponse",
  "response",
  "stderr",
  "stdout",
  "result",
] as const;

/** How many entries of the beginning and of the end are kept of a story. */
export const MOST_FIRST = 20;
const MOST_LAST = 100;

/** The beginning and the end of what was told, and how much of the middle is left out. */
export interface ToldStory {
  readonly entries: readonly StoryEntry[];
  readonly left_out?: number;
  /** The calls that started subagents, by the id of the subagent, as far as they are known. */
  readonly started_by?: Readonly<Record<string, string>>;
}

/** What the parts of a transcript tell, one after the other. Never grows beyond a bound. */
export function joinStories(...parts: readonly ToldStory[]): ToldStory {
  const entries = parts.flatMap((part) => part.entries);
  const before = parts.reduce((sum, { left_out = 0 }) => sum + left_out, 0);
  const over = Math.max(0, entries.length - MOST_FIRST - MOST_LAST);
  const left_out = before + over;
  const kept =
    over === 0 ? entries : [...entries.slice(0, MOST_FIRST), ...entries.slice(-MOST_LAST)];
  const started = parts.flatMap(({ started_by = {} }) => Object.entries(started_by));
  const started_by = Object.fromEntries(started.slice(-MOST_LAST));
  return {
    entries: kept,
    ...(left_out > 0 && { left_out }),
    ...(started.length > 0 && { started_by }),
  };
}

/** Collects the story of a transcript while it is read. */
export class StoryCollector {
  #told: ToldStory = { entries: [] };
  #new: StoryEntry[] = [];

  add(entry: TranscriptEntry): void {
    const told = storyEntryOf(entry);
    if (!told) return;
    this.#new.push(told);
    if (this.#new.length >= MOST_LAST) this.#fold();
  }

  story(): ToldStory {
    this.#fold();
    return this.#told;
  }

  #fold(): void {
    this.#told = joinStories(this.#told, { entries: this.#new });
    this.#new = [];
  }
}
