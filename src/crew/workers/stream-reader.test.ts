import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { StreamReader } from "./stream-reader.ts";

it("a flood of short lines is read in parts, so that others get their turn, and nothing is left out", () => {
  const path = join(mkdtempSync(join(tmpdir(), "flood-")), "stdout");
  const all = 500_000;
  writeFileSync(path, "y\n".repeat(all));
  const reader = new StreamReader(path);
  let lines = 0;
  let parts = 1;
  const most = { bytes: 2 ** 23, lines: 1_000 };
  for (let before = 0; !reader.read(() => lines++, most); before = lines) {
    parts++;
    // A piece of the file is gone through to its end.
    expect(lines - before).toBeLessThan(50_000);
  }
  expect([lines, parts > 10]).toEqual([all, true]);
});
