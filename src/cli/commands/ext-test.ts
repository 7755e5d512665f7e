import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Command } from "commander";

export function addExtTest(ext: Command): void {
  ext
    .command("test")
    .description("run tests of extensions; agentseam need not be installed beside them")
    .argument("<path...>", "test files for node --test")
    .addHelpText("after", "\nExamples:\n  seam ext test .seam/extensions/no-rm.test.mjs")
    .action(run);
}

function run(paths: string[]): Promise<void> {
  const hook = new URL("../resolve-seam/register.js", import.meta.url).href;
  const files = paths.map((path) => resolve(path));
  const child = spawn(process.execPath, ["--import", hook, "--test", ...files], {
    stdio: "inherit",
  });
  return new Promise((done) => {
    child.on("exit", (code) => {
      process.exitCode = code ?? 1;
      done();
    });
  });
}
