import { basename, dirname, join, resolve } from "node:path";
import { projectRoot } from "../settings/index.ts";
import { globbed } from "./globbed.ts";
import type { ProtectedPlaces } from "./protected-places.ts";
import { shellWrites } from "./shell-writes.ts";
import { targetsOf } from "./targets.ts";
import { type Call, mentionsOf } from "./written-paths.ts";

/**
 * Why a call of an agent's tool would take Seam out or make it laxer; undefined if it would not.
 * Reads no file unless the call writes near Seam's places.
 */
export function judgeCall(places: ProtectedPlaces, call: Call, cwd: string): string | undefined {
  const { paths, commands } = mentionsOf(call);
  for (const path of paths) {
    const what = first(targetsOf(path, cwd), (target) => places.whatIs(target));
    if (what !== undefined) return `This would change ${path}: ${what}.`;
  }
  const folder = typeof call.input.cwd === "string" ? resolve(cwd, call.input.cwd) : cwd;
  for (const command of commands) {
    const found = judgeCommand(places, command, folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

function judgeCommand(places: ProtectedPlaces, command: string, cwd: string): string | undefined {
  const { writes, loosened } = shellWrites(command);
  const [loose] = loosened;
  if (loose !== undefined) return `"${loose}" would take Seam out or make it laxer.`;
  for (const { path, pattern, whole } of writes) {
    const found = pattern ? globbed(path, cwd) : [path];
    const what = first(found, (one) =>
      whole
        ? whatGoes(places, one, cwd)
        : first(targetsOf(one, cwd), (target) => places.whatIs(target)),
    );
    if (what !== undefined) return `This command would change ${path}: ${what}.`;
  }
  return undefined;
}

/** What goes with a folder. A link that is removed is not what it leads to. */
function whatGoes(places: ProtectedPlaces, path: string, cwd: string): string | undefined {
  const [literal = ""] = targetsOf(path, cwd);
  const inRealFolder = targetsOf(dirname(literal), cwd).map((folder) =>
    join(folder, basename(literal)),
  );
  const project = projectRoot(cwd);
  return first([literal, ...inRealFolder], (one) => places.whatIsBelow(one, project));
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
