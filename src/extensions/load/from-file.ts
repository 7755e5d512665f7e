import type { Source } from "../find/source.ts";
import { admission } from "../find/trust.ts";
import type { Member } from "../member.ts";
import { virtualModules } from "../modules/index.ts";
import type { Runtime } from "../runtime.ts";
import { loadModule, type ModuleExports } from "./load-module.ts";

/** Compiles and evaluates an extension's file. */
export function evaluateFile(
  source: Source,
  member: Member,
  runtime: Runtime,
  cacheDir: string | false,
): Promise<ModuleExports> {
  const modules = virtualModules(() => runtime.host(source.path, "getModel").modelRegistry);
  return loadModule(member, { modules, cacheDir, admit: admission(source) });
}
