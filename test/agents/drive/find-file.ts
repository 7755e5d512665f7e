import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The file below `dir` that a pattern matches and that was written last. */
export function newestFile(dir: string, pattern: RegExp, notBefore = 0): string | undefined {
  const found = filesBelow(dir)
    .filter((path) => pattern.test(path))
    .map((path) => ({ path: join(dir, path), time: statSync(join(dir, path)).mtimeMs }))
    .filter(({ time }) => time >= notBefore)
    .sort((a, b) => b.time - a.time);
  return found[0]?.path;
}

function filesBelow(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
