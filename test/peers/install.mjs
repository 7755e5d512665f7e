// Installs what package-lock.json pins, unless that is already there.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
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

// Not installed but unpacked: not all that these depend on is published.
for (const [name, version] of [
  ["pi-coding-agent", "1.5.0"],
  ["pi-ai", "1.5.0"],
  ["pi-agent-core", "1.5.0"],
  ["pi-tui", "0.87.1"],
]) {
  const folder = `${here}node_modules/.packed/${name}-${version}`;
  if (existsSync(folder)) continue;
  say(`Fetching ${name} ${version} for comparison …`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const pack = [
    "pack",
    `@earendil-works/${name}@${version}`,
    "--silent",
    "--pack-destination",
    part,
  ];
  const file = execFileSync("npm", pack, { encoding: "utf8" }).trim().split("\n").at(-1);
  execFileSync("tar", ["xzf", `${part}/${file}`, "-C", part, "--strip-components=1"]);
  rmSync(`${part}/${file}`);
  // Last of all, so that one that was interrupted does not count.
  renameSync(part, folder);
}
