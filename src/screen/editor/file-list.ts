import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";

const FRESH_MS = 5_000;
const MOST_FILES = 50_000;
const LONGEST_MS = 5_000;
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** The files of a project, for completion: those git knows or would know; without git, all. */
export class FileList {
  readonly #cwd: string;
  #known: { readonly at: number; readonly files: Promise<readonly string[]> } | undefined;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  files(): Promise<readonly string[]> {
    const now = Date.now();
    if (!this.#known || now - this.#known.at > FRESH_MS) {
      this.#known = { at: now, files: this.#read() };
    }
    return this.#known.files;
  }

  async #read(): Promise<readonly string[]> {
    const listed = await this.#fromGit().catch(() => undefined);
    return listed ?? this.#walk();
  }

  async #fromGit(): Promise<readonly string[]> {
    // Through the one place that starts git: there a folder's own settings of git run nothing.
    const { git } = await import("../../git/index.ts");
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const listed = await git(args, { cwd: this.#cwd, timeoutMs: LONGEST_MS });
    const paths = listed.toString().split("\0");
    return paths.filter((path) => path !== "").slice(0, MOST_FILES);
  }

  async #walk(): Promise<readonly string[]> {
    const files: string[] = [];
    const folders = [this.#cwd];
    for (let folder = folders.pop(); folder && files.length < MOST_FILES; folder = folders.pop()) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(path);
        else if (entry.isFile()) files.push(relative(this.#cwd, path));
      }
    }
    return files;
  }
}
