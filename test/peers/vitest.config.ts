import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { COMPUTING, common } from "../setup/common.ts";
import { longFirst } from "../setup/long-first.ts";

// Apart from the other tests: these need the peers installed (node test/peers/install.mjs).
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...common,
    setupFiles: ["test/setup/patience.ts"],
    include: ["test/peers/*.test.ts"],
    maxWorkers: COMPUTING,
    sequence: { sequencer: longFirst("pi-on-seam", "flags-both", "pi-subagents") },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
