import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/*.test.ts",
      "extensions/**/*.test.ts",
      "bench/**/*.test.ts",
    ],
    globalSetup: ["test/setup/build-workers.ts"],
    // Tests start real programs; a busy machine must not fail them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
