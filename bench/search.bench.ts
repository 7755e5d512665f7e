/** The index of search: what it costs to make, to keep and to ask. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./built.ts";
import type { Bench } from "./frame.ts";
import { besideHooksCases } from "./search/beside-hooks.ts";
import { writeCorpus } from "./search/corpus.ts";
import { indexingCases } from "./search/indexing.ts";
import { queryCases } from "./search/queries.ts";

/** Megabytes that are indexed, and entries that are asked about. 0 leaves out what is done with them. */
const MEGABYTES = Number(process.env.BENCH_SEARCH_MB ?? 1_000);
const ENTRIES = Number(process.env.BENCH_SEARCH_ENTRIES ?? 1_300_000);
/** Where the transcripts that are asked about are kept with their index: making them takes minutes. */
const KEPT = process.env.BENCH_SEARCH_KEEP;

const bench: Bench = async function* (say) {
  await requireBuild();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-bench-")));
  try {
    if (MEGABYTES > 0) {
      say(`${MEGABYTES} MB of transcripts`);
      const corpus = writeCorpus(join(folder, "corpus"), { bytes: MEGABYTES * 1e6 });
      yield* indexingCases(corpus, join(folder, "seam"), say);
      yield* besideHooksCases(folder, corpus, say);
    }
    if (ENTRIES > 0) yield* queryCases(KEPT ?? folder, ENTRIES, say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

export default bench;
