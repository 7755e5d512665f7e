import { statSync } from "node:fs";
import { join } from "node:path";
import { SeamError, systemCode } from "../../errors/index.ts";
import {
  findExtensions,
  firstNames,
  importedFiles,
  isCritical,
  MOST_NAMES,
  type Source,
} from "../../extensions/index.ts";
import { noteLentGates } from "../../protection/index.ts";
import {
  loadSettings,
  PROJECT_DIR,
  projectRoot,
  settingsFiles,
  trustFile,
} from "../../settings/index.ts";
import type { LeftOut } from "../worker/protocol.ts";

/** The extensions of one project as they were when last looked at. */
export interface ProjectExtensions {
  readonly root: string;
  readonly sources: readonly Source[];
  readonly leftOut: readonly LeftOut[];
  readonly trusted: boolean;
  /** One of them says that it must not be missing. */
  readonly critical: boolean;
  readonly settings: ReturnType<typeof loadSettings>["settings"];
  /** What could not be used. */
  readonly problems: readonly string[];
  /** What of that the user is to be told in the agent: what they trusted is not as it was. */
  readonly notices: readonly string[];
  /** What it depends on, beside the usual folders. */
  readonly watched: readonly string[];
  /** Changes when anything of this has to be looked at again. */
  readonly print: string;
}

/** From this many on, an extension that froze or ended its worker is left out until it changes. */
const MOST_STRIKES = 2;

/** What the user has to know while working, not only when asking for it. */
const TOLD: ReadonlySet<string> = new Set([
  "SEAM_EXT_CHANGED",
  "SEAM_EXT_PROJECT",
  "SEAM_SETTINGS_CHANGED",
  "SEAM_TRUST_COPY",
  "SEAM_TRUST_FILE",
]);

interface Strikes {
  readonly print: string;
  count: number;
  why: string;
}

/** Knows which extensions run for a folder. Looks at files' dates first, and only then inside. */
export class ExtensionFinder {
  readonly #home: string;
  readonly #byFolder = new Map<string, ProjectExtensions>();
  readonly #strikes = new Map<string, Strikes>();

  constructor(home: string) {
    this.#home = home;
  }

  /** As it was found before; looked for if it never was. */
  known(cwd: string): ProjectExtensions {
    return this.#byFolder.get(cwd) ?? this.look(cwd);
  }

  /** As it is now. */
  look(cwd: string): ProjectExtensions {
    const before = this.#byFolder.get(cwd);
    if (before && before.print === this.#printOf(cwd, before)) return before;
    const found = this.#find(cwd);
    this.#byFolder.set(cwd, found);
    return found;
  }

  forgetAll(): void {
    this.#byFolder.clear();
    this.#strikes.clear();
  }

  /**
   * Notes that an extension froze or ended its worker. True if it will not be loaded again until it
   * changes.
   */
  strike(path: string, why: string): boolean {
    const print = filesPrint(importedFiles(path));
    const before = this.#strikes.get(path);
    const count = before?.print === print ? before.count + 1 : 1;
    this.#strikes.set(path, { print, count, why });
    if (count < MOST_STRIKES) return false;
    // What was found holds the list of those left out.
    this.#byFolder.clear();
    return true;
  }

  /**
   * Leaves an extension out until it changes. `print`: how its files were when that was decided; it
   * counts for nothing if they are not so any more.
   */
  leaveOut(path: string, why: string, print = filesPrint(importedFiles(path))): string {
    this.#strikes.set(path, { print, count: MOST_STRIKES, why });
    this.#byFolder.clear();
    return print;
  }

  /** Extensions that are not loaded until they change. */
  leftOut(): { path: string; why: string }[] {
    return [...this.#strikes]
      .filter(([path]) => this.#isOut(path))
      .map(([path, { why }]) => ({ path, why }));
  }

  #find(cwd: string): ProjectExtensions {
    const { settings, asking } = loadSettings(cwd);
    const root = projectRoot(cwd);
    noteLentGates(this.#home, cwd);
    const { sources, untrusted, watched, problems } = findExtensions({ cwd });
    const asks = asking.some(({ trust }) => trust === "new");
    const waiting = waitingFor(root, untrusted.length, asks);
    const said = (told: readonly SeamError[]) =>
      told.map(({ message, next }) => `${message} ${next}`);
    return {
      root,
      sources,
      watched,
      leftOut: sources.flatMap((source) => this.#leftOut(source)),
      trusted: untrusted.length === 0,
      critical: sources.some((source) => isCritical(source)),
      settings,
      problems: said(problems),
      notices: said([...problems.filter(({ code }) => TOLD.has(code)), ...waiting]),
      print: this.#printOf(cwd, { root, sources, watched }),
    };
  }

  #leftOut(source: Source): LeftOut[] {
    const { path } = source;
    if (!this.#isOut(path)) return [];
    const why = this.#strikes.get(path)?.why ?? "";
    return [{ source, critical: isCritical(source), why }];
  }

  #isOut(path: string): boolean {
    const strikes = this.#strikes.get(path);
    if (!strikes || strikes.count < MOST_STRIKES) return false;
    return strikes.print === filesPrint(importedFiles(path));
  }

  #printOf(
    cwd: string,
    { root, sources, watched }: Pick<ProjectExtensions, "root" | "sources" | "watched">,
  ): string {
    const folders = [join(this.#home, "extensions"), join(root, PROJECT_DIR, "extensions")];
    const files = [
      ...settingsFiles(cwd),
      trustFile(),
      ...folders.flatMap((folder) => [folder, ...childrenOf(folder)]),
      ...watched,
    ];
    const out = sources.filter(({ path }) => this.#isOut(path)).map(({ path }) => path);
    return `${filesPrint(files)} ${out.join()}`;
  }
}

/** A gate that came with a clone and does not run looks like one that does: the user has to be told. */
function waitingFor(path: string, extensions: number, settings: boolean): SeamError[] {
  const count = extensions === 1 ? "1 extension" : `${extensions} extensions`;
  const parts = [...(extensions > 0 ? [count] : []), ...(settings ? ["some settings"] : [])];
  if (parts.length === 0) return [];
  return [new SeamError("SEAM_TRUST_WAITING", { path, what: parts.join(", ") })];
}

function filesPrint(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const stats = statSync(file, { throwIfNoEntry: false });
        return stats ? `${stats.ino}:${stats.mtimeMs}:${stats.size}` : "-";
      } catch (thrown) {
        // A link that leads to itself, or a folder that is closed.
        return systemCode(thrown) ?? "?";
      }
    })
    .join(" ");
}

/** Where there are more than are looked at, whatever changes among the others changes nothing. */
function childrenOf(folder: string): string[] {
  return firstNames(folder, MOST_NAMES).map((name) => join(folder, name));
}
