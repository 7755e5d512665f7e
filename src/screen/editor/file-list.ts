import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";

const FRESH_MS = 5_000;
const MOST_FILES = 50_000;
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

  #fromGit(): Promise<readonly string[]> {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    return new Promise((resolve, reject) => {
      execFile(
        "git",
        args,
        { cwd: this.#cwd, maxBuffer: 64 * 1024 * 1024, timeout: 5_000 },
        (error, stdout) => {
          if (error) reject(error);
          else
            resolve(
              stdout
                .split("\0")
                .filter((path) => path !== "")
                .slice(0, MOST_FILES),
            );
        },
      );
    });
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
