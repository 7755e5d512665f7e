import { realpathSync } from "node:fs";
import { dirname } from "node:path";

/** A folder and all above it, with links both followed and not: agents differ in this. */
export function withParents(folder: string): string[] {
  return [...new Set([folder, realName(folder)])].flatMap(above);
}

export function realName(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}
