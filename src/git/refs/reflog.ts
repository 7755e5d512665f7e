import { closeSync, existsSync, fchmodSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderBelow } from "../../files/index.ts";
import { identityOf } from "../commits/identity.ts";
import { formatSignature } from "../objects/commit-format.ts";
import { zeroId } from "../objects/object-id.ts";
import { configOf } from "../repo/config.ts";
import type { Repo } from "../repo/repo.ts";
import { makeLikeParent, modeOf } from "./lock-file.ts";

/** A line for the reflog of a branch, and the file it goes to. */
export interface Reflog {
  /** The folder of git's that the file is in. */
  readonly home: string;
  /** Below it: `logs/refs/heads/main`. */
  readonly name: string;
}

/** Whether this repository keeps the reflog of every branch, as `git init` sets it up. */
export async function keepsReflogs(repo: Repo): Promise<boolean> {
  const says = (await configOf(repo)).get("core.logallrefupdates")?.toLowerCase();
  return says === "true" || says === "always";
}

/** What git writes into a reflog when something moves. */
export async function reflogLine(
  repo: Repo,
  before: string | undefined,
  after: string,
  message = "",
): Promise<string> {
  const who = formatSignature(await identityOf(repo));
  const why = message.replace(/\s+/g, " ").trim();
  const moved = `${before ?? zeroId(repo.objectFormat)} ${after} ${who}`;
  return why === "" ? `${moved}\n` : `${moved}\t${why}\n`;
}

/** Adds one line to each of these files. All are open before the first is written to. */
export function appendTo(logs: readonly Reflog[], line: string): void {
  const open: number[] = [];
  try {
    for (const log of logs) open.push(openLog(log));
    for (const fd of open) writeSync(fd, line);
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

/** For all who may look into its folder: this process may have another umask than the user. */
function openLog({ home, name }: Reflog): number {
  const path = join(home, name);
  makeFolderBelow(home, dirname(path), makeLikeParent);
  const isNew = !existsSync(path);
  const fd = openSync(path, "a", 0o666);
  if (isNew) fchmodSync(fd, modeOf(dirname(path)) & 0o666);
  return fd;
}
