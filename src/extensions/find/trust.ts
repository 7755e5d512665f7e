import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { replaceFile } from "../../files/index.ts";
import { projectRoot, seamHome } from "../../settings/index.ts";
import { importedFiles } from "./imported-files.ts";
import type { Source } from "./source.ts";

/** new: never looked at. changed: not what was looked at. */
export type Trust = "trusted" | "new" | "changed";

/** The files of one extension, from the project's root, with a hash of what the user agreed to. */
type Agreed = Record<string, string>;
/** Project → extension (from the project's root) → its files. */
type TrustFile = Record<string, Record<string, Agreed>>;

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
  replaceFile(path, `${JSON.stringify(trust, null, 2)}\n`);
}

function agreedTo(root: string, path: string): Agreed | undefined {
  const agreed: unknown = readTrust()[root]?.[relative(root, path)];
  return typeof agreed === "object" && agreed !== null ? (agreed as Agreed) : undefined;
}

/** Whether the user agreed to this project extension as it is now. */
export function trustOf(root: string, path: string): Trust {
  const agreed = agreedTo(root, path);
  if (!agreed) return "new";
  const now = filesOf(root, path);
  const names = new Set([...Object.keys(now), ...Object.keys(agreed)]);
  return [...names].every((name) => now[name] === agreed[name]) ? "trusted" : "changed";
}

/** The user looked at these extensions and agreed. */
export function trust(root: string, paths: readonly string[]): void {
  const all = readTrust();
  const project = { ...all[root] };
  for (const path of paths) project[relative(root, path)] = filesOf(root, path);
  writeTrust({ ...all, [root]: project });
}

/** Takes back everything that was agreed to in a project. */
export function distrust(root: string): void {
  const { [root]: _, ...rest } = readTrust();
  writeTrust(rest);
}

/**
 * Asked before a file of an extension runs. Imports can be hidden from anyone who only reads, so a
 * project's file that the user did not agree to is refused here, however it is reached.
 */
export function admission({ scope, path, baseDir }: Source): (file: string) => void {
  if (scope !== "project") return () => {};
  const root = projectRoot(baseDir);
  const agreed = agreedTo(root, path) ?? {};
  return (file) => {
    if (file.includes(`${sep}node_modules${sep}`)) return;
    if (agreed[relative(root, file)] !== hashOf(file)) {
      throw new SeamError("SEAM_EXT_CHANGED", { path: file });
    }
  };
}

function filesOf(root: string, entry: string): Agreed {
  return Object.fromEntries(
    importedFiles(entry).map((file) => [relative(root, file), hashOf(file)]),
  );
}

function hashOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return "missing";
  }
}
