import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, sep } from "node:path";
import {
  AGENTS,
  type Agent,
  type AgentFolders,
  allRecords,
  HOOK_MARK,
  type LEVELS,
} from "../agents/index.ts";
import { isInside, LARGE_FILE, readRegular } from "../files/index.ts";
import { PROJECT_DIR, seamHome } from "../settings/index.ts";
import { realOf } from "./targets.ts";

/** A file or folder that Seam relies on, in words for a person. */
interface ProtectedPlace {
  /** Behind all links, in the form that is compared. */
  readonly path: string;
  readonly what: string;
  /** Only where this agent calls Seam. */
  readonly agent?: Agent;
}

/** Whose places they are; without it, those of whoever runs this. */
interface Whose extends Partial<Omit<AgentFolders, "project">> {
  /** Seam's folder. */
  readonly store?: string;
}

/** The parts of a repository's git folder that Seam relies on. */
const IN_GIT: readonly { readonly at: string; readonly what: string }[] = [
  { at: "seam", what: "Seam's part of the repository" },
  { at: `refs${sep}seam`, what: "Seam's part of the repository" },
  { at: `logs${sep}refs${sep}seam`, what: "Seam's part of the repository" },
  { at: "hooks", what: "git's hooks" },
  { at: "config", what: "git's settings, which can switch its hooks off" },
  { at: "config.worktree", what: "git's settings, which can switch its hooks off" },
  { at: "packed-refs", what: "the list of git's references, with those of Seam" },
];

/** What is in the name of everything that is Seam's, and where git's hooks are or are switched off. */
const NAMES = ["seam", `.git${sep}hooks`, `.git${sep}config`, "hookspath"];

const OWN_FOLDER = "Seam's own folder";
const PROJECT_FOLDER = "Seam's settings and extensions of a project";

/** Everything that would take Seam out, or make it laxer, if an agent could write there. */
export class ProtectedPlaces {
  readonly #store: string;
  readonly #places: readonly ProtectedPlace[];
  /** The same file in whatever project: by how its path ends. */
  readonly #endings: readonly ProtectedPlace[];
  #hooked: { readonly at: number; readonly agents: ReadonlySet<string> } | undefined;

  constructor({ store = seamHome(), home = homedir(), env = process.env }: Whose = {}) {
    this.#store = store;
    const here: AgentFolders = { project: sep, home, env };
    this.#endings = AGENTS.flatMap((agent) => filesOf(agent, "project", here));
    this.#places = [
      { path: comparable(realOf(this.#store)), what: OWN_FOLDER },
      { path: comparable(this.#store), what: OWN_FOLDER },
      ...AGENTS.flatMap((agent) => filesOf(agent, "user", here)).flatMap((place) => [
        { ...place, path: comparable(place.path) },
        { ...place, path: comparable(realOf(place.path)) },
      ]),
    ];
  }

  /** What a file is that Seam relies on; undefined for all others. Reads nothing for those. */
  whatIs(path: string): string | undefined {
    const wanted = comparable(path);
    const place = this.#places.find((one) => isInside(wanted, one.path));
    if (place) return this.#said(place, path);
    const segments = wanted.split(sep);
    if (segments.includes(PROJECT_DIR)) return PROJECT_FOLDER;
    const git = partOfGit(segments);
    if (git !== undefined) return git;
    const ending = this.#endings.find((one) => wanted.endsWith(one.path));
    return ending && this.#said(ending, path);
  }

  /** What would go with a folder if it were removed or moved away. */
  whatIsBelow(folder: string, project: string): string | undefined {
    const wanted = comparable(folder);
    const own = this.whatIs(folder);
    if (own !== undefined) return own;
    if (basename(wanted) === ".git") return "the repository's git folder";
    const below = this.#places.find((one) => isInside(one.path, wanted));
    const said = below && this.#said(below, below.path);
    if (said !== undefined) return said;
    const root = comparable(project);
    if (isInside(root, wanted)) return PROJECT_FOLDER;
    const ending = this.#endings.find((one) => isInside(root + one.path, wanted));
    return ending && this.#said(ending, join(project, ending.path));
  }

  /** Whether a text that cannot be read names something of Seam's, or of an agent that calls Seam. */
  isNamedIn(text: string): boolean {
    const wanted = comparable(text);
    const hooked = this.#agentsWithHooks();
    const folders = AGENTS.filter(({ name }) => hooked.has(name)).flatMap(
      ({ protectedDirs }) => protectedDirs,
    );
    return [...NAMES, ...folders].some((name) => wanted.includes(comparable(name)));
  }

  /** A file of an agent counts only where that agent calls Seam. */
  #said({ what, agent }: ProtectedPlace, path: string): string | undefined {
    if (!agent || this.#agentsWithHooks().has(agent.name) || holdsMark(path)) return what;
    return undefined;
  }

  #agentsWithHooks(): ReadonlySet<string> {
    const at = statSync(join(this.#store, "installs"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (this.#hooked?.at !== at) {
      const agents = new Set<string>(allRecords(this.#store).map(({ agent }) => agent));
      this.#hooked = { at, agents };
    }
    return this.#hooked.agents;
  }
}

function filesOf(
  agent: Agent,
  level: (typeof LEVELS)[number],
  place: AgentFolders,
): ProtectedPlace[] {
  const installer = agent.hooks?.installer;
  if (!installer) return [];
  const what = `a file with Seam's hooks for ${agent.type}`;
  const switching = `a file that can switch Seam's hooks for ${agent.type} off`;
  return [
    ...installer.files({ level, place }).map((path) => ({ path, what, agent })),
    ...(installer.switches?.({ level, place }) ?? []).map((path) => ({
      path,
      what: switching,
      agent,
    })),
  ];
}

/** The git folder of a worktree or submodule lies in another one: the last name counts. */
function partOfGit(segments: readonly string[]): string | undefined {
  const git = segments.indexOf(".git");
  if (git < 0) return undefined;
  const inside = segments.slice(git + 1).join(sep);
  return IN_GIT.find(({ at }) => isInside(inside, at) || inside.endsWith(sep + at))?.what;
}

function holdsMark(path: string): boolean {
  try {
    return readRegular(path, LARGE_FILE).includes(HOOK_MARK);
  } catch {
    return false;
  }
}

/** Characters that some file systems leave out when they compare names. */
const IGNORED = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A path in the form in which two are the same file on any file system: some make no difference
 * between upper and lower case or between ways to write one character. That a name is taken for
 * Seam's on a file system where it is another one does no harm.
 */
function comparable(path: string): string {
  // Nearly all paths are plain: nothing but the case has to be dealt with.
  if (/^[\x20-\x7e]*$/.test(path)) return path.toLowerCase();
  return path.replace(IGNORED, "").normalize("NFKC").toLowerCase();
}
