// Puts the command into a few files: reading hundreds of small ones takes longer than running them.
import { build } from "esbuild";

await build({
  entryPoints: {
    seam: "dist/cli/main.js",
    "extension-thread": "dist/daemon/worker/extension-thread.js",
  },
  outdir: "dist/bin",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifyWhitespace: true,
  // Loaded only when needed, and too large to be read on every start.
  external: ["jiti", "libsql", "re2js", "sucrase", "yaml", "@ai-sdk/*", "@clack/prompts"],
  mainFields: ["module", "main"],
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module";const require = requireFrom(import.meta.url);',
  },
  legalComments: "none",
  logLevel: "error",
});
