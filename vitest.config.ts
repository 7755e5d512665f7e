import { defineConfig } from "vitest/config";
import { common, WAITING } from "./test/setup/common.ts";
import { Dealt } from "./test/setup/order.ts";

const APART = ["**/node_modules/**", "test/{agents,browser,peers,postgres}/**"];
/** Tests that start programs and wait for them most of the time. */
const PROGRAMS = ["test/**/*.test.ts", "src/{crew,daemon}/**/*.test.ts"];
/** Tests that start git again and again, which takes the longer the more a process has loaded. */
const REPOSITORIES = ["src/{git,record}/**/*.test.ts"];

export default defineConfig({
  test: {
    ...common,
    globalSetup: ["test/setup/build-programs.ts"],
    setupFiles: ["test/setup/each-file.ts", "test/setup/properties.ts"],
    // Tests start real programs; a busy machine must not fail them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Files share processes: a process of its own for each takes longer than its tests.
    isolate: false,
    // All in one queue: while the last of one kind wait, those of the next have the processors.
    maxWorkers: WAITING,
    sequence: { sequencer: Dealt },
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["{src,web,extensions,bench}/**/*.test.{ts,tsx}"],
          exclude: [...APART, ...PROGRAMS, ...REPOSITORIES],
        },
      },
      {
        extends: true,
        test: {
          name: "repositories",
          include: REPOSITORIES,
          exclude: APART,
        },
      },
      {
        extends: true,
        test: {
          name: "programs",
          include: PROGRAMS,
          exclude: APART,
        },
      },
    ],
  },
});
