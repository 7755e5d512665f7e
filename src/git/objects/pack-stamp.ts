import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { objectsDir, type Repo } from "../repo/repo.ts";
import { readSmall } from "../repo/small-file.ts";

/** Clocks of file systems tick slowly: two changes in one tick look like one. */
const TICK_MS = 50;

export interface PackStamp {
  readonly value: string;
  /** Nothing has changed for a while, so that a change from now on gives another value. */
  readonly isSettled: boolean;
}

/**
 * Another value means that packs were added or removed. A long-lived git goes on reading a pack
 * that was deleted under it, and would call objects present that `git gc` has thrown away.
 */
export function packStamp(repo: Repo): PackStamp {
  const own = objectsDir(repo);
  const stamps = [own, ...alternates(own)].map(stampOf);
  return {
    value: stamps.map(({ value }) => value).join(),
    isSettled: stamps.every(({ isSettled }) => isSettled),
  };
}

/** Whether what was started at the first stamp still knows all packs. */
export function isFresh(started: PackStamp, now: PackStamp): boolean {
  return started.value === now.value && (started.isSettled || !now.isSettled);
}

function stampOf(objects: string): PackStamp {
  try {
    const { mtimeNs, mtimeMs, ino } = statSync(join(objects, "pack"), { bigint: true });
    const isSettled = Date.now() - Number(mtimeMs) > TICK_MS;
    return { value: `${ino}:${mtimeNs}`, isSettled };
  } catch {
    return { value: "", isSettled: true };
  }
}

function alternates(objects: string): string[] {
  const lines = (readSmall(join(objects, "info/alternates")) ?? "").split("\n");
  return lines
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => resolve(objects, line));
}
