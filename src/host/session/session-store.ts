import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { SeamError, systemCode } from "../../errors/index.ts";
import { readHeader, readSessionInfo, type SessionInfo } from "./session-info.ts";
import { fromFileName, sessionDir, sessionsRoot } from "./session-path.ts";

/**
 * The sessions on this machine. Lists read little of each file, however long it is.
 *
 * @example
 * for (const { name, firstMessage, path } of new SessionStore().list(process.cwd())) {
 *   console.log(name ?? firstMessage, path);
 * }
 */
export class SessionStore {
  readonly #root: string;
  readonly #isShared: boolean;

  /** `dir`: a folder that holds the files of all projects, instead of one folder for each. */
  constructor({ dir, root = sessionsRoot() }: { dir?: string; root?: string } = {}) {
    this.#root = dir ?? root;
    this.#isShared = dir !== undefined;
  }

  /** Of one project, or of all; the one that was last spoken in first. */
  list(cwd?: string): SessionInfo[] {
    return this.#files(cwd)
      .flatMap((path) => orNothing(() => readSessionInfo(path)) ?? [])
      .filter((info) => cwd === undefined || isSameFolder(info.cwd, cwd))
      .sort((a, b) => b.modified.getTime() - a.modified.getTime());
  }

  /** The session of a project that was written to last. */
  mostRecent(cwd: string): string | undefined {
    const byTime = this.#files(cwd)
      .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.time - a.time);
    const isOfProject = (path: string) => {
      const header = orNothing(() => readHeader(path));
      return header !== undefined && isSameFolder(header.cwd, cwd);
    };
    return byTime.find(({ path }) => isOfProject(path))?.path;
  }

  /** The file of the one session whose id starts like this. Throws if there is none or several. */
  findById(prefix: string): string {
    const all = this.#files().map((path) => ({ path, id: fromFileName(path).id }));
    const exact = all.filter(({ id }) => id === prefix);
    const fitting = exact.length > 0 ? exact : all.filter(({ id }) => id.startsWith(prefix));
    const [first, ...others] = fitting;
    if (!first || prefix === "") {
      throw new SeamError("SEAM_SESSION_NOT_FOUND", { session: prefix });
    }
    if (others.length === 0) return first.path;
    const list = fitting.map(({ id, path }) => `\n  ${id}  ${path}`).join("");
    throw new SeamError("SEAM_SESSION_AMBIGUOUS", { id: prefix, list });
  }

  #files(cwd?: string): string[] {
    return this.#folders(cwd).flatMap((folder) =>
      entriesOf(folder)
        .filter((entry) => entry.name.endsWith(".jsonl") && !entry.isDirectory())
        .map(({ name }) => join(folder, name)),
    );
  }

  #folders(cwd: string | undefined): string[] {
    if (this.#isShared) return [this.#root];
    if (cwd !== undefined) return [sessionDir(cwd, this.#root)];
    return entriesOf(this.#root)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(this.#root, name));
  }
}

/** Several projects may share a folder of sessions; one that does not say belongs to all. */
function isSameFolder(own: string, asked: string): boolean {
  return own === "" || resolve(own) === resolve(asked);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** A file may be gone or not readable by now; the others are still worth a list. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  }
}
