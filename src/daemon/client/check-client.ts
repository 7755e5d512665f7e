import type { DaemonPaths } from "../daemon-paths.ts";
import { changedFiles, readList } from "./client-files.ts";
import { sourceDigest } from "./native-client.ts";

/** What `seam doctor` wants to know of the hook client. */
export interface ClientCheck {
  /** Files that were changed or removed since they were written. */
  readonly changed: readonly string[];
  /** It comes from another version of Seam, or it is not known what it should be. */
  readonly outdated: boolean;
  /** Why the slower shell client is used. */
  readonly missing?: string;
}

export function checkClient(paths: DaemonPaths): ClientCheck {
  const list = readList(paths);
  if (!list) return { changed: [], outdated: true };
  return {
    changed: changedFiles(paths, list),
    outdated: list.source !== sourceDigest(),
    ...(list.missing !== undefined && { missing: list.missing }),
  };
}
