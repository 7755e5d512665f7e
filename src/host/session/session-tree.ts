import { randomBytes, randomUUID } from "node:crypto";
import type {
  AgentMessage,
  CompactionResult,
  SessionEntry,
  SessionHeader,
  UserContent,
} from "../../events/index.ts";
import type { NewSession, SessionTreeNode } from "../../extensions/index.ts";

export interface SessionTreeOptions {
  readonly cwd: string;
  readonly id?: string;
  readonly parentSession?: string;
  /** Where the session is kept; undefined: in memory only. */
  readonly file?: string;
  readonly dir?: string;
}

type Draft<E> = E extends SessionEntry ? Omit<E, "id" | "parentId" | "timestamp"> : never;

/**
 * A session: entries that are only ever added, each below another, and the one where the
 * conversation stands. Moving back and going on makes a branch.
 */
export class SessionTree implements NewSession {
  readonly #header: SessionHeader;
  readonly #file: string | undefined;
  readonly #dir: string;
  readonly #entries: SessionEntry[] = [];
  readonly #byId = new Map<string, SessionEntry>();
  readonly #labels = new Map<string, string>();
  #leafId: string | null = null;

  constructor({ cwd, id = randomUUID(), parentSession, file, dir = "" }: SessionTreeOptions) {
    const timestamp = new Date().toISOString();
    const parent = parentSession === undefined ? {} : { parentSession };
    this.#header = { type: "session", version: 3, id, timestamp, cwd, ...parent };
    this.#file = file;
    this.#dir = dir;
  }

  getCwd = () => this.#header.cwd;
  getSessionDir = () => this.#dir;
  getSessionId = () => this.#header.id;
  getSessionFile = () => this.#file;
  getHeader = () => this.#header;
  getEntries = () => [...this.#entries];
  getLeafId = () => this.#leafId;
  getLeafEntry = () => (this.#leafId === null ? undefined : this.#byId.get(this.#leafId));
  getEntry = (id: string) => this.#byId.get(id);
  getLabel = (id: string) => this.#labels.get(id);

  getSessionName(): string | undefined {
    const named = this.#entries.findLast((entry) => entry.type === "session_info");
    return named?.type === "session_info" ? named.name : undefined;
  }

  /** From the root to the given entry, or to where the session stands. */
  getBranch(fromId: string | null = this.#leafId): SessionEntry[] {
    const branch: SessionEntry[] = [];
    for (let id = fromId; id !== null; ) {
      const entry = this.#byId.get(id);
      if (!entry) break;
      branch.push(entry);
      id = entry.parentId;
    }
    return branch.reverse();
  }

  getTree(): SessionTreeNode[] {
    const nodes = new Map<string, SessionTreeNode>();
    const roots: SessionTreeNode[] = [];
    for (const entry of this.#entries) {
      const label = this.#labels.get(entry.id);
      const node = { entry, children: [], ...(label !== undefined && { label }) };
      nodes.set(entry.id, node);
      const parent = entry.parentId === null ? undefined : nodes.get(entry.parentId);
      (parent?.children ?? roots).push(node);
    }
    return roots;
  }

  appendMessage = (message: unknown) =>
    this.append({ type: "message", message: message as AgentMessage });
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

  /** Moves to an entry; what follows becomes a branch. Null: before everything. */
  moveTo(id: string | null): void {
    if (id === null || this.#byId.has(id)) this.#leafId = id;
  }

  append(draft: Draft<SessionEntry>): string {
    const id = this.#newId();
    const timestamp = new Date().toISOString();
    this.#add({ ...draft, id, parentId: this.#leafId, timestamp });
    return id;
  }

  #add(entry: SessionEntry): void {
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#leafId = entry.id;
    if (entry.type !== "label") return;
    if (entry.label) this.#labels.set(entry.targetId, entry.label);
    else this.#labels.delete(entry.targetId);
  }

  #newId(): string {
    for (;;) {
      const id = randomBytes(4).toString("hex");
      if (!this.#byId.has(id)) return id;
    }
  }
}
