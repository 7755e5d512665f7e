import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Files, tempDir, write } from "./files.ts";

const BUILT = resolve(
  import.meta.dirname,
  "../../../node_modules/.cache/agentseam/built/extensions/index.js",
);

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a script against Seam as it is built from these sources. */
export function childProcesses() {
  /**
   * Loads extensions in a process of their own, then runs `script`, which sees `set`, `wait` and
   * `reported`, with which it waits for so many problems. They go to stdout, a line each: code, extension.
   */
  return async function run(files: Files, script = ""): Promise<Ended> {
    const dir = tempDir();
    write(dir, files);
    const sources = Object.keys(files).filter((name) => !name.includes("/"));
    const main = join(dir, "main.mjs");
    writeFileSync(
      main,
      `import { basename } from "node:path";
import { loadExtensions } from ${JSON.stringify(BUILT)};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let said = 0;
const say = ({ error, path }) => {
  said++;
  console.log(error.code, basename(path));
};
const reported = async (count) => {
  for (const start = Date.now(); said < count && Date.now() - start < 20_000; ) await wait(10);
};
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
