import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DaemonPaths } from "./daemon-paths.ts";
import { LARGEST_LOG } from "./log.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Compiled extensions that are older are made anew when they are needed. */
const CACHE_DAYS = 30;

/** The same limit as in the hook client, which spools no more than this without a daemon. */
const SPOOL = "until recorded, at most 200 MB";

/** How much is in a folder or file of the user's Seam folder, and how long it stays there. */
export interface KeptAtHome {
  readonly what: "journal" | "spool" | "log" | "cache" | "index";
  readonly bytes: number;
  /** In words. */
  readonly until: string;
}

export function keptAtHome(paths: DaemonPaths): KeptAtHome[] {
  const cache = cacheOf(paths);
  return [
    { what: "journal", bytes: bytesOf(paths.journal), until: "what agents said: until recorded" },
    {
      what: "spool",
      bytes: bytesOf(paths.spool),
      until: SPOOL,
    },
    {
      what: "log",
      bytes: bytesOf(paths.log) + bytesOf(`${paths.log}.1`),
      until: `at most ${(2 * LARGEST_LOG) / 1024 / 1024} MB`,
    },
    { what: "cache", bytes: bytesOf(cache), until: `${CACHE_DAYS} days` },
    {
      what: "index",
      bytes: bytesOf(join(paths.home, "search")),
      until: "what seam search finds: until you delete it",
    },
  ];
}

/** Removes what was kept for long enough. Never throws: nobody needs it. */
export function dropOldCache(paths: DaemonPaths, now = Date.now()): void {
  for (const path of filesIn(cacheOf(paths))) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats || now - stats.mtimeMs < CACHE_DAYS * DAY_MS) continue;
    try {
      rmSync(path, { force: true });
    } catch {
      // The file belongs to somebody else, or the disk is read-only.
    }
  }
}

const cacheOf = ({ home }: DaemonPaths) => join(home, "cache", "extensions");

function bytesOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  return filesIn(path).reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
