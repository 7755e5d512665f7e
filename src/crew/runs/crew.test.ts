import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { git, gitProcesses } from "../../git/index.ts";
import { checkoutState } from "../containment/checkout-state.ts";
import type { Concurrency } from "../policy/concurrency.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

const show = async (cwd: string, what: string) => (await git(["show", what], { cwd })).toString();

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The branches that are checked out somewhere. */
async function checkedOut(cwd: string): Promise<string[]> {
  const trees = (await git(["worktree", "list", "--porcelain"], { cwd, settings: [] })).toString();
  return [...trees.matchAll(/^branch refs\/heads\/(.*)$/gm)].map(([, branch = ""]) => branch);
}

/** Processes of this machine whose command line ends like this. */
function processesWith(end: string): string[] {
  const args = ["-eo", "pid,args"];
  const lines = execFileSync("ps", args, { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.trimEnd().endsWith(end));
}

it("who names no run where there is none is told how to begin one", async () => {
  const { open } = await makeScratch();
  const { crew } = await open();
  await expect(crew.show("last")).rejects.toMatchObject({ code: "SEAM_CREW_NONE" });
  await crew.close();
});

it("three tasks go through: two at once, then one that builds on both", async () => {
  const scratch = await makeScratch();
  const workflow = workflowOf([
    taskOf("one", scratch.script("one", writes("one.txt", "1\n"))),
    taskOf("two", scratch.script("two", writes("two.txt", "2\n"))),
    taskOf("three", scratch.script("three", writes("three.txt", "3\n")), {
      dependsOn: ["one", "two"],
      verify: ["cat one.txt two.txt three.txt"],
    }),
  ]);
  const { crew, ended } = await scratch.open();
  const { repository } = scratch;
  const run = await crew.start({ workflow, goal: "Count.", ...scratch.place });
  expect(await ended(run.id)).toBe("done");
  for (const [name, text] of [
    ["one", "1\n"],
    ["two", "2\n"],
    ["three", "3\n"],
  ]) {
    expect(await show(repository, `${run.target}:${name}.txt`)).toBe(text);
  }
  const { tasks, attempts, proofs } = await crew.show(run.id);
  expect(tasks.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  expect(attempts.length).toBe(3);
  expect(proofs.map(({ place, passed }) => [place, passed])).toEqual([
    ["task", true],
    ["candidate", true],
  ]);
  // Nothing of the user's was touched.
  expect((await git(["status", "--porcelain"], { cwd: repository, settings: [] })).toString()).toBe(
    "",
  );
  expect(readFileSync(join(repository, ".git/HEAD"), "utf8")).toContain("main");
  await crew.close();
});

it("between two tasks git is started for what only git can do", async () => {
  const scratch = await makeScratch();
  const names = ["one", "two", "three", "four"];
  const workflow = workflowOf(
    names.map((name, at) =>
      taskOf(name, scratch.script(name, writes(`${name}.txt`, `${at}\n`)), {
        dependsOn: names.slice(Math.max(0, at - 1), at),
      }),
    ),
  );
  const began: number[] = [];
  const { crew, ended } = await scratch.open({
    refuse: ({ type }) => {
      if (type === "crew_task_start") began.push(gitProcesses());
      return undefined;
    },
  });
  const run = await crew.start({ workflow, goal: "Count.", ...scratch.place });
  expect(await ended(run.id)).toBe("done");
  expect(began).toHaveLength(names.length);
  const counts = began.slice(2).map((count, at) => count - (began[at + 1] ?? 0));
  const { attempts } = await crew.show(run.id);
  const before = gitProcesses();
  const folder = attempts[0]?.folder ?? "";
  // Without walls the user's checkout is looked at before and after each agent.
  if (readFileSync(`${folder}.walls.json`, "utf8") === "") {
    for (const _ of ["before", "after"]) await checkoutState(scratch.repository);
  }
  const watched = gitProcesses() - before;
  // Files are checked out and cleaned; then listed, added, written as a tree and compared twice.
  expect(counts).toEqual([7 + watched, 7 + watched]);
  await crew.close();
});

inFull(
  "a task that only reads, in a folder that has what it needs, starts git to see that twice",
  async () => {
    const scratch = await makeScratch();
    const names = ["one", "two", "three"];
    const result = { type: "object", properties: { number: { type: "number" } } };
    const workflow = workflowOf(
      names.map((name, at) =>
        taskOf(name, scratch.script(name, [{ text: '{"number": 1}' }]), {
          role: "reader",
          expects: "result",
          result,
          dependsOn: names.slice(Math.max(0, at - 1), at),
        }),
      ),
    );
    const began: number[] = [];
    const { crew, ended } = await scratch.open({
      refuse: ({ type }) => {
        if (type === "crew_task_start") began.push(gitProcesses());
        return undefined;
      },
    });
    const run = await crew.start({ workflow, goal: "Count.", ...scratch.place });
    expect(await ended(run.id)).toBe("done");
    const { attempts } = await crew.show(run.id);
    const isWalled = readFileSync(`${attempts[0]?.folder}.walls.json`, "utf8") !== "";
    const [, second = 0, third = 0] = began;
    if (isWalled) expect(third - second).toBe(2);
    else expect(third - second).toBeGreaterThan(2);
    await crew.close();
  },
);

inFull(
  "a check that fails goes back to the session that did the work, which repairs it",
  async () => {
    const scratch = await makeScratch();
    const repairing = scratch.script("repairing", [
      { when: "Do work", toolCalls: [write("number.txt", "one\n")] },
      { when: "grep.*failed", toolCalls: [write("number.txt", "1\n")] },
      { text: "Done." },
      { text: "Done." },
    ]);
    const workflow = workflowOf([taskOf("work", repairing, { verify: ["grep 1 number.txt"] })]);
    const { crew, ended } = await scratch.open();
    const run = await crew.start({ workflow, goal: "Count.", ...scratch.place });
    expect(await ended(run.id)).toBe("done");
    const { attempts, proofs } = await crew.show(run.id);
    expect(attempts.map(({ resumes }) => resumes)).toEqual([undefined, attempts[0]?.session]);
    expect(proofs.map(({ passed }) => passed)).toEqual([false, true, true]);
    await crew.close();
  },
);

it("a conflict goes back to the session that made it, with both sides in its folder", async () => {
  const scratch = await makeScratch();
  const writer = (name: string, slow: boolean) =>
    scratch.script(name, [
      {
        when: "Do ",
        toolCalls: [write("list.txt", `${name}\n`)],
        ...(slow && { delayMs: 1_500 }),
      },
      { when: "conflict", toolCalls: [write("list.txt", "first\nsecond\n")] },
      { text: "Done." },
      { text: "Done." },
    ]);
  const workflow = workflowOf([
    taskOf("first", writer("first", false)),
    taskOf("second", writer("second", true)),
  ]);
  const { crew, ended, events } = await scratch.open();
  const run = await crew.start({ workflow, goal: "List.", ...scratch.place });
  expect(await ended(run.id)).toBe("done");
  expect(await show(scratch.repository, `${run.target}:list.txt`)).toBe("first\nsecond\n");
  const { attempts } = await crew.show(run.id);
  expect(attempts.filter(({ task }) => task === "second").length).toBe(2);
  const told = "conflicts in list.txt (the task first changed them too)";
  expect(events.some(({ text }) => text.includes(told))).toBe(true);
  await crew.close();
});

it("a run that is cancelled ends its agents, keeps what they did, and can be resumed", async () => {
  const scratch = await makeScratch();
  const slow = scratch.script("slow", [
    { toolCalls: [write("begun.txt", "begun\n")] },
    { toolCalls: [{ name: "bash", arguments: { command: "sleep 307" } }] },
  ]);
  const workflow = workflowOf([taskOf("slow", slow)]);
  const { crew, ended } = await scratch.open();
  const run = await crew.start({ workflow, goal: "Wait.", ...scratch.place });
  const sleeping = () => processesWith("sleep 307").length > 0;
  await until(sleeping);
  await crew.cancel(run.id);
  expect(processesWith("sleep 307")).toEqual([]);
  const { attempts, tasks } = await crew.show(run.id);
  expect(attempts.map(({ end }) => end?.kind)).toEqual(["ended"]);
  expect(await show(scratch.repository, `${tasks[0]?.branch}:begun.txt`)).toBe("begun\n");
  scratch.script("slow", [{ toolCalls: [write("ended.txt", "ended\n")] }, { text: "Done." }]);
  await crew.resume(run.id);
  expect(await ended(run.id)).toBe("done");
  expect(await show(scratch.repository, `${run.target}:begun.txt`)).toBe("begun\n");
  expect(await show(scratch.repository, `${run.target}:ended.txt`)).toBe("ended\n");
  await crew.close();
});

inFull(
  "a run that is cancelled while its work is proved, before or after it was merged, leaves no check behind",
  async () => {
    const scratch = await makeScratch();
    const { crew } = await scratch.open();
    const model = scratch.script("a", writes("a.txt", "a\n"));
    const slow = { verify: ["sleep 309"] };
    for (const workflow of [
      workflowOf([taskOf("a", model, slow)]),
      workflowOf([taskOf("a", model)], slow),
    ]) {
      const run = await crew.start({ workflow, goal: "Prove.", ...scratch.place });
      await until(() => processesWith("sleep 309").length > 0);
      await crew.cancel(run.id);
      expect(processesWith("sleep 309")).toEqual([]);
      expect((await crew.show(run.id)).proofs).toEqual([]);
      expect(await checkedOut(scratch.repository)).toEqual(["main"]);
    }
    await crew.close();
  },
);

inFull(
  "a run that is cancelled while a folder is made ready leaves no command behind, and a daemon that ends counts nothing as tried",
  async () => {
    const scratch = await makeScratch();
    vi.stubEnv("SEAM_HOME", scratch.home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const settings = { crew: { setup: "sleep 311" } };
    writeFileSync(join(scratch.home, "settings.json"), JSON.stringify(settings));
    const first = await scratch.open();
    const workflow = workflowOf([taskOf("a", scratch.script("a", writes("a.txt", "a\n")))]);
    const run = await first.crew.start({ workflow, goal: "Begin.", ...scratch.place });
    const isSettingUp = () => processesWith("sleep 311").length > 0;
    await until(isSettingUp);
    await first.crew.close();
    expect(processesWith("sleep 311")).toEqual([]);
    const { crew } = await scratch.open();
    await until(isSettingUp);
    expect((await crew.show(run.id)).attempts.map(({ end }) => end)).toEqual([undefined]);
    await crew.cancel(run.id);
    expect(processesWith("sleep 311")).toEqual([]);
    const { attempts } = await crew.show(run.id);
    expect(attempts.map(({ end }) => end?.kind)).toEqual(["ended"]);
    await crew.close();
  },
);

it("a run that is cancelled while it waits for a person gives its folder back", async () => {
  const scratch = await makeScratch();
  const { crew, asked } = await scratch.open();
  const task = taskOf("a", scratch.script("a", writes("a.txt", "a\n")));
  const workflow = workflowOf([task], { approveMerge: true });
  const run = await crew.start({ workflow, goal: "Ask.", ...scratch.place });
  await until(() => asked.length > 0);
  await crew.cancel(run.id);
  expect(await checkedOut(scratch.repository)).toEqual(["main"]);
  expect(await show(scratch.repository, `seam/tasks/${run.id}/a:a.txt`)).toBe("a\n");
  await crew.close();
});

it("a task for a pool says how a machine can take it, until one has", async () => {
  const scratch = await makeScratch();
  const { crew, events, ended } = await scratch.open();
  const workflow = workflowOf([taskOf("a", scratch.script("a", writes("a.txt", "a\n")))]);
  const run = await crew.start({ workflow, goal: "Far.", ...scratch.place, pool: "far" });
  await until(() => events.some(({ task }) => task === "a"));
  const { tasks } = await crew.show(run.id);
  expect(tasks[0]?.reason).toContain("seam crew worker --pool far");
  crew.work(["far"]);
  expect(await ended(run.id)).toBe("done");
  expect((await crew.show(run.id)).tasks[0]?.reason).toBeUndefined();
  await crew.close();
});

inFull(
  "no more agents work at once than there are places for an agent, in a pool or on a machine",
  async () => {
    const places: Record<string, Concurrency> = {
      seam: { agents: { seam: 1 }, pools: {} },
      "the pool far": { agents: {}, pools: { far: 1 } },
      "this machine": { agents: {}, pools: {}, machine: 1 },
    };
    for (const [what, concurrency] of Object.entries(places)) {
      const scratch = await makeScratch();
      const go = join(scratch.root, "go");
      const waits = {
        name: "bash",
        arguments: { command: `until [ -e ${go} ]; do sleep 0.05; done` },
      };
      const turns = (name: string) => [
        { toolCalls: [waits] },
        { toolCalls: [write(`${name}.txt`, "x\n")] },
        { text: "Done." },
      ];
      const tasks = ["a", "b"].map((id) => taskOf(id, scratch.script(id, turns(id))));
      const limits = { concurrency, day: {}, proofMs: 60_000 };
      const { crew, ended, events } = await scratch.open({ pools: ["far"], limits });
      const run = await crew.start({
        workflow: workflowOf(tasks),
        goal: "Share.",
        ...scratch.place,
        pool: "far",
      });
      const full = `is waiting: 1 of 1 places of ${what} are taken`;
      await until(() => events.some(({ text }) => text.endsWith(full)));
      expect((await crew.show(run.id)).attempts).toHaveLength(1);
      writeFileSync(go, "");
      expect(await ended(run.id)).toBe("done");
      await crew.close();
    }
  },
);

it("a task that asks for some folders has no others, and its merge keeps those all the same", async () => {
  const scratch = await makeScratch();
  for (const name of ["api", "web"]) {
    mkdirSync(join(scratch.repository, name));
    writeFileSync(join(scratch.repository, name, "old.txt"), "old\n");
  }
  execFileSync("git", ["add", "--all"], { cwd: scratch.repository });
  execFileSync("git", ["commit", "--quiet", "--message", "Two"], { cwd: scratch.repository });
  const looks = { name: "bash", arguments: { command: "ls -d */ > api/seen.txt" } };
  const model = scratch.script("a", [{ toolCalls: [looks] }, { text: "Done." }]);
  const task = taskOf("a", model, { sparse: ["api"], verify: ["test -e api/seen.txt"] });
  const workflow = workflowOf([task], { verify: ["test -e web/old.txt"] });
  const { crew, ended } = await scratch.open();
  const run = await crew.start({ workflow, goal: "Look.", ...scratch.place });
  expect(await ended(run.id)).toBe("done");
  expect(await show(scratch.repository, `${run.target}:api/seen.txt`)).toBe("api/\n");
  expect(await show(scratch.repository, `${run.target}:web/old.txt`)).toBe("old\n");
  await crew.close();
});

it("a plan waits for a person, and its tasks join the graph when the person agrees", async () => {
  const scratch = await makeScratch();
  const task = { id: "a", title: "A", role: "writer", task: "Do a.", dependsOn: [], files: [] };
  const planner = scratch.script("planner", [{ text: JSON.stringify({ tasks: [task] }) }]);
  const agents = [{ agent: "seam", model: scratch.script("a", writes("a.txt", "a\n")) }] as const;
  const workflow = workflowOf(
    [taskOf("plan", planner, { plans: true, role: "reader", expects: "result" })],
    { approvePlan: true },
  );
  const { crew, ended, asked } = await scratch.open();
  const run = await crew.start({ workflow, goal: "Plan.", ...scratch.place, agents });
  await until(() => asked.length > 0);
  const [question] = asked;
  expect(question).toMatchObject({ kind: "plan", run: run.id, task: "plan" });
  expect(question?.message).toContain("Do a.");
  expect((await crew.show(run.id)).run.state).toBe("waiting");
  await crew.answer(question?.id ?? "", "yes");
  expect(await ended(run.id)).toBe("done");
  expect(await show(scratch.repository, `${run.target}:a.txt`)).toBe("a\n");
  await crew.close();
});

inFull(
  "an agent that says it is done and changed nothing is not believed, and a person is asked in the end",
  async () => {
    const scratch = await makeScratch();
    const idle = scratch.script("idle", [{ text: "All done, all tests pass." }]);
    const { crew, ended, asked } = await scratch.open();
    const workflow = workflowOf([taskOf("idle", idle)]);
    const run = await crew.start({ workflow, goal: "Work.", ...scratch.place });
    await until(() => asked.length > 0);
    expect(asked[0]).toMatchObject({ kind: "stuck", task: "idle" });
    expect(asked[0]?.message).toContain("Nothing was changed.");
    await crew.answer(asked[0]?.id ?? "", "give up");
    expect(await ended(run.id)).toBe("failed");
    const { attempts, tasks } = await crew.show(run.id);
    expect(attempts.map(({ end }) => end?.kind)).toEqual(attempts.map(() => "finished"));
    // What a person was asked is no reason once it was answered.
    expect(tasks[0]?.reason).toBe("It did not succeed after 4 tries: Nothing was changed.");
    await crew.close();
  },
);

it("a budget that is used up before anything starts asks a person and starts no agent", async () => {
  const scratch = await makeScratch();
  const { crew, asked } = await scratch.open();
  const workflow = workflowOf([taskOf("one", scratch.script("one", writes("one.txt", "1\n")))]);
  const run = await crew.start({
    workflow,
    goal: "Count.",
    ...scratch.place,
    budget: { tokens: 0 },
  });
  await until(() => asked.length > 0);
  expect(asked[0]?.message).toContain("0 tokens");
  expect((await crew.show(run.id)).attempts).toEqual([]);
  await crew.cancel(run.id);
  expect((await crew.show(run.id)).run.state).toBe("cancelled");
  await crew.close();
});

it("a run without a goal, without an agent or without a commit does not start", async () => {
  const scratch = await makeScratch();
  const { crew } = await scratch.open();
  const workflow = workflowOf([taskOf("one", "scripted:none", { agents: [] })]);
  const start = (more: object) =>
    crew.start({ workflow, goal: "Count.", ...scratch.place, ...more });
  await expect(start({ goal: " " })).rejects.toMatchObject({ code: "SEAM_CREW_GOAL" });
  await expect(start({})).rejects.toMatchObject({ code: "SEAM_CREW_NO_AGENT" });
  const agents = [{ agent: "seam" }];
  const empty = join(scratch.root, "empty");
  await git(["init", "--quiet", empty], { cwd: scratch.root });
  await expect(start({ agents, repository: empty })).rejects.toMatchObject({
    code: "SEAM_CREW_NO_COMMIT",
  });
  await expect(start({ agents, repository: scratch.root })).rejects.toMatchObject({
    code: "SEAM_CREW_NO_REPO",
  });
  expect(await crew.list()).toEqual([]);
  await crew.close();
});

it("an extension can keep a run from beginning, and hold a merge for a person", async () => {
  const scratch = await makeScratch();
  const refused: string[] = [];
  const { crew, ended, asked } = await scratch.open({
    refuse: (event) => {
      refused.push(event.type);
      const isBad = event.type === "crew_run_start" && event.goal === "Bad.";
      return isBad || event.type === "crew_merge" ? { reason: "not like this" } : undefined;
    },
  });
  const workflow = workflowOf([taskOf("one", scratch.script("one", writes("one.txt", "1\n")))]);
  const start = (goal: string) => crew.start({ workflow, goal, ...scratch.place });
  await expect(start("Bad.")).rejects.toMatchObject({ code: "SEAM_CREW_REFUSED" });
  expect(await crew.list()).toEqual([]);
  const run = await start("Good.");
  await until(() => asked.length > 0);
  expect(asked[0]).toMatchObject({ kind: "merge", message: "not like this" });
  await crew.answer(asked[0]?.id ?? "", "yes");
  expect(await ended(run.id)).toBe("done");
  expect(await show(scratch.repository, `${run.target}:one.txt`)).toBe("1\n");
  await until(() => refused.includes("crew_run_end"));
  expect(refused).toEqual([
    "crew_run_start",
    "crew_run_start",
    "crew_task_start",
    "crew_merge",
    "crew_task_end",
    "crew_run_end",
  ]);
  await crew.close();
});

inFull(
  "what an agent that only reads changed is not merged, and a person is asked in the end",
  async () => {
    const scratch = await makeScratch();
    const straying = scratch.script("straying", [
      { toolCalls: [{ name: "bash", arguments: { command: "touch x.txt" } }] },
      { text: "I only looked." },
    ]);
    const tasks = [taskOf("look", straying, { role: "reader", expects: "result" })];
    const { roles } = workflowOf(tasks);
    // The gate lets a command pass that the role allows, though it writes.
    const reader = Object.assign({}, roles.writer, roles.reader, {
      allowCommands: ["touch x.txt"],
    });
    const workflow = workflowOf(tasks, { roles: { reader } });
    const { crew, ended, asked } = await scratch.open();
    const run = await crew.start({ workflow, goal: "Look.", ...scratch.place });
    await until(() => asked.length > 0);
    expect(asked[0]?.message).toContain("only reads");
    await crew.answer(asked[0]?.id ?? "", "give up");
    expect(await ended(run.id)).toBe("failed");
    expect(await show(scratch.repository, `${run.target}:README.md`)).toContain("A project");
    await crew.close();
  },
);

inFull(
  "agents and checks have the environment of whoever started the run, as long as it runs",
  async () => {
    const scratch = await makeScratch();
    const asks = { name: "bash", arguments: { command: 'printf %s "$MARK_OF_USER" > mark.txt' } };
    const model = scratch.script("asks", [{ toolCalls: [asks] }, { text: "Done." }]);
    const verify = ['test "$MARK_OF_USER" = "$(cat mark.txt)"', 'test -n "$MARK_OF_USER"'];
    const { crew, ended } = await scratch.open();
    const run = await crew.start({
      workflow: workflowOf([taskOf("one", model, { verify })]),
      goal: "Look.",
      ...scratch.place,
      environment: { MARK_OF_USER: "from the shell" },
    });
    const kept = join(scratch.home, "crew/runs", run.id, "environment.json");
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(await ended(run.id)).toBe("done");
    expect(await show(scratch.repository, `${run.target}:mark.txt`)).toBe("from the shell");
    expect(existsSync(kept)).toBe(false);
    await crew.close();
  },
);
