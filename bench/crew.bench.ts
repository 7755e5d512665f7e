/** Crews: what they add to the work of the agents, what they cost at rest, and what survives. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./built.ts";
import { bigProject } from "./crew/big-project.ts";
import { claudeTasksCases } from "./crew/claude-tasks.ts";
import { faultCases } from "./crew/faults.ts";
import { idleCase } from "./crew/idle.ts";
import { manyTasksCase } from "./crew/many-tasks.ts";
import { mergeCases } from "./crew/merge.ts";
import { workspaceCases } from "./crew/workspaces.ts";
import type { Bench } from "./frame.ts";

/** What to measure, by comma: all of it unless the environment says otherwise. */
const ONLY = process.env.BENCH_CREW_ONLY?.split(",");
const isWanted = (name: string) => ONLY === undefined || ONLY.includes(name);

const bench: Bench = async function* (say) {
  await requireBuild();
  if (isWanted("claude")) yield* claudeTasksCases(say);
  if (isWanted("many")) yield await manyTasksCase(say);
  if (isWanted("idle")) yield await idleCase(say);
  if (isWanted("big")) yield* bigCases(say);
  if (isWanted("faults")) yield* faultCases(say);
};

const bigCases: Bench = async function* (say) {
  const folder = mkdtempSync(join(tmpdir(), "seam-bench-"));
  try {
    say("a project of 50,000 files");
    const big = bigProject(folder);
    yield* workspaceCases(big, folder, say);
    yield* mergeCases(big, say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

export default bench;
