import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/*.test.ts",
      "extensions/**/*.test.ts",
      "bench/**/*.test.ts",
    ],
    testTimeout: 20_000,
  },
});
