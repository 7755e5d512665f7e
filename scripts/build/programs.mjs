// Builds the command and all that runs in threads and processes of its own, in a form whose
// compiled code can be kept: modules of the other kind are compiled by Node itself at every start.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, buildSync, transform } from "esbuild";
import { BUNDLE, sourcesOf } from "./bundle.mjs";
import { buildPackages, withPackages } from "./kept-packages.mjs";
import { LEAN_PROGRAMS, PROGRAMS } from "./parts.mjs";
import { throughIndexes } from "./through-indexes.mjs";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));
const START = fileURLToPath(new URL("./start-program.ts", import.meta.url));

/** Builds all programs into `bin/` of a folder: a line each, and what they run in `bin/code/`. */
export async function bundlePrograms(folder) {
  const bin = join(folder, "bin");
  mkdirSync(join(bin, "code"), { recursive: true });
  const form = {
    ...BUNDLE,
    banner: {},
    outdir: folder,
    entryNames: "bin/code/[name]-[hash]",
    chunkNames: "bin/code/[name]-[hash]",
    metafile: true,
    write: false,
  };
  const packages = await buildPackages(form);
  const kept = [withPackages(SOURCES, packages.metafile)];
  const whole = await build({ ...form, ...sourcesOf(PROGRAMS), plugins: kept });
  const plugins = [throughIndexes(SOURCES)];
  const lean = await build({ ...form, ...sourcesOf(LEAN_PROGRAMS), splitting: false, plugins });
  await Promise.all(
    [...packages.outputFiles, ...whole.outputFiles, ...lean.outputFiles].map(
      async ({ path, text }) => writeFileSync(path, await asCommonJs(text)),
    ),
  );
  buildSync({
    ...BUNDLE,
    splitting: false,
    banner: {},
    format: "cjs",
    entryPoints: [START],
    outfile: join(bin, "start-program.js"),
  });
  writeFileSync(join(bin, "package.json"), '{ "type": "commonjs" }\n');
  const sources = { ...PROGRAMS, ...LEAN_PROGRAMS };
  const outputs = { ...whole.metafile.outputs, ...lean.metafile.outputs };
  for (const [output, { entryPoint }] of Object.entries(outputs)) {
    const program = Object.keys(sources).find((name) => entryPoint === `src/${sources[name]}.ts`);
    if (program === undefined) continue;
    const file = join(folder, `${program}.js`);
    const line = `require("./start-program.js").start("${basename(output)}");`;
    writeFileSync(file, `#!/usr/bin/env node\n"use strict";\n${line}\n`);
    chmodSync(file, 0o755);
  }
  return { outputs: { ...packages.metafile.outputs, ...whole.metafile.outputs } };
}

async function asCommonJs(text) {
  const { code } = await transform(text.replace(/^#!.*\n/, ""), {
    format: "cjs",
    platform: BUNDLE.platform,
    target: BUNDLE.target,
    minify: true,
    // What is compiled by hand has no `import()`.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "moduleUrl" },
  });
  return code;
}
