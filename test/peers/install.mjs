// Installs what package-lock.json pins, unless that is already there.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Everything goes to stderr: the output of a benchmark may be read by a program. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

/** npm writes this file last, so an install that was interrupted does not count. */
function isInstalled() {
  const done = statSync(`${here}node_modules/.package-lock.json`, { throwIfNoEntry: false });
  return done !== undefined && done.mtimeMs >= statSync(`${here}package-lock.json`).mtimeMs;
}

if (!isInstalled()) {
  say("Installing Pi and ccusage for comparison into test/peers (about 200 MB, half a minute) …");
  // Not `npm ci`: it refuses a lock file that lacks packages for other platforms.
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--progress=true"];
  const args = ["install", ...flags];
  const { status, error } = spawnSync("npm", args, { cwd: here, stdio: ["ignore", 2, 2] });
  if (error || status !== 0) {
    say(`npm install failed${error ? `: ${error.message}` : ""}. Run it in ${here} to see why.`);
    process.exit(1);
  }
  say("Installed.");
}
