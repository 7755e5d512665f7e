/** The embedded agent: what it adds to a bare loop, how it opens, starts and loads packages, and Pi beside it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirePeers } from "../test/peers/pi.ts";
import { requireBuild } from "./built.ts";
import type { Bench } from "./frame.ts";
import { loadCases } from "./host/load.ts";
import { loopCases } from "./host/loop.ts";
import { openCases } from "./host/open.ts";
import { piCases } from "./host/side-by-side.ts";
import { startCases } from "./host/start.ts";

const bench: Bench = async function* (say) {
  requirePeers();
  await requireBuild();
  const folder = mkdtempSync(join(tmpdir(), "seam-bench-"));
  try {
    yield* loopCases(folder, say);
    yield* openCases(folder, say);
    yield* startCases(folder, say);
    yield* piCases(folder, say);
    yield* loadCases(folder, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export default bench;
