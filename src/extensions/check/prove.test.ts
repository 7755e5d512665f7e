import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sourceOf } from "../find/source.ts";
import { prove } from "./prove.ts";

it("an extension is let in also where nobody can keep that it was tried", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "prove-")));
  const path = join(cwd, "gate.ts");
  writeFileSync(path, "export default () => {};\n");
  const source = sourceOf(path, "user");
  // A folder cannot be made below a file, nor behind the walls of a crew.
  const cacheDir = join(path, "cache");
  expect(await prove([source], { cwd, cacheDir, loadDeadlineMs: 10_000 })).toEqual([source]);
});
