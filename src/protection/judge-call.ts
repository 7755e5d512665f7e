import { basename, dirname, join, resolve } from "node:path";
import { projectRoot } from "../settings/index.ts";
import { globbed } from "./globbed.ts";
import type { ProtectedPlaces } from "./protected-places.ts";
import { shellWrites, type Target } from "./shell/shell-writes.ts";
import { targetsOf } from "./targets.ts";
import { type Call, mentionsOf } from "./written-paths.ts";

/**
 * Why a call of an agent's tool would take Seam out or make it laxer; undefined if it would not.
 * Reads no file unless the call writes near Seam's places.
 */
export function judgeCall(places: ProtectedPlaces, call: Call, cwd: string): string | undefined {
  const { paths, commands } = mentionsOf(call);
  for (const path of paths) {
    const what = whatIs(places, { path, cwd });
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
  const { written, removed, loosened } = shellWrites(command, cwd);
  const [first] = loosened;
  if (first !== undefined) return `"${first}" would take Seam out or make it laxer.`;
  for (const target of written) {
    const what = whatIs(places, target);
    if (what !== undefined) return `This command would change ${target.path}: ${what}.`;
  }
  if (removed.length === 0) return undefined;
  const project = projectRoot(cwd);
  for (const target of removed) {
    const what = whatIsBelow(places, target, project);
    if (what !== undefined) return `This command would remove or move ${target.path}: ${what}.`;
  }
  return undefined;
}

function whatIs(places: ProtectedPlaces, target: Target): string | undefined {
  return first(globbed(target), ({ path, cwd }) =>
    first(targetsOf(path, cwd), (real) => places.whatIs(real)),
  );
}

function whatIsBelow(places: ProtectedPlaces, target: Target, project: string): string | undefined {
  return first(globbed(target), ({ path, cwd }) => {
    // A link that is removed is not what it leads to, but one in Seam's folder is Seam's.
    const [literal = ""] = targetsOf(path, cwd);
    const inRealFolder = targetsOf(join(dirname(literal), "."), cwd).map((folder) =>
      join(folder, basename(literal)),
    );
    return first([literal, ...inRealFolder], (real) => places.whatIsBelow(real, project));
  });
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
