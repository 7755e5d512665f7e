import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { Agent, HookAnswer } from "../agents/index.ts";
import { replaceFile } from "../files/index.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import type { ProjectExtensions } from "./sessions/project-extensions.ts";

const REASON =
  "Seam's daemon is not running or does not answer, and an extension that must not be missing could not be asked. Run: seam doctor";

/** For clients that outlive Seam: whoever reads this cannot run seam any more. */
const REMOVED =
  "Seam's hooks are still installed, but Seam itself, or the Node it ran with, is gone. Take the hooks out: npx agentseam disable --all. Or install Seam again: npm install -g agentseam && seam doctor --fix";
const REMOVED_REASON = `An extension that must not be missing could not be asked. ${REMOVED}`;

/**
 * Prepares what clients answer when they find no daemon: `block` lists the projects whose gates
 * close then, and for each gate there is a file with the exit code and what is printed; another one
 * for a Seam that was removed. Where gates are open, its hooks say so once in a while.
 */
export class Unavailable {
  readonly #paths: DaemonPaths;
  readonly #agents: readonly Agent[];
  /** As in the file: known also when nothing can be read any more. */
  #closed: readonly string[];
  /** By path, what this daemon wrote; undefined: no such file. */
  readonly #written = new Map<string, string | undefined>();
  /** The times of those files when they were last found to be right. */
  #seen = "";

  constructor(paths: DaemonPaths, agents: readonly Agent[]) {
    this.#paths = paths;
    this.#agents = agents;
    this.#closed = this.#roots();
  }

  /** Whether gates close in this folder when its extensions cannot be asked. */
  closes(folder: string): boolean {
    return this.#closed.some((root) =>
      `${folder}/`.startsWith(root === EVERYWHERE ? root : `${root}/`),
    );
  }

  /** The files for every gate of every agent. */
  writeAnswers(): void {
    const { unavailable } = this.#paths;
    const wanted = new Map([["removed", `${REMOVED}\n`]]);
    const add = (name: string, { exitCode, stdout, stderr }: HookAnswer) => {
      wanted.set(name, `${exitCode}\n${stdout}`);
      if (stderr) wanted.set(`${name}.err`, stderr);
    };
    for (const { name, hooks } of this.#agents) {
      if (!hooks) continue;
      for (const [hook, { events, powers }] of Object.entries(hooks.mapping)) {
        const file = `${name}.${hook}`;
        if (powers.includes("message")) {
          add(`${file}.message`, hooks.answer(hook, { message: REMOVED }, {}));
        }
        if (!events.includes("tool_call") || !powers.includes("block")) continue;
        add(file, hooks.answer(hook, { block: { reason: REASON } }, {}));
        add(`${file}.removed`, hooks.answer(hook, { block: { reason: REMOVED_REASON } }, {}));
      }
    }
    for (const [name, text] of wanted) this.#write(join(unavailable, name), text);
    for (const name of readdirSync(unavailable)) {
      if (!wanted.has(name)) rmSync(join(unavailable, name), { force: true });
    }
  }

  /** What the user has for all projects. */
  noteEverywhere(found: ProjectExtensions): void {
    this.#set(EVERYWHERE, closes(found));
  }

  note(project: ProjectExtensions): void {
    this.#set(project.root, closes(project));
  }

  #set(root: string, closed: boolean): void {
    const roots = new Set(this.#closed);
    // Clients know their folder with or without links.
    for (const name of [root, realPath(root)]) {
      if (closed) roots.add(name);
      else roots.delete(name);
    }
    const kept = [...roots].filter((one) => existsSync(one) && !one.includes("\n")).sort();
    this.#closed = kept;
    this.#write(this.#paths.block, kept.length === 0 ? undefined : `${kept.join("\n")}\n`);
  }

  /** Writes again what somebody else changed or removed, and says which files that were. */
  restore(): string[] {
    // The stamp is taken before the contents are read, so that a later change is seen next time.
    const times = this.#times();
    if (times === this.#seen) return [];
    mkdirSync(this.#paths.unavailable, { recursive: true, mode: 0o700 });
    const changed = [...this.#written].filter(([path, text]) => !isAs(path, text));
    for (const [path, text] of changed) this.#write(path, text);
    this.#seen = changed.length === 0 ? times : "";
    return changed.map(([path]) => path);
  }

  #write(path: string, text: string | undefined): void {
    this.#written.set(path, text);
    if (isAs(path, text)) return;
    // Where a folder or a pipe was put, no file can be written.
    if (!isFile(path)) rmSync(path, { recursive: true, force: true });
    if (text === undefined) rmSync(path, { force: true });
    else replaceFile(path, text);
  }

  #times(): string {
    return [...this.#written.keys()]
      .map((path) => {
        const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
        return stats ? `${stats.ino} ${stats.size} ${stats.ctimeNs} ${stats.mode}` : "gone";
      })
      .join("\n");
  }

  #roots(): string[] {
    const { block } = this.#paths;
    return isFile(block) ? readFileSync(block, "utf8").split("\n").filter(Boolean) : [];
  }
}

/** Whether gates close without a daemon: because the user said so, or an extension did. */
function closes({ critical, settings: { whenUnavailable } }: ProjectExtensions): boolean {
  return whenUnavailable === "block" || (whenUnavailable === "auto" && critical);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const EVERYWHERE = "/";

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Not written again if it is right already: this is asked often. */
function isAs(path: string, text: string | undefined): boolean {
  if (text === undefined) return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  return isFile(path) && readFileSync(path, "utf8") === text;
}
