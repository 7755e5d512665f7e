import { sep } from "node:path";

/** Whether a path is in a folder, at whatever depth. Only names are compared: links are not followed. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The same, or the folder itself. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}
