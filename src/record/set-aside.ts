import { join } from "node:path";
import { type Repo, setAsideRef } from "../git/index.ts";
import { seamDirOf } from "./seam-dir.ts";

/** What was in the place of the checkpoints when something else put it there. */
export const ASIDE_PREFIX = "refs/seam/aside/";

/** Takes a reference of Seam's that is broken out of the way; its file is kept. */
export function setAside(repo: Repo, ref: string): Promise<void> {
  const name = `${ref.replaceAll("/", "-")}.${Date.now()}`;
  return setAsideRef(repo, ref, join(seamDirOf(repo), "aside", name));
}
