import type { Command } from "commander";
import { addExtAdd } from "./ext-add.ts";
import { addExtCheck } from "./ext-check.ts";
import { addExtList } from "./ext-list.ts";
import { addExtNew } from "./ext-new.ts";
import { addExtRemove } from "./ext-remove.ts";
import { addExtTest } from "./ext-test.ts";
import { addExtUpdate } from "./ext-update.ts";

export function addExt(program: Command): void {
  const ext = program.command("ext");
  addExtAdd(ext);
  addExtRemove(ext);
  addExtUpdate(ext);
  addExtList(ext);
  addExtCheck(ext);
  addExtNew(ext);
  addExtTest(ext);
}
