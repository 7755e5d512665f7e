// Puts the types of each door into one file, so that whoever imports it loads that file alone.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EMITTED = join(ROOT, "node_modules/.cache/agentseam/declarations");

/** Writes `<name>.d.ts` for each door. */
export async function bundleDeclarations(folder, doors) {
  rmSync(EMITTED, { recursive: true, force: true });
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  for (const [name, path] of Object.entries(doors)) {
    const input = join(EMITTED, `${path}.d.ts`);
    const made = await rollup({
      input,
      external: /^[^./]/,
      plugins: [emittedFiles, dts(), withoutPrivate, keptHead(input)],
    });
    await made.write({ file: join(folder, `${name}.d.ts`), format: "es" });
    await made.close();
  }
}

/** Declarations name each other with the ending of their sources. */
const emittedFiles = {
  name: "emitted-files",
  resolveId(specifier, from) {
    if (!from || !/^\.\.?\/.*(?<!\.d)\.ts$/.test(specifier)) return null;
    return fileURLToPath(new URL(specifier.replace(/\.ts$/, ".d.ts"), `file://${from}`));
  },
};

/**
 * A class with a private member fits nothing but itself, and each door has its own declaration of
 * the classes that several of them share. At run time they are the same.
 */
const withoutPrivate = {
  name: "without-private",
  renderChunk: (code) => code.replace(/^ +(?:#private|private [^\n]*);\n/gm, ""),
};

/** The comment at the head of a door says what it is for. */
function keptHead(input) {
  const [head = ""] = /^\/\*\*[\s\S]*?\*\/\n/.exec(readFileSync(input, "utf8")) ?? [];
  return { name: "kept-head", renderChunk: (code) => head + code };
}
