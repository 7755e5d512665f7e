import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The rooms whose tests start threads that other files would share, and what spans rooms. */
const ALONE = ["src/{daemon,view}/**/*.test.ts", "{test,extensions,bench}/**/*.test.ts"];
const APART = ["**/node_modules/**", "test/{agents,browser,peers,postgres}/**"];

// Certificates for the registry are read by every Node that starts, which takes it longer than all
// else, and no test connects to anything but this machine.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  test: {
    globalSetup: ["test/setup/build-programs.ts"],
    // What the sources compile to is kept between runs, by their content.
    experimental: { fsModuleCache: true },
    // Tests wait for programs that they started: while they do, others compute. With more of them at
    // once, deadlines that are part of what is tested pass by before their programs have started.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ["test/setup/each-file.ts"],
    // Tests start real programs; a busy machine must not fail them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
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
