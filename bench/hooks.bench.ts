/** The hook client and the daemon: what a hook costs, and what a crash costs. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./built.ts";
import type { Bench } from "./frame.ts";
import { claudeSessionCases } from "./hooks/claude-session.ts";
import { killedCases } from "./hooks/killed.ts";
import { manyAgentsCases } from "./hooks/many-agents.ts";
import { roundTripCases } from "./hooks/round-trip.ts";
import { sessionCases } from "./hooks/sessions.ts";
import { snapshotCases } from "./hooks/snapshots.ts";

const bench: Bench = async function* (say) {
  await requireBuild();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-bench-")));
  try {
    yield* roundTripCases(folder, say);
    yield* claudeSessionCases(say);
    yield* sessionCases(folder, say);
    yield* manyAgentsCases(folder, say);
    yield* snapshotCases(folder, say);
    yield* killedCases(folder, say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

export default bench;
