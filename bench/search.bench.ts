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

/** The whole of it is 1000 and 1300000; less takes less time and says nearly the same. */
const MEGABYTES = Number(process.env.BENCH_SEARCH_MB ?? 200);
const ENTRIES = Number(process.env.BENCH_SEARCH_ENTRIES ?? 130_000);

const bench: Bench = async function* (say) {
  await requireBuild();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-bench-")));
  try {
    say(`${MEGABYTES} MB of transcripts`);
    const corpus = writeCorpus(join(folder, "corpus"), MEGABYTES * 1e6);
    yield* indexingCases(corpus, join(folder, "seam"), say);
    yield* besideHooksCases(folder, corpus, say);
    yield* queryCases(folder, ENTRIES, say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

export default bench;
