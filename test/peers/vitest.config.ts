import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Apart from the other tests: these need the peers installed (node test/peers/install.mjs).
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["test/peers/*.test.ts"],
    testTimeout: 60_000,
  },
});
