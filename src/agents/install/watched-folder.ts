import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { usageError } from "../../errors/index.ts";
import { readRegularText, SMALL_FILE } from "../../files/index.ts";
import type { AgentFolders } from "../agent.ts";
import type { Watcher } from "../watcher.ts";
import { readBytes } from "./config-file.ts";
import type { FileChange, Installer, InstallPlan } from "./installer.ts";

/** A folder in which the user wants an agent without hooks to be watched. */
export interface WatchedFolder {
  /** Of Seam's: it names this folder, and the file with what was seen so far. */
  readonly key: string;
  readonly agent: string;
  readonly project: string;
  /** Files to watch, and how long each was when the user asked for it. */
  readonly since: Readonly<Record<string, number>>;
}

const SUFFIX = ".json";

/**
 * The notes are in Seam's folder, one file for each, like what was put into the settings of other
 * agents.
 */
export function watchedIn(store: string): string {
  return join(store, "watched");
}

/** The folders that are watched; a file that cannot be read counts as none. */
export function watchedFolders(store: string): WatchedFolder[] {
  const folder = watchedIn(store);
  return namesIn(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .flatMap((name) => readWatched(join(folder, name), name.slice(0, -SUFFIX.length)) ?? []);
}

function readWatched(file: string, key: string): WatchedFolder | undefined {
  try {
    const value: unknown = JSON.parse(readRegularText(file, SMALL_FILE));
    const { agent, project, since } = Object(value) as Partial<Record<string, unknown>>;
    if (typeof agent !== "string" || typeof project !== "string" || !isSizes(since)) {
      return undefined;
    }
    return { key, agent, project, since };
  } catch {
    return undefined;
  }
}

function isSizes(value: unknown): value is Record<string, number> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((size) => typeof size === "number")
  );
}

/** Enabling an agent without hooks means to remember that its files are to be watched here. */
export function watchInstaller(agent: string, watcher: Watcher): Installer {
  const fileFor = (place: AgentFolders) =>
    join(watchedIn(storeOf(place)), `${keyOf(agent, place)}.json`);
  const install = ({ level, place }: InstallPlan): FileChange[] => {
    if (level === "user") {
      const detail = `${agent} has no hooks: its files are watched, in one project at a time.`;
      throw usageError(detail, `In the project: seam enable --agent ${agent} --level project`);
    }
    const path = fileFor(place);
    const before = readBytes(path);
    if (before && readWatched(path, "")) return [];
    const sizes = watcher.watchPaths(place).map((one) => [one, sizeOf(one)]);
    const { project } = place;
    const watched = { by: "agentseam", agent, project, since: Object.fromEntries(sizes) };
    return [{ path, before, after: Buffer.from(`${JSON.stringify(watched, null, 2)}\n`) }];
  };
  return {
    levels: ["project"],
    files: ({ level, place }) => (level === "project" ? [fileFor(place)] : []),
    install,
    uninstall({ level, place }) {
      const path = fileFor(place);
      const before = level === "project" ? readBytes(path) : undefined;
      return before ? [{ path, before, after: undefined }] : [];
    },
    health({ level, place }) {
      return level === "project" && readWatched(fileFor(place), "") ? "installed" : "none";
    },
    examine: async () => [],
  };
}

function keyOf(agent: string, { project }: AgentFolders): string {
  return createHash("sha256").update(`${agent}\0${project}`).digest("hex").slice(0, 32);
}

/** Where Seam keeps its things, going by the place. */
function storeOf({ home, env }: AgentFolders): string {
  return env.SEAM_HOME || join(home, ".seam");
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
