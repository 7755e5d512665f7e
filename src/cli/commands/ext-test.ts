import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { builtFile } from "../../settings/index.ts";

export function addExtTest(ext: Command): void {
  ext
    .command("test")
    .description("run tests of extensions; agentseam need not be installed beside them")
    .argument("<path...>", "test files for node --test")
    .addHelpText("after", "\nExamples:\n  seam ext test .seam/extensions/no-rm.test.mjs")
    .action(run);
}

async function run(paths: string[]): Promise<void> {
  const hook = pathToFileURL(builtFile("resolve-seam/register.js")).href;
  const files = paths.map((path) => resolve(path));
  for (const path of files) statSync(path);
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
