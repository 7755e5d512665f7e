import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { folderRefusal } from "../files/index.ts";
import type { DaemonPaths } from "./daemon-paths.ts";

/** With less than this a disk counts as full: a hook alone may need more. */
const LEAST_BYTES = 64 * 1024;

/** Why hooks cannot be kept in Seam's folder; undefined if nothing speaks against it. */
export function unwritable({ home, run }: DaemonPaths): string | undefined {
  const folder = existsSync(run) ? run : home;
  if (!existsSync(folder)) return undefined;
  const refusal = folderRefusal("journal", run);
  if (refusal) return refusal.message.replace(/\.$/, "");
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return `${folder} cannot be written to`;
  }
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < LEAST_BYTES ? `The disk of ${folder} is full` : undefined;
  } catch {
    return undefined;
  }
}
