import { defineConfig } from "vitest/config";

/** They watch how long a thread is held: they need the machine to themselves (npm run test:stuck). */
const ALONE = ["src/host/stuck/stuck.test.ts", "src/host/stuck/every-event.test.ts"];

export default defineConfig({
  test: {
    exclude: ["**/node_modules/**", ...(process.env.STUCK ? [] : ALONE)],
    include: [
      "src/**/*.test.ts",
      "test/*.test.ts",
      "extensions/**/*.test.ts",
      "bench/**/*.test.ts",
    ],
    // Tests start real programs; a busy machine must not fail them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
