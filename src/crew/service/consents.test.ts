import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keepConsents, missingConsents } from "./consents.ts";

it("an agent is agreed to once, by the very text that was shown, and Seam's own needs no word", () => {
  const home = mkdtempSync(join(tmpdir(), "seam-consents-"));
  const wanted = ["codex", "seam", "codex"] as const;
  const missing = missingConsents(home, wanted);
  expect(missing.map(({ agent }) => agent)).toEqual(["codex"]);
  keepConsents(home, missing);
  expect(missingConsents(home, wanted)).toEqual([]);
  expect(missingConsents(home, ["claude-code"])).toHaveLength(1);
  const file = join(home, "crew/consents.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("Codex is given", "Codex was given"));
  expect(missingConsents(home, wanted)).toEqual(missing);
  writeFileSync(file, "not json");
  expect(missingConsents(home, wanted)).toEqual(missing);
});
