import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionFile } from "./session-file.ts";
import { Child } from "./test-kit/child.ts";
import { HEADER, tempFolder, writeLines } from "./test-kit/files.ts";

const folder = tempFolder();

test("a process killed at any moment has lost nothing that it was told was saved", async () => {
  const path = writeLines(join(folder.path, "s.jsonl"), [HEADER]);
  const told: string[] = [];
  for (let round = 0; round < 5; round++) {
    const child = new Child("append-forever.ts", path);
    await child.said();
    await new Promise((resolve) => setTimeout(resolve, 7 * round));
    await child.kill();
    expect(child.lines.length).toBeGreaterThan(0);
    // The last line it printed may itself be cut.
    told.push(...child.lines.filter((id) => id.length === 8));
    const { session, problems } = SessionFile.open(path);
    expect(problems.filter(({ kind }) => kind !== "torn")).toEqual([]);
    const ids = session.getBranch().map(({ id }) => id);
    expect(ids.filter((id) => told.includes(id))).toEqual(told);
    // At most the one that was being written when the process ended, each time.
    expect(ids.length - told.length).toBeLessThanOrEqual(round + 1);
    session.close();
  }
}, 60_000);
