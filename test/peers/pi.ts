/** The published Pi that Seam is compared with, and what Pi itself sees in its examples. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

export const PEERS = `${here}node_modules/@earendil-works`;
/** Versions whose dependencies cannot be installed, unpacked: their names and examples are looked at. */
export const PACKED = `${here}node_modules/.packed`;
export const PI_ROOT = `${PEERS}/pi-coding-agent`;
export const PI_EXAMPLES = `${PI_ROOT}/examples/extensions`;

export const KINDS = [
  "events",
  "tools",
  "commands",
  "flags",
  "shortcuts",
  "renderers",
  "providers",
] as const;

/** What an extension subscribed to and registered: sorted names, none where there are none. */
export type Surface = Partial<Record<(typeof KINDS)[number], string[]>>;

export interface RecordedExample extends Surface {
  /** Below PI_EXAMPLES. */
  readonly entry: string;
  /** Pi cannot load it: a package it needs does not come with Pi. */
  readonly missing?: string;
}

interface Table {
  readonly pi: string;
  readonly examples: Readonly<Record<string, RecordedExample>>;
}

/** Recorded with Pi's own loader by record-pi-examples.mjs. */
export function recordedExamples(): Table {
  return JSON.parse(readFileSync(`${here}pi-examples.json`, "utf8")) as Table;
}

/** Fails with a next step where the error of a missing import would only confuse. */
export function requirePeers(): void {
  if (!existsSync(`${PI_ROOT}/package.json`)) {
    throw new Error("Pi is not installed for comparison. Run: node test/peers/install.mjs");
  }
}
