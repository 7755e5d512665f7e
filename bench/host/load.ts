import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PI_ROOT } from "../../test/peers/pi.ts";
import { DIST } from "../built.ts";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { SEAM_HOST } from "./seam.ts";

const CHILD = fileURLToPath(new URL("load-child.mjs", import.meta.url));
const PEERS = fileURLToPath(new URL("../../test/peers/node_modules/", import.meta.url));
const PI_LOADER = `${pathToFileURL(PI_ROOT).href}/dist/core/extensions/loader.js`;
const ROOMS = { extensions: new URL("extensions/index.js", DIST).href, host: SEAM_HOST };

/** The largest packages of Pi's ecosystem that the pinned Pi loads: in TypeScript, and as a bundle. */
const PACKAGES = [
  { name: "pi-subagents", version: "0.34.0", entry: "src/extension/index.ts", files: "TypeScript" },
  { name: "pi-lens", version: "3.8.73", entry: "dist/index.js", files: "JavaScript" },
];

/** How long a package takes to load, in a process of its own each time and without any cache. */
export async function* loadCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  const packages = installed(say);
  const cwd = mkdtempSync(join(folder, "load-"));
  for (const { name, version, entry, files } of PACKAGES) {
    say(`loading ${name} beside Pi`);
    const path = join(packages, name, entry);
    const series = await interleave(
      {
        Seam: () => took(cwd, "Seam", JSON.stringify(ROOMS), path),
        Pi: () => took(cwd, "Pi", PI_LOADER, path),
      },
      { rounds: 7, warmUps: 1 },
    );
    yield atMost({
      name: `first load of ${name} ${version} (${files})`,
      value: pairedRatio(series.Seam, series.Pi),
      bar: 1,
      unit: "times as long as Pi",
      detail: medians(series, "ms"),
    });
  }
}

async function took(cwd: string, way: string, modules: string, path: string): Promise<number> {
  const home = mkdtempSync(join(cwd, "home-"));
  // Pi's compiler keeps what it made beside its own files, where the next process would find it.
  const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: home, JITI_FS_CACHE: "false" };
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, way, modules, path], {
    cwd,
    env,
  });
  rmSync(home, { recursive: true });
  return Number(stdout.trim().split("\n").at(-1));
}

/** Where the packages are. They are fetched for the first measurement, next to Pi. */
function installed(say: (text: string) => void): string {
  const wanted = PACKAGES.map(({ name, version }) => `${name}@${version}`);
  const folder = join(PEERS, `.largest-${wanted.join("-")}`);
  if (existsSync(folder)) return join(folder, "node_modules");
  say(`fetching ${wanted.join(" and ")}`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  writeFileSync(join(part, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["install", ...flags, ...wanted], {
    cwd: part,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error(`npm could not install ${wanted.join(" and ")}.`);
  // Last of all, so that an install that was interrupted does not count.
  renameSync(part, folder);
  return join(folder, "node_modules");
}
