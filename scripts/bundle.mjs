// Puts the command into a few files: reading hundreds of small ones takes longer than running them.
import { build } from "esbuild";
import { BUNDLE, WORKERS } from "./workers.mjs";

const workers = Object.entries(WORKERS).map(([name, path]) => [name, `dist/${path}.js`]);
await build({
  ...BUNDLE,
  entryPoints: { seam: "dist/cli/main.js", ...Object.fromEntries(workers) },
  outdir: "dist/bin",
  minifyWhitespace: true,
});
