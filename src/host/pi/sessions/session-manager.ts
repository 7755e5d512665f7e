import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SeamError } from "../../../errors/index.ts";
import {
  type ContextEditEntry,
  type SessionEntry,
  textOfContent,
  type Usage,
  type UserContent,
} from "../../../events/index.ts";
import { copyBranch } from "../../session/copy-branch.ts";
import { readSession, SessionFile } from "../../session/session-file.ts";
import { readSessionInfo, type SessionInfo } from "../../session/session-info.ts";
import { sessionDir as defaultDir, sessionsRoot } from "../../session/session-path.ts";
import { SessionStore } from "../../session/session-store.ts";
import { SessionTree } from "../../session/session-tree.ts";
import {
  buildContextEntries,
  buildSessionContext,
  buildSessionProjection,
  type FileEntry,
} from "./session-entries.ts";

interface NewSessionOptions {
  readonly id?: string;
  readonly parentSession?: string;
}

type Progress = (loaded: number, total: number) => void;

/** Pi's name for a session with its file: a face of Seam's own, which others may write meanwhile. */
export class SessionManager {
  #tree: SessionTree;
  readonly #cwd: string;
  readonly #dir: string;
  readonly #persist: boolean;
  /** A file that was opened is only read until something is added: reading needs no lock. */
  #isOnlyRead: boolean;

  private constructor(
    tree: SessionTree,
    options: { dir: string; persist: boolean; read?: boolean },
  ) {
    this.#tree = tree;
    this.#cwd = tree.getCwd();
    this.#dir = options.dir;
    this.#persist = options.persist;
    this.#isOnlyRead = options.read === true;
  }

  static create(cwd: string, dir?: string, options: NewSessionOptions = {}): SessionManager {
    const folder = dir ?? defaultDir(cwd);
    return new SessionManager(SessionFile.create({ cwd, dir: folder, ...options }), {
      dir: folder,
      persist: true,
    });
  }

  static open(path: string, dir?: string, cwd?: string): SessionManager {
    const file = resolve(path);
    // Whoever names a file that is not there wants the session to begin in it.
    if (!existsSync(file)) {
      const folder = dir ?? dirname(file);
      const begun = SessionFile.create({ cwd: cwd ?? process.cwd(), dir: folder, file });
      return new SessionManager(begun, { dir: folder, persist: true });
    }
    const { session } = readSession(file, cwd === undefined ? {} : { cwd });
    const options = { dir: dir ?? session.getSessionDir(), persist: true, read: true };
    return new SessionManager(session, options);
  }

  static continueRecent(cwd: string, dir?: string): SessionManager {
    const recent = dir === undefined ? new SessionStore().mostRecent(cwd) : sessionFilesIn(dir)[0];
    return recent === undefined
      ? SessionManager.create(cwd, dir)
      : SessionManager.open(recent, dir);
  }

  static inMemory(
    cwd: string = process.cwd(),
    options: NewSessionOptions = {},
    entries: readonly FileEntry[] = [],
  ): SessionManager {
    const empty = new SessionTree({ cwd, ...options });
    const header = entries.find((entry) => entry.type === "session") ?? empty.getHeader();
    const content = entries.filter((entry) => entry.type !== "session");
    const { session } = SessionTree.fromEntries(header, content);
    return new SessionManager(session, { dir: "", persist: false });
  }

  /** A session with the conversation of another one's file, for another folder. */
  static forkFrom(source: string, cwd: string, dir?: string, options: NewSessionOptions = {}) {
    const { session } = readSession(source);
    const folder = dir ?? defaultDir(cwd);
    const forked = SessionFile.create({
      cwd,
      dir: folder,
      parentSession: resolve(source),
      entries: session.getEntries(),
      ...options,
    });
    return new SessionManager(forked, { dir: folder, persist: true });
  }

  static findById(cwd: string, id: string, dir: string = defaultDir(cwd)): string | undefined {
    return sessionFilesIn(dir).find((path) => readSessionInfo(path)?.id === id);
  }

  static async list(cwd: string, dir?: string, onProgress?: Progress) {
    const infos = dir === undefined ? new SessionStore().list(cwd) : infosIn(dir);
    return listed(infos, onProgress);
  }

  static async listAll(dirOrProgress?: string | Progress, onProgress?: Progress) {
    if (typeof dirOrProgress === "string") return listed(infosIn(dirOrProgress), onProgress);
    return listed(new SessionStore({ root: sessionsRoot() }).list(), dirOrProgress ?? onProgress);
  }

  /** Seam's own session behind it. */
  get tree(): SessionTree {
    return this.#tree;
  }

