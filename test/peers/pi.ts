/** The published Pi that Seam is compared with, and what Pi itself sees in its examples. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

export const PEERS = `${here}node_modules/@earendil-works`;
/** Versions whose dependencies cannot be installed, unpacked: their names and examples are looked at. */
export const PACKED = `${here}node_modules/.packed`;
export const PI_ROOT = `${PEERS}/pi-coding-agent`;
export const PI_EXAMPLES = `${PI_ROOT}/examples/extensions`;

/** The versions of Pi whose examples are tried, and where their packages are. */
export const EDITIONS = {
  "0.74.2": PI_ROOT,
  "1.5.0": `${PACKED}/pi-coding-agent-1.5.0`,
} as const;
export type Edition = keyof typeof EDITIONS;
export const EDITION_NAMES: readonly Edition[] = ["0.74.2", "1.5.0"];

/** The examples of a version by their names: the file of each. */
export function examplesOf(edition: Edition): ReadonlyMap<string, string> {
  const folder = `${EDITIONS[edition]}/examples/extensions`;
  const items = readdirSync(folder).filter((item) => item !== "README.md");
  return new Map(
    items.map((item) => {
      const entry = existsSync(`${folder}/${item}/index.ts`) ? `${item}/index.ts` : item;
      return [item.replace(/\.ts$/, ""), `${folder}/${entry}`];
    }),
  );
}

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
