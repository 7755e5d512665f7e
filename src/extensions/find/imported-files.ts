import { statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import { quotedNames } from "./quoted-names.ts";

/** A file and everything it imports by a relative path, as far as that can be read off the text. */
export function importedFiles(entry: string): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const specifier of relativeImports(path)) {
      visit(resolveFile(resolve(dirname(path), specifier)));
    }
  };
  visit(entry);
  return [...found].sort();
}

const RELATIVE = /^\.{1,2}(?:\/|$)/;

function relativeImports(path: string): string[] {
  let text: string;
  try {
    text = readRegularText(path, LARGE_FILE);
  } catch {
    return [];
  }
  return [...quotedNames(text)]
    .filter(({ name, isImported }) => isImported && RELATIVE.test(name))
    .map(({ name }) => name);
}

const ENDINGS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".json"];

/** How many files may be what a specifier means. */
export const WAYS_TO_RESOLVE = 1 + 3 * ENDINGS.length;

/** The file behind a specifier, the way the loader finds it: `./x.js` may only be there as `.ts`. */
export function resolveFile(path: string): string {
  const bare = path.slice(0, path.length - extname(path).length);
  const candidates = [
    path,
    ...ENDINGS.map((ending) => path + ending),
    ...(bare === path ? [] : ENDINGS.map((ending) => bare + ending)),
    ...ENDINGS.map((ending) => join(path, `index${ending}`)),
  ];
  return candidates.find(isFile) ?? path;
}

/** Not so for what cannot be looked at: a link to itself. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
