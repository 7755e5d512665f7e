import { systemCode } from "../../errors/index.ts";

/** Nothing is at the path, or a part of it is no folder. */
export function isAbsent(thrown: unknown): boolean {
  const code = systemCode(thrown);
  return code === "ENOENT" || code === "ENOTDIR";
}
