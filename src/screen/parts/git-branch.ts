import { type FSWatcher, readFileSync, statSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The branch of the folder the agent works in, as it is now. */
export class GitBranch {
  readonly #listeners = new Set<() => void>();
  readonly #folder: string | undefined;
  #watcher: FSWatcher | undefined;
  #name: string | null = null;

  constructor(cwd: string) {
    this.#folder = gitFolder(cwd);
    this.#read();
  }

  get name(): string | null {
    return this.#name;
  }

  /** Watches from the first listener on. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#watch();
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#watcher?.close();
    this.#listeners.clear();
  }

  #watch(): void {
    if (this.#watcher || this.#folder === undefined) return;
    try {
      // The folder, since git replaces the file.
      this.#watcher = watch(this.#folder, { persistent: false }, (_, file) => {
        if (file !== "HEAD") return;
        const before = this.#name;
        this.#read();
        if (before !== this.#name) for (const listener of this.#listeners) listener();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // Where nothing can be watched, the branch is what it was at the start.
    }
  }

  #read(): void {
    if (this.#folder === undefined) return;
    try {
      const head = readFileSync(join(this.#folder, "HEAD"), "utf8").trim();
      this.#name = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 8);
    } catch {
      this.#name = null;
    }
  }
}

function gitFolder(cwd: string): string | undefined {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return git;
    if (stats) {
      const named = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8"))?.[1];
      return named === undefined ? undefined : resolve(dir, named.trim());
    }
    if (dir === dirname(dir)) return undefined;
  }
}
