import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The rooms whose tests start threads that other files would share, and what spans rooms. */
const ALONE = ["src/{daemon,view}/**/*.test.ts", "{test,extensions,bench}/**/*.test.ts"];
const APART = ["**/node_modules/**", "test/{agents,browser,peers}/**"];

export default defineConfig({
  test: {
    globalSetup: ["test/setup/build-programs.ts"],
    // What the sources compile to is kept between runs, by their content.
    experimental: { fsModuleCache: true },
    // Most tests wait for programs that they started, so there is room for one more than cores.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ["test/setup/each-file.ts"],
    // Tests start real programs; a busy machine must not fail them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["{src,web}/**/*.test.{ts,tsx}"],
          exclude: [...APART, ...ALONE],
          // Files share processes: a process of its own for each takes longer than its tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, exclude: APART } },
    ],
  },
});
