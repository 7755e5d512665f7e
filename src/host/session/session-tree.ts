import { randomUUID } from "node:crypto";
import type {
  AgentMessage,
  BranchSummaryEntry,
  CompactionResult,
  SessionEntry,
  SessionHeader,
  UserContent,
} from "../../events/index.ts";
import type { NewSession } from "../../extensions/index.ts";
import { buildContext } from "./build-context.ts";
import { EntryIndex } from "./entry-index.ts";
import type { SessionProblem } from "./session-problem.ts";

export const SESSION_VERSION = 3;

export interface SessionTreeOptions {
  readonly cwd: string;
  readonly id?: string;
  readonly parentSession?: string;
  /** Where the session is kept; undefined: in memory only. */
  readonly file?: string;
  readonly dir?: string;
  /** Is called with an entry before the tree takes it. If it throws, the tree does not take it. */
  readonly onAppend?: (entry: SessionEntry, session: SessionTree) => void;
  /** What a session that was there before consists of. */
  readonly restored?: { readonly header: SessionHeader; readonly index: EntryIndex };
}

type Draft<E> = E extends SessionEntry ? Omit<E, "id" | "parentId" | "timestamp"> : never;

/**
 * A session: entries that are only ever added, each below another, and the one where the
 * conversation stands. Moving back and going on makes a branch.
 *
 * @example
 * const session = new SessionTree({ cwd: process.cwd() });
 * const id = session.appendMessage({ role: "user", content: "Hello", timestamp: Date.now() });
 * session.moveTo(id);
 */
export class SessionTree implements NewSession {
  readonly #header: SessionHeader;
  readonly #file: string | undefined;
  readonly #dir: string;
  readonly #index: EntryIndex;
  readonly #onAppend: SessionTreeOptions["onAppend"];
  #leafId: string | null;

  constructor({ file, dir = "", onAppend, ...options }: SessionTreeOptions) {
    this.#header = options.restored?.header ?? newHeader(options);
    this.#index = options.restored?.index ?? new EntryIndex();
    this.#leafId = this.#index.all.at(-1)?.id ?? null;
    this.#file = file;
    this.#dir = dir;
    this.#onAppend = onAppend;
  }

  /** A session in memory from entries of any origin; it stands where the last one was added. */
  static fromEntries(
    header: SessionHeader,
    entries: Iterable<SessionEntry>,
    options: Pick<SessionTreeOptions, "file" | "dir"> = {},
  ): { session: SessionTree; problems: SessionProblem[] } {
    const { index, problems } = EntryIndex.from(entries);
    const restored = { header, index };
    return { session: new SessionTree({ ...options, cwd: header.cwd, restored }), problems };
  }

  getCwd = () => this.#header.cwd;
  getSessionDir = () => this.#dir;
  getSessionId = () => this.#header.id;
  getSessionFile = () => this.#file;
  getHeader = () => this.#header;
  getEntries = () => [...this.#index.all];
  getLeafId = () => this.#leafId;
  getLeafEntry = () => (this.#leafId === null ? undefined : this.#index.get(this.#leafId));
  getEntry = (id: string) => this.#index.get(id);
  getLabel = (id: string) => this.#index.labels.get(id);
  getLabels = () => this.#index.labels;
  getChildren = (parentId: string | null) => this.#index.children(parentId);
  getTree = () => this.#index.tree();

  getSessionName(): string | undefined {
    const named = this.#index.all.findLast((entry) => entry.type === "session_info");
    return (named?.type === "session_info" && named.name?.trim()) || undefined;
  }

  /** From the root to the given entry, or to where the session stands. */
  getBranch(fromId: string | null = this.#leafId): SessionEntry[] {
    return this.#index.path(fromId);
  }

  /** What the model sees from where the session stands. */
  buildContext = () => buildContext(this.getBranch());

  appendMessage = (message: unknown) =>
    this.append({ type: "message", message: message as AgentMessage });
  appendModelChange = (provider: string, modelId: string) =>
    this.append({ type: "model_change", provider, modelId });
  appendThinkingLevelChange = (thinkingLevel: string) =>
    this.append({ type: "thinking_level_change", thinkingLevel });
  appendCustomEntry = (customType: string, data?: unknown) =>
    this.append({ type: "custom", customType, data });
  appendCustomMessageEntry = (
    customType: string,
    content: string | UserContent[],
    display: boolean,
    details?: unknown,
  ) => this.append({ type: "custom_message", customType, content, display, details });
  appendLabel = (targetId: string, label: string | undefined) =>
    this.append({ type: "label", targetId, label });
  appendSessionName = (name: string) => this.append({ type: "session_info", name });
  appendCompaction = (result: CompactionResult, fromHook: boolean) =>
    this.append({ type: "compaction", ...result, ...(fromHook && { fromHook }) });
  /** The summary becomes a child of the current entry, so move to the right one first. */
  appendBranchSummary = (
    summary: Pick<BranchSummaryEntry, "fromId" | "summary" | "details" | "fromHook">,
  ) => this.append({ type: "branch_summary", ...summary });

  /** Moves to an entry; what follows becomes a branch. Null: before everything. */
  moveTo(id: string | null): void {
    if (id === null || this.#index.has(id)) this.#leafId = id;
  }

  /** The next entry is a new beginning. */
  resetLeaf = () => this.moveTo(null);

  append(draft: Draft<SessionEntry>): string {
    const id = this.#newId();
    const timestamp = new Date().toISOString();
    // In an order that is good to read in the file: what it is first, its content last.
    const base = { type: draft.type, id, parentId: this.#leafId, timestamp };
    const entry: SessionEntry = Object.assign(base, draft);
    this.#onAppend?.(entry, this);
    this.#index.add(entry);
    this.#leafId = id;
    return id;
  }

  #newId(): string {
    for (;;) {
      // Random enough, and several times quicker than asking for four random bytes.
      const id = randomUUID().slice(0, 8);
      if (!this.#index.has(id)) return id;
    }
  }
}

export function newHeader(options: {
  cwd: string;
  id?: string;
  parentSession?: string;
}): SessionHeader {
  const { cwd, id = randomUUID(), parentSession } = options;
  const timestamp = new Date().toISOString();
  const parent = parentSession === undefined ? {} : { parentSession };
  return { type: "session", version: SESSION_VERSION, id, timestamp, cwd, ...parent };
}
