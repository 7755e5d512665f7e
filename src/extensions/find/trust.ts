import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { seamHome } from "../../settings/index.ts";

/** new: never looked at. changed: not what was looked at. */
export type Trust = "trusted" | "new" | "changed";

/** Project → extension (from the project's root) → fingerprint of what the user agreed to. */
type TrustFile = Record<string, Record<string, string>>;

const trustPath = () => join(seamHome(), "trust.json");

function readTrust(): TrustFile {
  try {
    const parsed: unknown = JSON.parse(readFileSync(trustPath(), "utf8"));
    return typeof parsed === "object" && parsed !== null ? (parsed as TrustFile) : {};
  } catch {
    // Missing or broken: nothing is trusted, which is the safe reading of both.
    return {};
  }
}

function writeTrust(trust: TrustFile): void {
  const path = trustPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(trust, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/** Whether the user agreed to this project extension as it is now. */
export function trustOf(root: string, path: string): Trust {
  const agreed = readTrust()[root]?.[relative(root, path)];
  if (agreed === undefined) return "new";
  return agreed === fingerprint(path) ? "trusted" : "changed";
}

/** The user looked at these extensions and agreed. */
export function trust(root: string, paths: readonly string[]): void {
  const all = readTrust();
  const project = { ...all[root] };
  for (const path of paths) project[relative(root, path)] = fingerprint(path);
  writeTrust({ ...all, [root]: project });
}

/** Takes back everything that was agreed to in a project. */
export function distrust(root: string): void {
  const { [root]: _, ...rest } = readTrust();
  writeTrust(rest);
}

/** A hash over the extension and every file it imports by a relative path. */
function fingerprint(entry: string): string {
  const hash = createHash("sha256");
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch {
      hash.update(`missing ${relative(entry, path)}\n`);
      return;
    }
    hash.update(`${relative(entry, path)} ${text.length}\n`).update(text);
    for (const [, specifier] of text.matchAll(RELATIVE_IMPORT)) {
      if (specifier) visit(resolveFile(resolve(dirname(path), specifier)));
    }
  };
  visit(entry);
  return hash.digest("hex");
}

// from "./x", import("./x"), require("./x"), import "./x"
const RELATIVE_IMPORT = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/** `./x`, `./x.js` that is only there as `./x.ts`, and `./x/index.ts`. */
function resolveFile(path: string): string {
  const bare = path.slice(0, path.length - extname(path).length);
  const candidates = [path, `${path}.ts`, `${path}.js`, `${bare}.ts`, join(path, "index.ts")];
  return candidates.find(isFile) ?? path;
}

function isFile(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
