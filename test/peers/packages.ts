import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A package of somebody else's, and what became of it when it was tried last. */
export interface TriedPackage {
  readonly name: string;
  readonly version: string;
  /** What it has registered, in words; undefined if it does not load. */
  readonly brings?: string;
  /** Why it does not load. */
  readonly why?: string;
}

interface Tried {
  /** The version of Node with which they were tried. */
  readonly node: string;
  readonly packages: readonly TriedPackage[];
}

const FILE = fileURLToPath(new URL("packages.json", import.meta.url));

export function triedPackages(): Tried {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

export function keepTried(tried: Tried): void {
  writeFileSync(FILE, `${JSON.stringify(tried, null, 2)}\n`);
}
