// A build is made beside the one it replaces and takes its place when it is complete: a build that
// fails leaves the last good one as it was.
import { existsSync, renameSync, rmSync } from "node:fs";

/** Gives `build` an empty folder to write to, and puts that in the place of `folder` if it succeeds. */
export async function inPlace(folder, build) {
  const made = `${folder}.building`;
  const former = `${folder}.former`;
  rmSync(made, { recursive: true, force: true });
  try {
    await build(made);
    rmSync(former, { recursive: true, force: true });
    if (existsSync(folder)) renameSync(folder, former);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(former, { recursive: true, force: true });
  }
}
