import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { leadsOutside } from "../../files/index.ts";
import type { AgentFolders } from "../agent.ts";

/** Where an agent's sessions of all projects are looked for. */
export interface HomeFolders extends Pick<AgentFolders, "home" | "env"> {
  /** Projects that are known, for agents that keep their sessions there. */
  readonly projects: readonly string[];
}

/** A transcript on this machine. */
export interface FoundTranscript {
  /** As its format reads it. */
  readonly ref: string;
  /** A mark that is different whenever the transcript has changed. `markParts` reads it. */
  readonly mark: string;
  /** Absent where the transcript itself has to say it. */
  readonly sessionId?: string;
  /** The same where only a look into the file tells it. */
  readonly identify?: () => string | undefined;
  /** The session whose subagent wrote it. */
  readonly parent?: string;
  /** Where it is known without reading. */
  readonly project?: string;
}

/** How long a transcript is in bytes, if that is known, and when it changed, in milliseconds. */
export function markParts(mark: string): { readonly size: number; readonly time: number } {
  const [size = 0, time = 0] = mark.split("/").map((part) => Number(part) || 0);
  return { size, time };
}

/** Undefined if there is no regular file. */
export function markOf(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? `${stats.size}/${stats.mtimeMs}/${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Files exactly so many folders deep whose path looks like this; folders that are missing are empty.
 * A link that leads out of the first folder is not followed: whoever can write there could have
 * anything read as a transcript.
 */
export function filesBelow(
  root: string,
  depth: number,
  pattern: RegExp,
  top = root,
): { path: string; mark: string }[] {
  const paths = entriesIn(root).flatMap((entry) => {
    const path = join(root, entry.name);
    const isOne = depth > 1 ? entry.isDirectory() : entry.isFile();
    return isOne || (entry.isSymbolicLink() && !leadsOutside(path, top)) ? [path] : [];
  });
  if (depth > 1) return paths.flatMap((path) => filesBelow(path, depth - 1, pattern, top));
  return paths
    .filter((path) => pattern.test(path))
    .flatMap((path) => {
      const mark = markOf(path);
      return mark === undefined ? [] : [{ path, mark }];
    });
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
