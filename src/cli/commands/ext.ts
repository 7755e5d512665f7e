import type { Command } from "commander";
import { addExtCheck } from "./ext-check.ts";
import { addExtList } from "./ext-list.ts";
import { addExtNew } from "./ext-new.ts";
import { addExtTest } from "./ext-test.ts";

export function addExt(program: Command): void {
  const ext = program.command("ext");
  addExtList(ext);
  addExtCheck(ext);
  addExtNew(ext);
  addExtTest(ext);
}
