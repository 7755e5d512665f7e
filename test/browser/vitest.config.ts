import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { common } from "../setup/common.ts";

// Apart from the other tests: these need a browser (node test/browser/install.mjs).
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...common,
    include: ["test/browser/*.test.ts"],
    setupFiles: ["test/setup/each-file.ts"],
    // One browser for each file; two at once are enough for a small machine.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
