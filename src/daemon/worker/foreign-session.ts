import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import type { CustomEntry, SessionEntry, SessionHeader } from "../../events/index.ts";
import type { ReadonlySessionManager, SessionTreeNode } from "../../extensions/index.ts";

interface Options {
  readonly cwd: string;
  readonly sessionId: string;
  readonly sessionFile: string | undefined;
}

/**
 * The session of a foreign agent as extensions see it: who it is and where it is kept. Its
 * conversation is the agent's own; what extensions append lives as long as the worker.
 */
export class ForeignSession implements ReadonlySessionManager {
  readonly #options: Options;
  readonly #startedAt = new Date().toISOString();
  readonly #entries: CustomEntry[] = [];
  #name: string | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  append(customType: string, data: unknown): void {
    const parentId = this.getLeafId();
    const timestamp = new Date().toISOString();
    const id = randomUUID().slice(0, 8);
    this.#entries.push({ type: "custom", id, parentId, timestamp, customType, data });
  }

  setName(name: string): void {
    this.#name = name;
  }

  getCwd = (): string => this.#options.cwd;
  getSessionDir = (): string => {
    const file = this.getSessionFile();
    return file === undefined ? this.#options.cwd : dirname(file);
  };
  getSessionId = (): string => this.#options.sessionId;
  getSessionFile = (): string | undefined => this.#options.sessionFile;
  getLeafId = (): string | null => this.#entries.at(-1)?.id ?? null;
  getLeafEntry = (): SessionEntry | undefined => this.#entries.at(-1);
  getEntry = (id: string): SessionEntry | undefined =>
    this.#entries.find((entry) => entry.id === id);
  getLabel = (): undefined => undefined;
  getBranch = (fromId?: string): SessionEntry[] => {
    const end = this.#entries.findIndex(({ id }) => id === fromId);
    return end < 0 ? [...this.#entries] : this.#entries.slice(0, end + 1);
  };
  getHeader = (): SessionHeader => ({
    type: "session",
    id: this.#options.sessionId,
    timestamp: this.#startedAt,
    cwd: this.#options.cwd,
  });
  getEntries = (): SessionEntry[] => [...this.#entries];
  getTree = (): SessionTreeNode[] =>
    this.#entries.reduceRight<SessionTreeNode[]>((children, entry) => [{ entry, children }], []);
  getSessionName = (): string | undefined => this.#name;
}
