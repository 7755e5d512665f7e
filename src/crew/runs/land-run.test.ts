import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { git } from "../../git/index.ts";
import { prepareRun } from "../service/prepare-run.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

it("what a run made is on the branch it was started on as soon as it is done, where the user wants that", async () => {
  const scratch = await makeScratch();
  vi.stubEnv("SEAM_HOME", scratch.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { home, repository } = scratch;
  mkdirSync(join(home, "crew/workflows"), { recursive: true });
  const text = "---\nname: one\n---\n\n## one\nrole: executor\n\nWrite one.txt.\n";
  writeFileSync(join(home, "crew/workflows/one.workflow.md"), text);
  const model = scratch.script("one", writes("one.txt", "1\n"));
  const prepared = async (more: object = {}) => {
    const asked = { workflow: "one", goal: "Count.", cwd: repository, agents: [`seam:${model}`] };
    return (await prepareRun({ ...asked, ...more }, home)).request;
  };
  expect(await prepared()).not.toHaveProperty("landsOn");
  const crew = { land: true, remote: "/nowhere/else.git" };
  writeFileSync(join(home, "settings.json"), JSON.stringify({ crew }));
  expect(await prepared({ pool: "far" })).not.toHaveProperty("landsOn");
  const request = await prepared();
  expect(request.landsOn).toBe("main");
  const open = await scratch.open();
  const run = await open.crew.start(request);
  expect(await open.ended(run.id)).toBe("done");
  expect((await open.crew.show(run.id)).run).toMatchObject({ landed: true, reason: "" });
  expect(existsSync(join(repository, "one.txt"))).toBe(true);
  expect(open.events.some((event) => event.text === "landed on main")).toBe(true);
  await open.crew.close();
});

it("what cannot land because of a change of the user's stays where it is, and the run says why", async () => {
  const scratch = await makeScratch();
  const { repository } = scratch;
  const tasks = [taskOf("one", scratch.script("one", writes("one.txt", "1\n")))];
  writeFileSync(join(repository, "one.txt"), "mine\n");
  const { crew, ended } = await scratch.open();
  const workflow = workflowOf(tasks);
  const start = { workflow, goal: "Count.", ...scratch.place, landsOn: "main" };
  const run = await crew.start(start);
  expect(await ended(run.id)).toBe("done");
  const { landed, reason } = (await crew.show(run.id)).run;
  expect(landed).toBeUndefined();
  expect(reason).toMatch(/^What was merged is not on main: .*one\.txt/);
  expect(reason).toContain(`seam crew land ${run.id} main`);
  const args = ["show", `${run.target}:one.txt`];
  expect((await git(args, { cwd: repository })).toString()).toBe("1\n");
  await crew.close();
});
