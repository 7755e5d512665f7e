import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { type Files, tempDir, write } from "./files.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Builds Seam once per test file; the function returned runs a script against it. */
export function childProcesses() {
  let built = "";
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), "seam-built-"));
    writeFileSync(join(built, "package.json"), '{ "type": "module" }');
    symlinkSync(join(ROOT, "node_modules"), join(built, "node_modules"));
    const args = ["-p", "tsconfig.build.json", "--noCheck", "--declaration", "false"];
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    await promisify(execFile)(tsc, [...args, "--outDir", join(built, "dist")], { cwd: ROOT });
  }, 60_000);
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  /**
   * Loads extensions in a process of their own, then runs `script`, which sees `set` and `wait`.
   * Problems go to stdout, a line each: code, extension.
   */
  return async function run(files: Files, script = ""): Promise<Ended> {
    const dir = tempDir();
    write(dir, files);
    const sources = Object.keys(files).filter((name) => !name.includes("/"));
    const main = join(dir, "main.mjs");
    writeFileSync(
      main,
      `import { basename } from "node:path";
import { loadExtensions } from ${JSON.stringify(join(built, "dist/extensions/index.js"))};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = ({ error, path }) => console.log(error.code, basename(path));
const set = await loadExtensions({ cwd: ${JSON.stringify(dir)}, sources: ${JSON.stringify(sources)} });
set.problems.forEach(say);
set.onProblem(say);
${script}
await wait(100);
console.log("still here");
process.exit(0);
`,
    );
    return new Promise((done) => {
      execFile(process.execPath, [main], { cwd: dir }, (error, stdout, stderr) => {
        done({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  };
}
