import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { COMPUTING, common } from "../setup/common.ts";
import { longFirst } from "../setup/long-first.ts";

// Apart from the other tests: these run real agents (node test/agents/install.mjs).
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...common,
    include: ["test/agents/*.test.ts", "test/agents/{crew,drive,model-server,seam}/*.test.ts"],
    globalSetup: ["test/agents/report-agents.ts"],
    // Files share processes: a process of its own for each reads the same modules again.
    isolate: false,
    // One agent at a time in a file, and one of them mostly waits.
    maxWorkers: COMPUTING,
    sequence: {
      sequencer: longFirst(
        "stop",
        "faults",
        "inbox",
        "sessions",
        "record-agents",
        "workers",
        "feature",
      ),
    },
    testTimeout: 320_000,
    hookTimeout: 60_000,
  },
});