  /** Seam's own session, ready to be written to. */
  get writable(): SessionTree {
    const file = this.#tree.getSessionFile();
    if (!this.#isOnlyRead || file === undefined) return this.#tree;
    const leafId = this.#tree.getLeafId();
    this.#tree = SessionFile.open(file, { cwd: this.#cwd }).session;
    this.#tree.moveTo(leafId);
    this.#isOnlyRead = false;
    return this.#tree;
  }

  setSessionFile(path: string): void {
    this.#tree = existsSync(path)
      ? readSession(path).session
      : SessionFile.create({ cwd: this.#cwd, dir: this.#dir });
    this.#isOnlyRead = existsSync(path);
  }

  newSession(options: NewSessionOptions = {}): string | undefined {
    this.#tree = this.#persist
      ? SessionFile.create({ cwd: this.#cwd, dir: this.#dir, ...options })
      : new SessionTree({ cwd: this.#cwd, ...options });
    this.#isOnlyRead = false;
    return this.#tree.getSessionFile();
  }

  isPersisted = () => this.#persist;
  getCwd = () => this.#cwd;
  getSessionDir = () => this.#dir;
  usesDefaultSessionDir = () => this.#dir === defaultDir(this.#cwd);
  getSessionId = () => this.#tree.getSessionId();
  getSessionFile = () => this.#tree.getSessionFile();
  getSessionName = () => this.#tree.getSessionName();
  getHeader = () => this.#tree.getHeader();
  getEntries = () => this.#tree.getEntries();
  getEntryCount = () => this.#tree.getEntries().length;
  getTree = () => this.#tree.getTree();
  getLeafId = () => this.#tree.getLeafId();
  getLeafEntry = () => this.#tree.getLeafEntry();
  getEntry = (id: string) => this.#tree.getEntry(id);
  getChildren = (id: string) => this.#tree.getChildren(id);
  getLabel = (id: string) => this.#tree.getLabel(id);
  getBranch = (fromId?: string) => this.#tree.getBranch(fromId);
  buildSessionContext = () => buildSessionContext(this.getEntries(), this.getLeafId());
  buildContextEntries = () => buildContextEntries(this.getEntries(), this.getLeafId());
  buildSessionProjection = () => buildSessionProjection(this.getEntries(), this.getLeafId());

  appendMessage = (message: unknown) => this.writable.appendMessage(message);
  appendThinkingLevelChange = (level: string) => this.writable.appendThinkingLevelChange(level);
  appendModelChange = (provider: string, modelId: string) =>
    this.writable.appendModelChange(provider, modelId);
  appendCustomEntry = (customType: string, data?: unknown) =>
    this.writable.appendCustomEntry(customType, data);
  appendSessionInfo = (name: string) => this.writable.appendSessionName(name.trim());
  appendCustomMessageEntry = (
    customType: string,
    content: string | UserContent[],
    display: boolean,
    details?: unknown,
  ) => this.writable.appendCustomMessageEntry(customType, content, display, details);
  appendLabelChange = (targetId: string, label: string | undefined) => {
    this.#mustHave(targetId);
    return this.writable.appendLabel(targetId, label);
  };
  appendContextEdit = (targetId: string, replacement: ContextEditEntry["replacement"]) => {
    this.#mustHave(targetId);
    return this.writable.append({ type: "context_edit", targetId, replacement });
  };

  appendUsage(kind: string, provider: string, model: string, usage: Usage, note?: string) {
    const draft = { type: "usage" as const, kind, provider, model, usage };
    const id = this.writable.append(note === undefined ? draft : { ...draft, note });
    return this.getEntry(id);
  }

  /** `firstKeptEntryId` null: nothing of what came before is kept. */
  appendCompaction(
    summary: string,
    firstKeptEntryId: string | null,
    tokensBefore: number,
    details?: unknown,
    fromHook = false,
  ): string {
    const kept = { summary, firstKeptEntryId: firstKeptEntryId ?? "", tokensBefore };
    return this.writable.appendCompaction({ ...kept, details }, fromHook);
  }

  /** From here on the next entry stands below this one. */
  branch(fromId: string): void {
    this.#mustHave(fromId);
    this.#tree.moveTo(fromId);
  }

  resetLeaf(): void {
    this.#tree.resetLeaf();
  }

  branchWithSummary(fromId: string | null, summary: string, details?: unknown, fromHook = false) {
    if (fromId !== null) this.#mustHave(fromId);
    const tree = this.writable;
    tree.moveTo(fromId);
    const from = fromId ?? "root";
    return tree.appendBranchSummary({
      fromId: from,
      summary,
      details,
      ...(fromHook && { fromHook }),
    });
  }

  /** Goes on in a session of its own that has the way to an entry. Returns its file, if it has one. */
  createBranchedSession(leafId: string): string | undefined {
    this.#mustHave(leafId);
    const parent = this.#tree.getSessionFile();
    const options = {
      cwd: this.#cwd,
      entries: copyBranch(this.#tree, leafId),
      ...(parent !== undefined && { parentSession: parent }),
    };
    if (this.#persist) this.#tree = SessionFile.create({ ...options, dir: this.#dir });
    else {
      const { header, entries } = { header: new SessionTree(options).getHeader(), ...options };
      this.#tree = SessionTree.fromEntries(header, entries).session;
    }
    this.#isOnlyRead = false;
    return this.#tree.getSessionFile();
  }

  #mustHave(id: string): void {
    if (this.#tree.getEntry(id)) return;
    throw new SeamError("SEAM_SESSION_ENTRY", { entry: id, detail: "is not there" });
  }
}

/** The session files of a folder, the one written to last first. None if there is no such folder. */
function sessionFilesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .map(({ path }) => path);
}

function infosIn(dir: string): SessionInfo[] {
  return sessionFilesIn(dir)
    .flatMap((path) => readSessionInfo(path) ?? [])
    .sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

function listed(infos: readonly SessionInfo[], onProgress: Progress | undefined) {
  return infos.map(({ isEstimate: _, ...info }, index) => {
    onProgress?.(index + 1, infos.length);
    // Read when somebody looks: a list of a thousand sessions must not read all of them.
    return Object.defineProperty(info, "allMessagesText", {
      enumerable: true,
      get: () => textOf(readSession(info.path).session.getEntries()),
    });
  });
}

function textOf(entries: readonly SessionEntry[]): string {
  return entries
    .flatMap((entry) =>
      entry.type === "message" && "content" in entry.message
        ? textOfContent(entry.message.content)
        : [],
    )
    .join(" ");
}
