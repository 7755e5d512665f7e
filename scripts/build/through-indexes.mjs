// Leads an import of a name from a room's index.ts to the file that declares it. What a part of the
// build needs is found by its imports, so one name from a room would bring the whole room along.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const NAMED = /^(import|export) \{([^}]*)\} from "(\.[^"]*\/index\.ts)";/gm;
const PASSED_ON = /^export (?:\{([^}]*)\}|\*) from "(\.[^"]+)";/gm;
const DECLARED = /^export (?:async )?(?:abstract )?(?:const|let|function|class) (\w+)/gm;

/** An esbuild plugin. Names it cannot follow are still imported from the index. */
export function throughIndexes(sources) {
  const known = new Map();

  /** Where the values come from that a file exports: by their name, the file and their name there. */
  function exportsOf(file) {
    const before = known.get(file);
    if (before) return before;
    const found = new Map();
    known.set(file, found);
    const text = readFileSync(file, "utf8");
    for (const [, name] of text.matchAll(DECLARED)) found.set(name, { file, name });
    for (const [, names, specifier] of text.matchAll(PASSED_ON)) {
      if (!specifier.endsWith(".ts")) continue;
      const inside = exportsOf(join(dirname(file), specifier));
      const passed =
        names === undefined ? [...inside.keys()].map((name) => [name, name]) : pairs(names);
      for (const [name, as] of passed) {
        const origin = inside.get(name);
        if (origin) found.set(as, origin);
      }
    }
    return found;
  }

  function rewrite(path, text) {
    return text.replace(NAMED, (_statement, keyword, names, specifier) => {
      const inside = exportsOf(join(dirname(path), specifier));
      return pairs(names)
        .map(([name, as]) => {
          const origin = inside.get(name);
          const from = origin ? pathFrom(path, origin.file) : specifier;
          return `${keyword} { ${origin?.name ?? name} as ${as} } from "${from}";`;
        })
        .join(" ");
    });
  }

  return {
    name: "through-indexes",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(sources)) return undefined;
        return { contents: rewrite(path, readFileSync(path, "utf8")), loader: "ts" };
      });
    },
  };
}

/** `a, type B, c as d` as the names of values: what each is called there and here. */
function pairs(names) {
  return names
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "))
    .map((one) => one.split(" as "))
    .map(([name, as = name]) => [name, as]);
}

function pathFrom(file, target) {
  const path = relative(dirname(file), target);
  return path.startsWith(".") ? path : `./${path}`;
}
