import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { atMost, type Bench, medians, pairedRatio } from "./frame.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ROUNDS = 25;

const COMMANDS = {
  "node -e 0": ["-e", "0"],
  "import agentseam": [
    "--input-type=module",
    "-e",
    `import "${pathToFileURL(join(ROOT, "dist/agentseam.js")).href}";`,
  ],
  "seam --help": [join(ROOT, "dist/bin/seam.js"), "--help"],
};

/** How long a process takes that runs this and ends. */
function took(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - startedAt;
}

/** What the package is on disk once it is installed, with all it brings along. */
function installedBytes(): number {
  const npm = (...args: string[]) => spawnSync("npm", args, { cwd: ROOT, encoding: "utf8" }).stdout;
  const [own] = JSON.parse(npm("pack", "--dry-run", "--json", "--ignore-scripts"));
  const [, ...packages] = npm("ls", "--omit=dev", "--all", "--parseable").trim().split("\n");
  return packages.reduce((sum, folder) => sum + bytesIn(folder), Number(own.unpackedSize));
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytesIn(path);
    return sum + statSync(path).size;
  }, 0);
}

const bench: Bench = async function* (say) {
  say("starting and ending");
  const { "node -e 0": nothing, ...things } = COMMANDS;
  for (const [name, args] of Object.entries(things)) {
    const [bare, series]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(took(nothing));
      series.push(took(args));
    }
    yield atMost({
      name: `${name} beside node -e 0`,
      value: pairedRatio(series, bare),
      bar: 2,
      unit: "times",
      detail: medians({ "node -e 0": bare, [name]: series }, "ms"),
    });
  }
  say("what is installed");
  const value = installedBytes() / 1_000_000;
  yield atMost({ name: "installed size", value, bar: 65, unit: "MB", detail: [] });
};

export default bench;
