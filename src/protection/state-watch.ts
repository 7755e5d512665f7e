import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isDeepStrictEqual } from "node:util";
import {
  AGENTS,
  type AgentFolders,
  type Health,
  HOOK_MARK,
  standingOf,
  switchedOff,
} from "../agents/index.ts";
import { LARGE_FILE, readRegular } from "../files/index.ts";
import {
  hashAt,
  isChanging,
  type KnownHooks,
  type KnownState,
  ownFiles,
  readKnown,
  saveKnown,
  stateFiles,
  stateNow,
  writtenHooks,
} from "./known-state.ts";

/** The higher, the less is left of the hooks. */
const WORSE: Readonly<Record<Health, number>> = { installed: 0, outdated: 1, damaged: 2, none: 3 };
const SAID: Readonly<Record<Health, string>> = {
  installed: "",
  outdated: "were changed in",
  damaged: "cannot be read any more in",
  none: "are gone from",
};

/**
 * Notices when something other than Seam changes what Seam relies on: the user's settings, what
 * they trust, the hooks in the agents' settings. Looking costs the times of a few files; contents
 * are read only where those have changed.
 */
export class StateWatch {
  readonly #store: string;
  readonly #place: Omit<AgentFolders, "project">;
  /** What was known when a project was last looked at, and the files' times then. */
  readonly #seen = new Map<string, { readonly known: KnownState; readonly times: string }>();
  #last: KnownState | undefined;
  /** How the hooks in each file were when last looked at. */
  readonly #health = new Map<string, { readonly health: Health; readonly off: string }>();

  constructor(
    store: string,
    place: Omit<AgentFolders, "project"> = { home: homedir(), env: process.env },
  ) {
    this.#store = store;
    this.#place = place;
  }

  /** What was changed for a project since the last look, in words. Each change is told once. */
  async look(root: string): Promise<string[]> {
    const seen = this.#seen.get(root);
    if (seen?.times === this.#timesOf(seen?.known, root)) return [];
    // A command of the user's own is at it: what it leaves behind is right.
    if (isChanging(this.#store)) return [];
    const known = this.#known();
    const times = this.#timesOf(known, root);
    const files = this.#changedFiles(known);
    const hooks = await this.#changedHooks(relevant(known, root));
    // What was told once is known from then on.
    const noted = { files: stateNow(this.#store).files, hooks: known.hooks };
    const isNew = !isDeepStrictEqual(noted, readKnown(this.#store));
    if (isNew) saveKnown(this.#store, noted);
    this.#last = noted;
    this.#seen.set(root, { known: noted, times: isNew ? this.#timesOf(noted, root) : times });
    return [...files, ...hooks];
  }

  /** What was noted; hooks that Seam has put somewhere since belong to it. */
  #known(): KnownState {
    // Somebody may have taken the note away as well.
    const known = readKnown(this.#store) ?? this.#last;
    if (!known) return stateNow(this.#store);
    const added = writtenHooks(this.#store).filter(
      ({ path }) => !known.hooks.some((one) => one.path === path),
    );
    return { ...known, hooks: [...known.hooks, ...added] };
  }

  #changedFiles({ files }: KnownState): string[] {
    const own = ownFiles(this.#store);
    // An extension that came later was put there to be stricter.
    const extensions = Object.keys(files).filter((path) => !own.includes(path));
    const isChanged = (path: string) => hashAt(path) !== (files[path] ?? null);
    return [
      ...own
        .filter(isChanged)
        .map(
          (path) =>
            `${path} was changed, and not by a seam command. It says what may run and how strict Seam is: if it was not you, look at it.`,
        ),
      ...extensions
        .filter(isChanged)
        .map(
          (path) =>
            `${path}, an extension that must not be missing, ${hashAt(path) === null ? "is gone" : "was changed"}. If it was not you, look at it.`,
        ),
    ];
  }

  async #changedHooks(hooks: readonly KnownHooks[]): Promise<string[]> {
    const found = await Promise.all(hooks.map((one) => this.#wrongWith(one)));
    return found.flatMap((wrong) => wrong ?? []);
  }

  async #wrongWith(hooks: KnownHooks): Promise<string | undefined> {
    const { path, name, level, root } = hooks;
    const agent = AGENTS.find((one) => one.name === hooks.agent);
    // A project that is gone took its hooks along.
    if (!agent || !statSync(root, { throwIfNoEntry: false })) return undefined;
    const place = { ...this.#place, project: root };
    const setting = { place, store: this.#store };
    const standing = standingOf(agent, level, setting);
    // Its folder may have been another one for whoever enabled it: then only the mark tells.
    const isHere = standing.files.includes(name);
    const health = isHere ? standing.health : holdsMark(path) ? "installed" : "none";
    const off = (isHere && (await switchedOff({ agent, level }, setting))[0]?.text) || "";
    // What was there when the first look was taken: hooks of an older Seam are nobody's attack.
    const before = this.#health.get(path) ?? { health: "outdated" as const, off };
    this.#health.set(path, { health, off });
    if (WORSE[health] > WORSE[before.health]) {
      return `Seam's hooks for ${agent.type} ${SAID[health]} ${path}. To put them back: seam doctor --fix, or seam enable`;
    }
    return off !== before.off && off !== "" ? off : undefined;
  }

  #timesOf(known: KnownState | undefined, root: string): string {
    const hooked = known ? relevant(known, root).map(({ path }) => path) : [];
    const files = Object.keys(known?.files ?? {});
    return [...stateFiles(this.#store), ...files, ...hooked].map(timesOf).join(" ");
  }
}

function relevant({ hooks }: KnownState, root: string): KnownHooks[] {
  const real = realOf(root);
  return hooks.filter((one) => one.level === "user" || realOf(one.root) === real);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function holdsMark(path: string): boolean {
  try {
    return readRegular(path, LARGE_FILE).includes(HOOK_MARK);
  } catch {
    return false;
  }
}

function timesOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` : "-";
}
