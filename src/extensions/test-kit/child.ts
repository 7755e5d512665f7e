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
import { loadExtensions } from ${JSON.stringify(BUILT)};
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
