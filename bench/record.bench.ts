/** The record: what it adds to commits and turns, and what it takes on the disk. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./built.ts";
import type { Bench } from "./frame.ts";
import { commitCases } from "./record/commits.ts";
import { built } from "./record/seam.ts";
import { snapshotCases } from "./record/snapshots.ts";
import { storageCases } from "./record/storage.ts";

const bench: Bench = async function* (say) {
  await requireBuild();
  const seam = await built();
  const folder = mkdtempSync(join(tmpdir(), "seam-bench-"));
  try {
    yield* commitCases(seam, folder, say);
    yield* storageCases(seam, folder, say);
    yield* snapshotCases(seam, folder, say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

export default bench;
