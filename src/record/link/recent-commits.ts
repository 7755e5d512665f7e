import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderBelow, replaceFile } from "../../files/index.ts";

/** A commit that has a checkpoint. */
export interface RecentCommit {
  readonly commit: string;
  readonly id: string;
  /** Seconds. */
  readonly at: number;
}

/** A commit that is undone to be made again is undone soon. */
const EXPIRES_SECONDS = 7 * 24 * 60 * 60;
const MOST = 300;

const LINE = /^([0-9a-f]{40}|[0-9a-f]{64}) (\S+) (\d{10})$/;

/**
 * The commits with an agent's work that were made of late, one a line, the oldest first. As long as
 * there are none a commit is not looked at for what it could bring back.
 */
export class RecentCommits {
  readonly #path: string;

  constructor(seamDir: string) {
    this.#path = join(seamDir, "recent");
  }

  all(): RecentCommit[] {
    const found: RecentCommit[] = [];
    const oldest = now() - EXPIRES_SECONDS;
    for (const line of this.#text().split("\n")) {
      const [, commit = "", id = "", at] = LINE.exec(line) ?? [];
      if (commit !== "" && Number(at) > oldest) found.push({ commit, id, at: Number(at) });
    }
    return found;
  }

  add(commit: string, id: string): void {
    this.replace([...this.all(), { commit, id, at: now() }]);
  }

  /** A commit was rewritten: it is another one now. */
  moved(from: string, to: string): void {
    const all = this.all();
    if (!all.some(({ commit }) => commit === from)) return;
    this.replace(all.map((one) => (one.commit === from ? { ...one, commit: to } : one)));
  }

  replace(commits: readonly RecentCommit[]): void {
    const lines = commits.map(({ commit, id, at }) => `${commit} ${id} ${at}\n`);
    const text = [...new Set(lines)].slice(-MOST).join("");
    if (text === this.#text() && text !== "") return;
    if (text === "") {
      rmSync(this.#path, { force: true });
      return;
    }
    const folder = dirname(this.#path);
    makeFolderBelow(dirname(folder), folder);
    replaceFile(this.#path, text);
  }

  #text(): string {
    try {
      return readFileSync(this.#path, "utf8");
    } catch {
      return "";
    }
  }
}

const now = () => Math.floor(Date.now() / 1000);
