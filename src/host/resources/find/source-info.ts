import { dirname } from "node:path";
import type { SourceInfo } from "../../../extensions/index.ts";

/** Where a skill or a prompt came from, as commands are listed to extensions. */
export function sourceInfoOf(path: string, scope: SourceInfo["scope"]): SourceInfo {
  return { path, source: "local", scope, origin: "top-level", baseDir: dirname(path) };
}
