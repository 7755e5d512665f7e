import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The values that a module of a published package exports, read and not run: some do not run here. */
export function exportedNames(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const all = [...text.matchAll(/^export\s*\*\s*from\s*["'](\.[^"']+)["']/gm)].flatMap(
    ([, from = ""]) => exportedNames(join(dirname(file), from), seen),
  );
  const listed = [...text.matchAll(/^export\s*\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names
      .replace(/\/\/.*$/gm, "")
      .split(",")
      .map(
        (one) =>
          one
            .trim()
            .split(/\s+as\s+/)
            .at(-1) ?? "",
      )
      .filter((name) => name !== ""),
  );
  const declared = [
    ...text.matchAll(/^export\s+(?:async\s+)?(?:function\*?|class|const|let|var)\s+([\w$]+)/gm),
  ].map(([, name = ""]) => name);
  return [...new Set([...all, ...listed, ...declared])];
}
