/** The page: what an answer takes, what open pages cost the hooks, and how soon a session is there. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./built.ts";
import type { Bench } from "./frame.ts";
import { answerCases } from "./view/answer.ts";
import { firstPaintCases } from "./view/first-paint.ts";

const bench: Bench = async function* (say) {
  await requireBuild();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-bench-")));
  try {
    yield* answerCases(folder, say);
    yield* firstPaintCases(folder, say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

export default bench;
