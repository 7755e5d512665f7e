import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ALL_AGENTS } from "../../src/agents/index.ts";
import { Indexer } from "../../src/search/indexing/indexer.ts";
import { openToRead } from "../../src/search/store/database.ts";
import { writeCorpus } from "./corpus.ts";

const AGENTS = ["claude-code", "codex", "copilot-cli", "cursor", "factoryai-droid", "gemini", "pi"];

const AMOUNTS = [
  { amount: { bytes: 5e6 }, files: 13, entries: 1_541, hash: "3f6e6da7654b1edf" },
  { amount: { entries: 1_500 }, files: 15, entries: 2_077, hash: "382b96363e68b7fb" },
] as const;

it.each(AMOUNTS)(
  "of $amount is the same in every run: what was measured once can be measured again",
  async ({ amount, ...pinned }) => {
    const folder = mkdtempSync(join(tmpdir(), "seam-bench-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { files, entries } = writeCorpus(join(folder, "home"), amount);
    const hash = createHash("sha256");
    for (const file of files) hash.update(readFileSync(file));
    expect({ files: files.length, entries, hash: hash.digest("hex").slice(0, 16) }).toEqual(pinned);
    // Seam reads all of it, as the sessions of seven agents.
    const indexer = new Indexer({
      home: join(folder, "seam"),
      agents: ALL_AGENTS,
      folders: { home: join(folder, "home"), env: {} },
      log: () => {},
    });
    onTestFinished(() => indexer.close());
    const read = await indexer.pass();
    expect(read).toMatchObject({ sources: files.length, failed: 0 });
    expect(read.entries).toBeGreaterThanOrEqual(entries);
    const index = openToRead(join(folder, "seam"));
    const agents = index?.all("SELECT DISTINCT agent FROM sessions ORDER BY agent");
    index?.close();
    expect(agents?.map(({ agent }) => agent)).toEqual(AGENTS);
  },
);
