import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The absolute path a model means: relative to `cwd`, `~` for the home folder. */
export function resolveToolPath(path: string, cwd: string): string {
  const literal = absolute(path, cwd);
  // Models copy the "@" of a mention like @src/a.ts. A file that really starts with "@" comes first.
  if (!path.startsWith("@") || existsSync(literal)) return literal;
  const mentioned = absolute(path.slice(1), cwd);
  return existsSync(mentioned) ? mentioned : literal;
}

function absolute(path: string, cwd: string): string {
  if (path === "~") return homedir();
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(cwd, path);
}
