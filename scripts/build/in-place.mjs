// A build is made beside the one it replaces and takes its place when it is complete: a build that
// fails leaves the last good one as it was, and one that runs at the same time is not disturbed.
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Gives `build` an empty folder to write to, and puts that in the place of `folder` if it succeeds. */
export async function inPlace(folder, build) {
  removeLeftovers(folder);
  const made = `${folder}.building-${process.pid}`;
  const former = `${folder}.former-${process.pid}`;
  try {
    await build(made);
    rmSync(former, { recursive: true, force: true });
    replace(folder, made, former);
  } finally {
    for (const left of [made, former]) rmSync(left, { recursive: true, force: true });
  }
}

/** Another build may put its folder there between the two steps: then that one is replaced as well. */
function replace(folder, made, former) {
  for (;;) {
    try {
      renameSync(folder, former);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
    try {
      return renameSync(made, folder);
    } catch (error) {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      rmSync(former, { recursive: true, force: true });
    }
  }
}

/** What builds left that were killed, and an earlier one of this process. */
function removeLeftovers(folder) {
  const above = dirname(folder);
  if (!existsSync(above)) return;
  for (const name of readdirSync(above)) {
    const [, own, pid] = /^(.+)\.(?:building|former)-(\d+)$/.exec(name) ?? [];
    if (own !== basename(folder) || isAtWork(Number(pid))) continue;
    rmSync(join(above, name), { recursive: true, force: true });
  }
}

function isAtWork(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
