// Installs the agents that package-lock.json pins, unless they are already there. They are
// optional: one that cannot be had here is named, and the tests report it as not run. Those that ask
// for a newer Node than this one are no optional dependencies, for npm leaves such a one out.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const modules = join(here, "node_modules");
const stamp = join(modules, ".installed");
const platform = `${process.platform}-${process.arch}`;
const lock = readFileSync(join(here, "package-lock.json"));
const wanted = `${platform} ${createHash("sha256").update(lock).digest("hex")}\n`;

function say(text) {
  process.stderr.write(`${text}\n`);
}

function install() {
  say("Installing the coding agents into test/agents (about 2.5 GB, a minute) …");
  // Not `npm ci`: it refuses a lock file that lacks packages for other platforms. The programs come
  // in packages of their own, so no script of theirs has to run.
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error } = spawnSync("npm", ["install", ...flags], {
    cwd: here,
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  say(`npm install failed${error ? `: ${error.message}` : ""}. Run it in ${here} to see why.`);
  process.exit(1);
}

/** Packages that are not there: npm leaves out an optional one that it could not get. */
function missing() {
  const wants = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  return Object.keys({ ...wants.dependencies, ...wants.optionalDependencies }).filter(
    (name) => !existsSync(join(modules, name, "package.json")),
  );
}

/** Copilot CLI unpacks 235 MB at its first start: not twice at once, and not in every home. */
function unpackCopilot() {
  const program = join(modules, `@github/copilot-${platform}/copilot`);
  if (!existsSync(program)) return;
  const home = mkdtempSync(join(tmpdir(), "copilot-"));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PKG_CACHE_HOME: join(modules, ".copilot"),
  };
  spawnSync(program, ["--version"], { env, stdio: "ignore", timeout: 60_000 });
  rmSync(home, { recursive: true, force: true });
}

const done = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
if (!done || missing().length > 0) {
  const before = performance.now();
  install();
  unpackCopilot();
  const absent = missing();
  for (const name of absent) say(`Could not be installed here: ${name}`);
  // Without the stamp the next run tries again.
  if (absent.length === 0) writeFileSync(stamp, wanted);
  say(`Installed in ${Math.round((performance.now() - before) / 1000)} s.`);
}
