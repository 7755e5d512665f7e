import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import type { VirtualModules } from "../modules/index.ts";
import type { ImportedNames } from "./transform.ts";

/** A name that a file takes from a module which does not have it. */
export interface MissingName {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly specifier: string;
}

/** Every name a file imports in vain, with the line that asks for it. */
export function missingNames(
  file: string,
  imported: ImportedNames,
  modules: VirtualModules,
): MissingName[] {
  const missing = Object.entries(imported).flatMap(([specifier, names]) => {
    const module = modules[specifier];
    if (!module) return [];
    const absent = names.filter((name) => name !== "default" && !(name in module));
    return absent.map((name) => ({ file, name, specifier }));
  });
  if (missing.length === 0) return [];
  const source = readRegularText(file, LARGE_FILE);
  return missing.map((one) => ({ ...one, line: lineOf(source, one.name, one.specifier) }));
}

/** Where a name is asked for: in the import of that module, or else where it is first written. */
function lineOf(source: string, name: string, specifier: string): number {
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  const quoted = new RegExp(`from\\s*["']${specifier.replace(/[/.@-]/g, "\\$&")}["']`, "g");
  for (const { index } of source.matchAll(quoted)) {
    const start = Math.max(
      source.lastIndexOf("import", index),
      source.lastIndexOf("export", index),
      0,
    );
    const at = source.slice(start, index).search(word);
    if (at >= 0) return lineAt(source, start + at);
  }
  const at = source.search(word);
  return at < 0 ? 1 : lineAt(source, at);
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split("\n").length;
}
