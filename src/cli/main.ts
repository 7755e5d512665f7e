#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { messageOf, SeamError } from "../errors/index.ts";
import { addConfig } from "./commands/config.ts";
import { addDemo } from "./commands/demo.ts";
import { addExtCheck } from "./commands/ext-check.ts";
import { addExtList } from "./commands/ext-list.ts";
import { addExtNew } from "./commands/ext-new.ts";
import { addExtTest } from "./commands/ext-test.ts";
import { addRun } from "./commands/run.ts";
import { addTrust } from "./commands/trust.ts";
import { paint } from "./print.ts";

function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

const program = new Command("seam")
  .description("One seam under every coding agent.")
  .version(version())
  .showHelpAfterError("(add --help for more)")
  .addHelpText("after", "\nExamples:\n  seam demo\n  seam ext new my-gate\n  seam ext list");

addRun(program);
const ext = program.command("ext").description("make, check and list extensions");
addExtList(ext);
addExtCheck(ext);
addExtNew(ext);
addExtTest(ext);
addTrust(program);
addConfig(program);
addDemo(program);

// `seam … | head` closes the pipe early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  await program.parseAsync();
} catch (thrown) {
  const red = (text: string) => paint("red", text, process.stderr);
  process.stderr.write(`${red("error")} ${messageOf(thrown)}\n`);
  if (thrown instanceof SeamError) process.stderr.write(`      ${thrown.next}\n`);
  process.exitCode = thrown instanceof SeamError && thrown.code === "SEAM_USAGE" ? 2 : 1;
}
