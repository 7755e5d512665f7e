import { defineConfig } from "vitest/config";
import { common } from "../setup/common.ts";

/** Tests on a real Postgres. One after the other: each has a server of its own. */
export default defineConfig({
  test: {
    ...common,
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/postgres/*.test.ts"],
    globalSetup: ["test/setup/build-programs.ts"],
    setupFiles: ["test/setup/each-file.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
