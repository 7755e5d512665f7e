import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow } from "./found-transcript.ts";

it("a link that leads out of the agent's folder is not followed, one inside of it is", () => {
  const base = mkdtempSync(join(tmpdir(), "links-"));
  const root = join(base, "projects");
  for (const folder of ["projects/a", "projects/b", "secrets"]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  writeFileSync(join(root, "a/one.jsonl"), "{}\n");
  writeFileSync(join(base, "secrets/key.jsonl"), "secret\n");
  symlinkSync(join(root, "a/one.jsonl"), join(root, "b/same.jsonl"));
  symlinkSync(join(base, "secrets/key.jsonl"), join(root, "b/key.jsonl"));
  symlinkSync(join(base, "secrets"), join(root, "c"));
  const found = filesBelow(root, 2, /\.jsonl$/).map(({ path }) => path.slice(root.length + 1));
  expect(found).toEqual(["a/one.jsonl", "b/same.jsonl"]);
});
