import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newPlace } from "../cli/seam.ts";
import { keepTried, type TriedPackage, triedPackages } from "./packages.ts";

/** What a person would want to know instead of what the package says. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/No such built-in module: (\S+)/, "needs a later Node, which has `$1`"],
  [
    /Could not locate the bindings file/,
    "needs a library that an install script makes, and those run only if allowed (`--allow-scripts`)",
  ],
  [/could not be installed: (.*)/, "could not be installed for this run: $1"],
  [/failed while starting: (.*?)(?: \(\S+\))?\n/, "$1"],
];

interface Listed {
  readonly ok: boolean;
  readonly problems: readonly { readonly severity: string; readonly message: string }[];
  readonly [kind: string]: unknown;
}

/** Adds a package, lists what it is, and lets an agent run with it once. */
async function tried({ name, version }: TriedPackage): Promise<TriedPackage> {
  const at = newPlace();
  try {
    writeFileSync(join(at.project, "says.json"), '[{ "text": "hello" }]');
    const added = await at.seam("ext", "add", `${name}@${version}`, "--yes", "--json");
    if (added.code !== 0) return { name, version, why: reason(added.stderr) };
    const { extensions } = (await at.seam("ext", "list", "--json")).json() as {
      extensions: Listed[];
    };
    const errors = extensions.flatMap((one) => (one.ok ? [] : one.problems));
    if (errors[0]) return { name, version, why: reason(`${errors[0].message}\n`) };
    const args = ["run", "--no-session", "--model", "scripted:says.json", "-p", "hi"];
    const { code, stdout, stderr } = await at.seam(...args);
    if (code !== 0 || stdout.trim() !== "hello") return { name, version, why: reason(stderr) };
    return { name, version, brings: inWords(extensions, added.json() as Listed) };
  } finally {
    at.remove();
  }
}

function reason(text: string): string {
  for (const [pattern, words] of REASONS) {
    const match = pattern.exec(text);
    if (match) return match[0].replace(pattern, words).trim().replace(/\.$/, "");
  }
  return text.trim().split("\n")[0] ?? "";
}

const OF_EXTENSIONS = ["tools", "commands", "providers", "events"];
const OF_PACKAGES = ["skills", "prompts", "themes"];

function inWords(extensions: readonly Listed[], content: Listed): string {
  const count = (from: readonly Listed[], kind: string) => {
    const all = from.flatMap((one) => (Array.isArray(one[kind]) ? one[kind] : []));
    const number = new Set(all).size;
    return number === 0 ? [] : [`${number} ${number === 1 ? kind.replace(/s$/, "") : kind}`];
  };
  return [
    ...OF_EXTENSIONS.flatMap((kind) => count(extensions, kind)),
    ...OF_PACKAGES.flatMap((kind) => (count([content], kind).length > 0 ? [kind] : [])),
  ].join(", ");
}

// Fetches much and takes minutes: PACKAGES=1 npx vitest run --config test/peers/vitest.config.ts packages
describe.runIf(process.env.PACKAGES)("packages of others", () => {
  const { packages } = triedPackages();
  const seen: TriedPackage[] = [];

  it.each(packages)("$name is tried", async (one) => {
    const now = await tried(one);
    seen.push(now);
    expect(now.brings ?? now.why).not.toBe("");
  });

  afterAll(() => {
    if (seen.length === packages.length) keepTried({ node: process.versions.node, packages: seen });
  });
});

it("a package that does not load is named with its reason", () => {
  for (const { name, brings, why } of triedPackages().packages) {
    expect([name, brings === undefined, (why ?? "") === ""]).toEqual([
      name,
      why !== undefined,
      why === undefined,
    ]);
  }
});
