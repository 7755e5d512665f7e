import { mkdirSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { git } from "../../git/index.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

it("a run whose repository was made anew does not keep other runs from going on", async () => {
  const [lost, kept] = [await makeScratch(), await makeScratch()];
  const first = await kept.open();
  const waiting = workflowOf([taskOf("one", "scripted:none", { approve: true })]);
  await first.crew.start({ workflow: waiting, goal: "Wait.", ...lost.place });
  await first.crew.close();
  rmSync(lost.repository, { recursive: true });
  mkdirSync(lost.repository);
  await git(["init", "--quiet"], { cwd: lost.repository, settings: [] });

  const { crew, ended } = await kept.open();
  const workflow = workflowOf([taskOf("two", kept.script("two", writes("two.txt", "2\n")))]);
  const run = await crew.start({ workflow, goal: "Go on.", ...kept.place });
  expect(await ended(run.id)).toBe("done");
  await crew.close();
});
