import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { git } from "../../git/index.ts";
import { makeScratch } from "../runs/test-kit/scratch-crew.ts";
import { prepareRun } from "./prepare-run.ts";

/** A repository in which a run could start, and what its user is told before it does. */
async function asking() {
  const { home, repository } = await makeScratch();
  vi.stubEnv("SEAM_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(home, "crew/workflows"), { recursive: true });
  const text = "---\nname: one\n---\n\n## one\nrole: executor\n\nWrite one.txt.\n";
  writeFileSync(join(home, "crew/workflows/one.workflow.md"), text);
  const asked = { workflow: "one", goal: "Count.", cwd: repository, agents: ["seam"] };
  return { home, repository, warnings: async () => (await prepareRun(asked, home)).warnings };
}

it("what is not committed is named before a run starts, because its crew does not see it", async () => {
  const { repository, warnings } = await asking();
  expect(await warnings()).toEqual([]);
  writeFileSync(join(repository, "README.md"), "# Something else\n");
  const said = expect.stringContaining("1 file has changes that are not committed");
  expect(await warnings()).toEqual([said]);
});

it("who wants every run to land is told where there is no branch for it", async () => {
  const { home, repository, warnings } = await asking();
  writeFileSync(join(home, "settings.json"), JSON.stringify({ crew: { land: true } }));
  expect(await warnings()).toEqual([]);
  await git(["checkout", "--quiet", "--detach"], { cwd: repository, settings: [] });
  expect(await warnings()).toEqual([expect.stringContaining("no branch is checked out")]);
});
