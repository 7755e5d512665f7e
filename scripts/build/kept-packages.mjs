// Packages that a program loads by require() when it first needs them. Node reads and compiles their
// many files at every start, which takes up to a tenth of a second. In a program each of them is one
// more file of the build, whose compiled code is kept like that of all others.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
import { sourcesOf } from "./bundle.mjs";

const PACKAGES = ["re2js", "sucrase", "yaml"];
const REQUIRED = new RegExp(
  `\\bcreateRequire\\(import\\.meta\\.url\\)\\("(${PACKAGES.join("|")})"\\)`,
  "g",
);

/** Builds the packages, in the form of a program's other files. */
export function buildPackages(form) {
  return build({
    ...form,
    ...sourcesOf({}),
    entryPoints: Object.fromEntries(PACKAGES.map((name) => [name, name])),
    external: [],
    format: "cjs",
    splitting: false,
  });
}

/** An esbuild plugin: where the sources require a package, the program takes what was built of it. */
export function withPackages(sources, { outputs }) {
  const built = new Map(
    Object.keys(outputs).map((path) => [basename(path).replace(/-\w+\.js$/, ""), basename(path)]),
  );
  return {
    name: "kept-packages",
    setup(one) {
      one.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(sources)) return undefined;
        const text = readFileSync(path, "utf8");
        const contents = text.replace(REQUIRED, 'require("$1")');
        return contents === text ? undefined : { contents, loader: "ts" };
      });
      one.onResolve({ filter: /^\w+$/ }, ({ path, kind }) => {
        const file = kind === "require-call" ? built.get(path) : undefined;
        return file === undefined ? undefined : { path: `./${file}`, external: true };
      });
    },
  };
}
