// Puts the sources into a few files: reading hundreds of small ones takes longer than running them.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CLIENT } from "./parts.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Loaded only when needed, or in a form that cannot be put into another file. */
const INSTALLED = ["jiti", "libsql", "re2js", "sucrase", "yaml"];

/** How everything is put together. */
export const BUNDLE = {
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: INSTALLED,
  mainFields: ["module", "main"],
  // Packages that were written for require() find it.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module";const require = requireFrom(import.meta.url);',
  },
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "error",
};

/**
 * Builds the parts from the sources into a folder, together: what two of them share is in one file,
 * so that a class is the same for both. The mark that the build is complete is written last.
 */
export async function bundle(folder, parts) {
  rmSync(join(folder, ".built"), { force: true });
  rmSync(join(folder, "chunks"), { recursive: true, force: true });
  const entries = Object.entries(parts).map(([name, path]) => [name, join(ROOT, `src/${path}.ts`)]);
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(entries),
    outdir: folder,
    ...BUNDLE,
    metafile: true,
  });
  mkdirSync(join(folder, "client"), { recursive: true });
  for (const name of CLIENT) {
    cpSync(join(ROOT, "src/daemon/client", name), join(folder, "client", name), {
      recursive: true,
    });
  }
  if (parts["bin/seam"]) chmodSync(join(folder, "bin/seam.js"), 0o755);
  return metafile;
}

/** Marks a build as complete. */
export function finish(folder) {
  writeFileSync(join(folder, ".built"), "");
}

/** Whether a build is complete and younger than the sources and what builds them. */
export function isCurrent(folder) {
  const built = statSync(join(folder, ".built"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built > Math.max(newest("src"), newest("scripts/build"));
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.includes(".test.")) continue;
    latest = Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs);
  }
  return latest;
}
