import { readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { realTarget } from "../tools/index.ts";

/** As many links as Linux follows before it gives up. */
const MAX_LINKS = 40;

/**
 * The files that a path may stand for. Agents differ: some take `..` out of the text first, others
 * leave it to the system, which follows links before it goes up.
 */
export function targetsOf(path: string, cwd: string): string[] {
  const plain = withoutScheme(path);
  const whole = fromHome(plain, cwd);
  const lexical = resolve(cwd, whole);
  const found = new Set([lexical, realOf(lexical)]);
  if (whole.includes("..")) found.add(physical(isAbsolute(whole) ? whole : `${cwd}${sep}${whole}`));
  // Some agents take off the mark that stands before a mentioned file.
  if (plain.startsWith("@")) found.add(realOf(resolve(cwd, fromHome(plain.slice(1), cwd))));
  return [...found];
}

/** Where links that lead to each other end: nowhere, so what was said counts. */
export function realOf(path: string): string {
  try {
    return realTarget(path);
  } catch {
    return path;
  }
}

function withoutScheme(path: string): string {
  if (!path.startsWith("file:")) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return path.slice("file:".length);
  }
}

function fromHome(path: string, cwd: string): string {
  const [, variable, rest = ""] = /^(~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\})(\/.*)?$/.exec(path) ?? [];
  if (variable === undefined) return path;
  return join(variable.includes("PWD") ? cwd : homedir(), rest);
}

/** Goes through a path like the system does: one name after the other, links followed at once. */
function physical(path: string): string {
  const names = path.split(sep).filter((name) => name !== "" && name !== ".");
  let at: string = sep;
  let links = 0;
  while (names.length > 0) {
    const name = names.shift() ?? "";
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const target = linkAt(next);
    if (target === undefined) at = next;
    else if (++links > MAX_LINKS) return next;
    else {
      names.unshift(...target.split(sep).filter((part) => part !== "" && part !== "."));
      if (isAbsolute(target)) at = sep;
    }
  }
  return at;
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
