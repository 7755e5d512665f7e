import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeScratch } from "../runs/test-kit/scratch-crew.ts";
import { prepareRun } from "./prepare-run.ts";

it("what is not committed is named before a run starts, because its crew does not see it", async () => {
  const { home, repository } = await makeScratch();
  vi.stubEnv("SEAM_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(home, "crew/workflows"), { recursive: true });
  const text = "---\nname: one\n---\n\n## one\nrole: executor\n\nWrite one.txt.\n";
  writeFileSync(join(home, "crew/workflows/one.workflow.md"), text);
  const asked = { workflow: "one", goal: "Count.", cwd: repository, agents: ["seam"] };
  expect((await prepareRun(asked, home)).warnings).toEqual([]);
  writeFileSync(join(repository, "README.md"), "# Something else\n");
  const { warnings } = await prepareRun(asked, home);
  expect(warnings).toEqual([expect.stringContaining("1 file has changes that are not committed")]);
});
