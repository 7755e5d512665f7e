import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { atRepo, openRepo, pathBytes, pathFromShown, runGit } from "../../git/index.ts";
import {
  type CheckoutChanges,
  changesBetween,
  isUnchanged,
  withExplained,
} from "./checkout-changes.ts";
import { type CheckoutState, checkoutState } from "./checkout-state.ts";

/** More than this is not copied: what it was is known by its content's id alone. */
const MOST_FILES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** What was found to be changed in a checkout, and where both versions of it are kept. */
export interface FoundChanges extends CheckoutChanges {
  readonly folder: string;
  readonly before: CheckoutState;
  readonly after: CheckoutState;
}

/**
 * A checkout of the user's that agents without walls could change. What it is like is written down
 * before an agent starts, with a copy of what is in no commit; compared afterwards, a change is
 * found, and what was there before and after it is kept.
 */
export class WatchedCheckout {
  readonly #path: string;
  readonly #folder: string;

  /** `folder` is the attempt's. */
  constructor(path: string, folder: string) {
    this.#path = path;
    this.#folder = join(folder, "checkout");
  }

  get #file(): string {
    return join(this.#folder, "state.json");
  }

  /** Says what the checkout is like now. */
  async begin(): Promise<void> {
    const state = await checkoutState(this.#path);
    if (!state) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    let bytes = 0;
    for (const name of Object.keys(state.files).slice(0, MOST_FILES)) {
      bytes += this.#copy(name, "before", MOST_BYTES - bytes);
    }
    this.#write(state);
  }

  /** What changed since it began; undefined: nothing, or nobody looked before. */
  async end(): Promise<FoundChanges | undefined> {
    const before = this.#state;
    const after = before && (await checkoutState(this.#path));
    if (!before || !after) return undefined;
    const changes = changesBetween(before, after);
    if (isUnchanged(changes)) {
      rmSync(this.#folder, { recursive: true, force: true });
      return undefined;
    }
    for (const name of changes.files) {
      if (before.files[name] === undefined) await this.#keepCommitted(before.commit, name);
      this.#copy(name, "after", MOST_BYTES);
    }
    return { ...changes, folder: this.#folder, before, after };
  }

  /** Somebody who may has changed it between two moments: that is not found any more. */
  explain(from: CheckoutState, to: CheckoutState): void {
    const state = this.#state;
    if (state) this.#write(withExplained(state, from, to));
  }

  /** What it was like before; undefined: it is not watched. */
  get #state(): CheckoutState | undefined {
    if (!existsSync(this.#file)) return undefined;
    const state: CheckoutState = JSON.parse(readFileSync(this.#file, "utf8"));
    return state;
  }

  get isWatched(): boolean {
    return existsSync(this.#file);
  }

  #write(state: CheckoutState): void {
    replaceFile(this.#file, `${JSON.stringify(state)}\n`);
  }

  /** Returns how many bytes were copied. */
  #copy(shown: string, when: "before" | "after", most: number): number {
    const name = pathBytes(pathFromShown(shown)).toString();
    const to = join(this.#folder, when, name);
    try {
      const { length } = readFileSync(join(this.#path, name));
      if (length > most) return 0;
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      copyFileSync(join(this.#path, name), to);
      return length;
    } catch {
      // It is gone, or no file.
      return 0;
    }
  }

  async #keepCommitted(commit: string, shown: string): Promise<void> {
    const repo = await openRepo(this.#path);
    if (!repo) return;
    const name = pathBytes(pathFromShown(shown)).toString();
    const args = [...atRepo(repo), "cat-file", "blob", `${commit}:${name}`];
    const { code, stdout } = await runGit(args, { cwd: repo.gitDir });
    if (code !== 0) return;
    const to = join(this.#folder, "before", name);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    writeFileSync(to, stdout);
  }
}
