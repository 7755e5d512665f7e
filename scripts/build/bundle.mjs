// Puts the sources into a few files: reading hundreds of small ones takes longer than running them.
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CLIENT } from "./parts.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Loaded only when needed, or in a form that cannot be put into another file. */
const INSTALLED = ["jiti", "libsql", "re2js", "sucrase", "yaml"];

/** How everything is put together. */
export const BUNDLE = {
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
  // What is read at every start is parsed at every start: half the bytes are half the time.
  minify: true,
  legalComments: "none",
  logLevel: "error",
};

/**
 * Builds parts from the sources into a folder, together: what two of them share is in one file, so
 * that a class is the same for both. What is never used in one process is not built together: the
 * more share, the more files there are to read at the start. `chunks` is where the shared ones go.
 */
export async function bundle(folder, parts, chunks, plugins = []) {
  const { metafile } = await build({
    ...BUNDLE,
    ...sourcesOf(parts),
    outdir: folder,
    plugins,
    chunkNames: `${chunks}/[name]-[hash]`,
    metafile: true,
  });
  return metafile;
}

/** The sources of parts, as the bundler is told of them. */
export function sourcesOf(parts) {
  const entries = Object.entries(parts).map(([name, path]) => [name, join(ROOT, `src/${path}.ts`)]);
  return { absWorkingDir: ROOT, entryPoints: Object.fromEntries(entries) };
}

/** Adds the files that are copied as they are, and marks a build as complete. */
export function finish(folder) {
  mkdirSync(join(folder, "client"), { recursive: true });
  for (const name of CLIENT) {
    cpSync(join(ROOT, "src/daemon/client", name), join(folder, "client", name), {
      recursive: true,
    });
  }
  writeFileSync(join(folder, ".built"), "");
}

/** Whether a build is complete and younger than the sources and what builds them. */
export function isCurrent(folder) {
  const built = statSync(join(folder, ".built"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built > Math.max(...["src", "web", "scripts/build"].map(newest));
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.includes(".test.")) continue;
    latest = Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs);
  }
  return latest;
}
