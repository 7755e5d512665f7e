import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createJiti } from "jiti";
import { PI_EXAMPLES } from "./pi.ts";

// var _piTui = await jitiImport("@earendil-works/pi-tui");
const IMPORT = /\bvar (\w+) = await jitiImport\("(@earendil-works\/[^"]+)"\);/g;

/**
 * Which names the examples take from which package of Pi when they run. Found in the compiled
 * files: there the imports of types are gone.
 */
export function importedNames(): Map<string, Set<string>> {
  const jiti = createJiti(import.meta.url, { fsCache: false });
  const found = new Map<string, Set<string>>();
  for (const file of sourceFiles()) {
    const source = readFileSync(join(PI_EXAMPLES, file), "utf8");
    const code = jiti.transform({ source, filename: file, ts: true, async: true });
    for (const [, variable, specifier] of code.matchAll(IMPORT)) {
      if (!specifier) continue;
      const names = found.get(specifier) ?? new Set();
      found.set(specifier, names);
      const uses = code.matchAll(new RegExp(`(?<![\\w$.])${variable}\\.(\\w+)`, "g"));
      for (const [, name] of uses) if (name) names.add(name);
    }
  }
  return found;
}

function sourceFiles(): string[] {
  return readdirSync(PI_EXAMPLES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes("node_modules"),
  );
}
