// The licences of the packages whose code is in the bundles.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Writes THIRD-PARTY-LICENCES.txt for every package that the bundles took something from. */
export function writeLicences(folder, metafiles) {
  const outputs = metafiles.flatMap((one) => Object.values(one.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const packages = new Set(inputs.flatMap((path) => packageOf(path) ?? []));
  const text = [...packages]
    .sort()
    .map(licenceOf)
    .join(`\n${"-".repeat(80)}\n\n`);
  writeFileSync(join(folder, "THIRD-PARTY-LICENCES.txt"), text);
}

/** The folder of the package a bundled file is from. */
function packageOf(path) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function licenceOf(folder) {
  const at = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  const file = readdirSync(at).find((one) => /^licen[cs]e/i.test(one));
  const text = file && existsSync(join(at, file)) ? readFileSync(join(at, file), "utf8") : "";
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
