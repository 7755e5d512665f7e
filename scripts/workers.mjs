// Every file that runs in a thread of its own, by name, and how all of them are put together.

/** Where each worker's source is, without the folder it is in and the ending. */
export const WORKERS = {
  "extension-thread": "daemon/worker/extension-thread",
  "record-worker": "daemon/record-thread/record-worker",
};

/** What the command and its workers have in common. */
export const BUNDLE = {
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // Loaded only when needed, and too large to be read on every start.
  external: ["jiti", "libsql", "re2js", "sucrase", "yaml", "@ai-sdk/*", "@clack/prompts"],
  mainFields: ["module", "main"],
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module";const require = requireFrom(import.meta.url);',
  },
  legalComments: "none",
  logLevel: "error",
};
