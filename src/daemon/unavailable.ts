import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Answer, AnyAgent } from "../agents/index.ts";
import { replaceFile } from "../files/index.ts";
import type { DaemonPlace } from "./place.ts";
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
  readonly #place: DaemonPlace;
  readonly #agents: readonly AnyAgent[];
  /** As in the file: known also when nothing can be read any more. */
  #closed: readonly string[];

  constructor(place: DaemonPlace, agents: readonly AnyAgent[]) {
    this.#place = place;
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
    const { unavailable } = this.#place;
    const wanted = new Map([["removed", `${REMOVED}\n`]]);
    const add = (name: string, { exitCode, stdout, stderr }: Answer) => {
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
    for (const [name, text] of wanted) update(join(unavailable, name), text);
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
    const roots = new Set(this.#roots());
    // Clients know their folder with or without links.
    for (const name of [root, realPath(root)]) {
      if (closed) roots.add(name);
      else roots.delete(name);
    }
    const kept = [...roots].filter((one) => existsSync(one) && !one.includes("\n")).sort();
    this.#closed = kept;
    const { block } = this.#place;
    if (kept.length === 0) rmSync(block, { force: true });
    else update(block, `${kept.join("\n")}\n`);
  }

  #roots(): string[] {
    try {
      return readFileSync(this.#place.block, "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
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

/** Not written again if it is right already: this is asked often. */
function update(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  replaceFile(path, text);
}
