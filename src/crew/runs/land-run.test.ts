import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { git } from "../../git/index.ts";
import { openCrewDatabase } from "../database/open-crew-database.ts";
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

it("a run that goes on after it landed has landed no more, until what came new has", async () => {
  const scratch = await makeScratch();
  const { repository } = scratch;
  const one = taskOf("one", scratch.script("one", writes("one.txt", "1\n")));
  const two = taskOf("two", scratch.script("two", writes("two.txt", "2\n")), {
    approve: true,
    onFail: "continue",
  });
  const { crew, ended, asked, events } = await scratch.open();
  const workflow = workflowOf([one, two]);
  const start = { workflow, goal: "Count.", ...scratch.place, landsOn: "main" };
  const { id } = await crew.start(start);
  const answer = async (n: number, word: string) => {
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(n);
    await crew.answer(asked[n - 1]?.id ?? "", word);
    await ended(id);
    return (await crew.show(id)).run;
  };
  expect(await answer(1, "no")).toMatchObject({ state: "done", landed: true });
  writeFileSync(join(repository, "two.txt"), "mine\n");
  expect((await crew.retry(id, "two")).landed).toBeUndefined();
  const held = await answer(2, "yes");
  expect(held.landed).toBeUndefined();
  expect(held.reason).toMatch(/^What was merged is not on main: .*two\.txt/);
  expect(events.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^not landed on main: main is checked out in .*two\.txt/),
  );
  await crew.close();
});

it("to land what is there already, as after a crash, moves nothing and says so", async () => {
  const scratch = await makeScratch();
  const task = taskOf("one", scratch.script("one", writes("one.txt", "1\n")));
  const { crew, ended, events } = await scratch.open();
  const run = await crew.start({ workflow: workflowOf([task]), goal: "Count.", ...scratch.place });
  await ended(run.id);
  for (const times of [1, 2]) {
    expect(await crew.land(run.id, "main")).toMatchObject({
      kind: times === 1 ? "landed" : "contained",
    });
  }
  const told = events.map(({ text }) => text).filter((text) => /\bmain\b/.test(text));
  expect(told).toEqual(["landed on main", "main had all of it already"]);
  await crew.close();
});

it("what another machine of a pool merged is here when the run is done, and nothing is taken for all there is without it", async () => {
  const scratch = await makeScratch();
  const { root, repository } = scratch;
  const remote = join(root, "remote.git");
  await git(["init", "--quiet", "--bare", remote], { cwd: root, settings: [] });
  const database = await openCrewDatabase(join(root, "crew.db"));
  const { crew, ended } = await scratch.open({ database });
  const there = { worker: "there", home: join(root, "there"), pools: ["far"] };
  const other = await scratch.open({ ...there, database });
  const task = taskOf("one", scratch.script("one", writes("one.txt", "1\n")));
  const far = { workflow: workflowOf([task]), pool: "far", remote };
  const run = await crew.start({ goal: "Count.", ...scratch.place, ...far });
  expect(await ended(run.id)).toBe("done");
  const args = ["show", `${run.target}:one.txt`];
  expect((await git(args, { cwd: repository })).toString()).toBe("1\n");
  // As it is when the network was away at the end.
  await git(["branch", "--force", run.target, run.base], { cwd: repository });
  rmSync(remote, { recursive: true });
  const missing = expect.stringContaining("what other machines merged is not here, and");
  for (const take of [() => crew.land(run.id), () => crew.clean(run.id)]) {
    await expect(take()).rejects.toMatchObject({ code: "SEAM_CREW_STATE", message: missing });
  }
  const [{ mergedAs = "" } = {}] = (await crew.show(run.id)).tasks;
  await git(["branch", "--force", run.target, mergedAs], { cwd: repository });
  expect(await crew.land(run.id)).toMatchObject({ kind: "landed" });
  expect(existsSync(join(repository, "one.txt"))).toBe(true);
  await other.crew.close();
  await crew.close();
});
