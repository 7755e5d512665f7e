import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files/index.ts";
import { isRecord } from "../values/index.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import type { Log } from "./log.ts";
import type { ExtensionFinder } from "./sessions/project-extensions.ts";
import type { WorkerFailure } from "./worker/session-worker.ts";

/** So many daemons may die over one hook before the extension that ran then is taken for the cause. */
const MOST_DEATHS = 2;
/** After so many the hook is answered without asking anybody, whoever was the cause. */
const HOPELESS = 4;

interface Kept {
  /** How many daemons died before they could answer a hook, by its id. */
  readonly hooks: Readonly<Record<string, number>>;
  /** Those of them that came again and have no answer yet. */
  readonly asked: readonly string[];
  /** Extensions that ended daemons and have not changed since: how their files were, and why. */
  readonly leftOut: Readonly<Record<string, { readonly print: string; readonly why: string }>>;
}

const WHY = "it ended Seam's daemon twice";

/**
 * What is known of daemons that died in the middle of a hook. A thread can be killed without harm, but
 * an extension can also end the whole process, and the next daemon would ask it the same again. Files
 * are written only after such a death, never for a hook.
 */
export class Deaths {
  readonly #paths: DaemonPaths;
  readonly #finder: Pick<ExtensionFinder, "leaveOut">;
  readonly #log: Log;
  /** Which extensions ran when the daemon before died. */
  readonly #suspects: readonly string[];
  readonly #wasOrderly: boolean;
  #kept: Kept;

  constructor(paths: DaemonPaths, finder: Pick<ExtensionFinder, "leaveOut">, log: Log) {
    this.#paths = paths;
    this.#finder = finder;
    this.#log = log;
    this.#kept = readKept(paths.deaths);
    this.#wasOrderly = readText(paths.ended) !== undefined;
    this.#suspects = this.#wasOrderly ? [] : namesIn(paths.doing);
    for (const path of [paths.ended, paths.doing]) rmSync(path, { recursive: true, force: true });
    for (const [path, { print, why }] of Object.entries(this.#kept.leftOut)) {
      finder.leaveOut(path, why, print);
    }
  }

  /** Where threads note what they do. Undefined where there is no reason to. */
  get doing(): string | undefined {
    return Object.keys(this.#kept.hooks).length > 0 ? this.#paths.doing : undefined;
  }

  /**
   * `waiting`: the hooks that the daemon before left without an answer, and those of plugins that may
   * have had theirs. So a hook counts a second time only if that daemon was asked again.
   */
  found(waiting: readonly string[]): void {
    const { hooks: before, asked } = this.#kept;
    const isOver = (id: string) => before[id] === undefined || asked.includes(id);
    const more = (id: string) => (!this.#wasOrderly && isOver(id) ? 1 : 0);
    const counts = waiting.map((id) => [id, (before[id] ?? 0) + more(id)] as const);
    const hooks = Object.fromEntries(counts.filter(([, count]) => count > 0));
    const leftOut = { ...this.#kept.leftOut };
    const [culprit] = this.#suspects;
    const isClear = culprit !== undefined && this.#suspects.length === 1;
    if (isClear && counts.some(([, count]) => count >= MOST_DEATHS)) {
      leftOut[culprit] = { print: this.#finder.leaveOut(culprit, WHY), why: WHY };
      this.#log.warn(`${culprit} is left out until it changes: ${WHY}`);
    }
    this.#keep({ hooks, asked: [], leftOut });
    if (this.doing !== undefined) mkdirSync(this.doing, { recursive: true, mode: 0o700 });
  }

  /** A hook over which a daemon died has come again. */
  begins(id: string): void {
    const { hooks, asked } = this.#kept;
    if (hooks[id] === undefined || asked.includes(id)) return;
    this.#keep({ ...this.#kept, asked: [...asked, id] });
  }

  /** It has its answer, and this daemon lives. */
  outlived(id: string): void {
    const { [id]: died, ...hooks } = this.#kept.hooks;
    if (died === undefined) return;
    const asked = this.#kept.asked.filter((one) => one !== id);
    this.#keep({ ...this.#kept, hooks, asked });
  }

  /** Why a hook gets no decision of a session's extensions. Undefined if they can be asked. */
  failureOf(id: string, isOf: (path: string) => boolean): WorkerFailure | undefined {
    const count = this.#kept.hooks[id] ?? 0;
    const suspects = this.#suspects.filter(isOf);
    if (count < MOST_DEATHS || suspects.length === 0) return undefined;
    return { kind: "ended", suspects, detail: WHY };
  }

  /** Whether nothing may be tried any more to answer a hook. */
  isHopeless(id: string): boolean {
    return (this.#kept.hooks[id] ?? 0) >= HOPELESS;
  }

  /** All extensions are tried again. */
  forget(): void {
    this.#keep({ ...this.#kept, leftOut: {} });
  }

  /** The daemon ends because it was asked to: hooks that still wait did not kill it. */
  ends(): void {
    try {
      replaceFile(this.#paths.ended, "");
    } catch (error) {
      this.#log.failed("that the daemon ends could not be noted", error);
    }
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    const { deaths } = this.#paths;
    try {
      const isEmpty = [kept.hooks, kept.leftOut].every((part) => Object.keys(part).length === 0);
      if (isEmpty) rmSync(deaths, { force: true });
      else replaceFile(deaths, JSON.stringify(kept));
    } catch (error) {
      this.#log.failed("which extension ended the daemon could not be noted", error);
    }
  }
}

function readKept(path: string): Kept {
  try {
    const value: unknown = JSON.parse(readText(path) ?? "");
    if (!isRecord(value)) return NOTHING;
    const hooks = entriesOf(value.hooks).flatMap(([id, count]) =>
      typeof count === "number" ? [[id, count] as const] : [],
    );
    const leftOut = entriesOf(value.leftOut).flatMap(([file, said]) => {
      if (!isRecord(said)) return [];
      const { print, why } = said;
      const isWhole = typeof print === "string" && typeof why === "string";
      return isWhole ? [[file, { print, why }] as const] : [];
    });
    const asked = Array.isArray(value.asked) ? value.asked.map(String) : [];
    return { hooks: Object.fromEntries(hooks), asked, leftOut: Object.fromEntries(leftOut) };
  } catch {
    return NOTHING;
  }
}

const NOTHING: Kept = { hooks: {}, asked: [], leftOut: {} };

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function namesIn(folder: string): string[] {
  try {
    const texts = readdirSync(folder).map((name) => readText(join(folder, name)) ?? "");
    return [...new Set(texts.flatMap((text) => text.split("\n")).filter((text) => text !== ""))];
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
