import { relative } from "node:path";
import type { DependencyChange, PackageContent } from "../../extensions/index.ts";
import type { FileChange } from "../../settings/index.ts";
import { paint } from "../print.ts";
import { changeLines, plain } from "../trust/show-item.ts";

const KINDS = ["extensions", "skills", "prompts", "themes"] as const;
const MOST = 8;

/** What a package brings, for whoever has to decide about it. */
export function contentLines(
  dir: string,
  content: PackageContent,
  allowScripts: boolean,
): string[] {
  const { name, version = "", scripts, missing } = content;
  const lines = [`${paint("bold", plain(name))} ${plain(version)}`];
  const inShort = (paths: readonly string[]) => {
    const shown = paths.slice(0, MOST).map((path) => plain(relative(dir, path)));
    const more = paths.length > MOST ? ` and ${paths.length - MOST} more` : "";
    return `${shown.join(", ")}${more}`;
  };
  for (const kind of KINDS) {
    if (content[kind].length > 0) lines.push(`  ${kind.padEnd(12)}${inShort(content[kind])}`);
  }
  if (missing.length > 0) {
    lines.push(`  ${"left out".padEnd(12)}${inShort(missing)}: not in the package`);
  }
  if (scripts.length > 0) {
    const said = allowScripts ? "were run" : "were not run; --allow-scripts runs them";
    lines.push(`  ${"scripts".padEnd(12)}${scripts.join(", ")} ${said}`);
  }
  return lines;
}

/** How the files of a package differ from those of the version that is in force. */
export function changedFiles(
  before: ReadonlyMap<string, Buffer>,
  after: ReadonlyMap<string, Buffer>,
): FileChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter((one) => !(one.before && one.after && one.before.equals(one.after)));
}

const MOST_CHANGES = 40;

export function updateLines(changes: readonly FileChange[]): string[] {
  const shown = changes.slice(0, MOST_CHANGES).flatMap(changeLines);
  const more = changes.length - MOST_CHANGES;
  return more > 0 ? [...shown, `  and ${more} more files`] : shown;
}

/** What it brings along runs like the package itself: an update may change nothing else. */
export function dependencyLines(changes: readonly DependencyChange[]): string[] {
  const shown = changes.slice(0, MOST_CHANGES).map(({ name, before, after }) => {
    const versions = dependencyChange(before, after);
    return `  ${"depends on".padEnd(12)}${plain(name)} ${plain(versions)}`;
  });
  const more = changes.length - MOST_CHANGES;
  return more > 0 ? [...shown, `  and ${more} more that it depends on`] : shown;
}

function dependencyChange(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${after} (new)`;
  if (after === undefined) return `${before} (no more)`;
  return before === after ? `${after} (other files)` : `${before} → ${after}`;
}
