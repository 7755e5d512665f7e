/** Seam's dispatch and loading against Pi's own, on the same extensions, in one run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirePeers } from "../test/peers/pi.ts";
import { requireBuild } from "./built.ts";
import { contextCases } from "./dispatch/context.ts";
import { emitCases } from "./dispatch/emit.ts";
import { loadCases } from "./dispatch/load.ts";
import { streamCases } from "./dispatch/stream.ts";
import type { Bench } from "./frame.ts";

const bench: Bench = async function* (say) {
  requirePeers();
  await requireBuild();
  const folder = mkdtempSync(join(tmpdir(), "seam-bench-"));
  try {
    yield* emitCases(folder, say);
    yield* contextCases(folder, say);
    yield* streamCases(folder, say);
    yield* loadCases(folder, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export default bench;
