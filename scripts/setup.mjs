// Makes a fresh clone ready: installs what is missing, builds what is out of date. Plain Node, no
// dependencies: it runs before there are any.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;

function run(what, command, args) {
  process.stderr.write(`seam: ${what} …\n`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  process.stderr.write(`seam: ${what} failed${error ? `: ${error.message}` : ""}\n`);
  process.exit(status ?? 1);
}

/** When something was last changed; 0 if it is not there. */
function changedAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newest(dir) {
  let latest = 0;
  for (const entry of readdirSync(join(root, dir), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.includes(".test.")) continue;
    latest = Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs);
  }
  return latest;
}

// npm writes this file last, so an install that was interrupted is done again.
if (changedAt("node_modules/.package-lock.json") < changedAt("package-lock.json")) {
  // Not `npm ci`: it refuses a lock file that lacks packages for other platforms, which npm itself
  // leaves out when the registry at hand does not have them.
  run("installing packages", "npm", ["install", "--no-audit", "--no-fund"]);
}
const built = changedAt("dist/.built");
if (built < Math.max(...["src", "web", "scripts/build"].map(newest))) {
  run("building", "npm", ["run", "--silent", "build"]);
}
