import { rmSync, writeFileSync } from "node:fs";
import { LARGE_FILE, readRegular, readText } from "../../files/index.ts";
import { pathBytes, pathFromShown, type RawPath, shownPath } from "../../git/index.ts";
import { slotFile } from "./slot-files.ts";
import type { SlotTree } from "./slot-git.ts";

/** Files of a merge that somebody has to finish: one path in each line. */
export function rememberConflicts({ repo }: SlotTree, paths: ReadonlySet<RawPath>): void {
  writeFileSync(slotFile(repo, "conflicts"), [...paths].map(shownPath).join("\n"));
}

export function forgetConflicts({ repo }: SlotTree): void {
  rmSync(slotFile(repo, "conflicts"), { force: true });
}

/** Those that still have both sides between marks. */
export function openConflicts({ repo, path }: SlotTree): string[] {
  const names = (readText(slotFile(repo, "conflicts")) ?? "").split("\n").filter(Boolean);
  return names.filter((name) => hasMarks(path, name));
}

function hasMarks(folder: string, shown: string): boolean {
  try {
    const path = Buffer.concat([Buffer.from(`${folder}/`), pathBytes(pathFromShown(shown))]);
    const text = readRegular(path, LARGE_FILE).toString("latin1");
    return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text);
  } catch {
    return false;
  }
}
