/** Transcripts of agents: what a long one costs to read, and what a little more of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./built.ts";
import type { Bench } from "./frame.ts";
import { appendedCases } from "./transcripts/appended.ts";
import { coldCases } from "./transcripts/cold.ts";
import { writeTranscript } from "./transcripts/write-transcript.ts";

const MEGABYTE = 1024 * 1024;

const bench: Bench = async function* (say) {
  await requireBuild();
  const folder = mkdtempSync(join(tmpdir(), "seam-bench-"));
  try {
    const transcript = writeTranscript(folder, 200 * MEGABYTE);
    yield* coldCases(transcript, say);
    yield* appendedCases(transcript, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export default bench;
