/** Crews: what they add to the work of the agents, what they cost at rest, and what survives. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./built.ts";
import { bigProject } from "./crew/big-project.ts";
import { faultCases } from "./crew/faults.ts";
import { idleCase } from "./crew/idle.ts";
import { mergeCases } from "./crew/merge.ts";
import { overheadCases } from "./crew/overhead.ts";
import { workspaceCases } from "./crew/workspaces.ts";
import type { Bench } from "./frame.ts";

const bench: Bench = async function* (say) {
  await requireBuild();
  yield* overheadCases(say);
  yield await idleCase(say);
  const folder = mkdtempSync(join(tmpdir(), "seam-bench-"));
  try {
    say("a project of 50,000 files");
    const big = bigProject(folder);
    yield* workspaceCases(big, folder, say);
    yield* mergeCases(big, say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  yield* faultCases(say);
};

export default bench;
