import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { git } from "../../git/index.ts";
import { SAYS_DONE, SAYS_INIT } from "../workers/test-kit/attempt.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

const show = async (cwd: string, what: string) => (await git(["show", what], { cwd })).toString();

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

inFull(
  "where a budget is used up a person allows more, by an answer or for the run, and the task goes on",
  async () => {
    const scratch = await makeScratch();
    const fired: string[] = [];
    const { crew, ended, asked } = await scratch.open({
      refuse: (event) => {
        if (event.type === "crew_budget") fired.push(`${event.of} ${event.state}`);
        return undefined;
      },
    });
    const one = taskOf("one", scratch.script("one", writes("one.txt", "1\n")), {
      budget: { turns: 0 },
    });
    const run = await crew.start({
      workflow: workflowOf([one]),
      goal: "Count.",
      ...scratch.place,
      budget: { minutes: 0 },
    });
    const first = await until(() => asked[0]);
    expect(first).toMatchObject({ kind: "budget", task: "one" });
    expect(first.message).toContain("0 turns of the task");
    expect(first.message).toContain(`seam crew budget ${run.id} --task one --turns 20`);
    // As much again as nothing is nothing, and what is no amount allows none.
    await crew.answer(first.id, "as much again");
    await crew.answer((await until(() => asked[1])).id, "a little");
    await crew.answer((await until(() => asked[2])).id, "20 turns");
    const ofRun = await until(() => asked[3]);
    expect(ofRun.message).toContain("0 minutes of the run");
    expect(ofRun.message).toContain(`seam crew budget ${run.id} --minutes 30`);
    expect((await crew.show(run.id)).attempts).toEqual([]);
    await crew.allow(run.id, { of: "run", more: { minutes: 60 } });
    expect(await ended(run.id)).toBe("done");
    const { questions, run: now } = await crew.show(run.id);
    expect(questions.every(({ answer }) => answer !== undefined)).toBe(true);
    expect(now.allowances?.map(({ of, more }) => [of, more])).toEqual([
      ["task", { turns: 0 }],
      ["task", { turns: 20 }],
      ["run", { minutes: 60 }],
    ]);
    expect(fired).toEqual(["task over", "task over", "task over", "run over"]);
    await crew.close();
  },
);

it("a budget that is used up while an agent works ends its turn, and the session goes on when more is allowed", async () => {
  const scratch = await makeScratch();
  const usage = { input: 900, output: 100 };
  // The session that goes on may run the command again: it is long only before more was allowed.
  const allowed = join(dirname(scratch.repository), "allowed");
  const command = `[ -e ${allowed} ] || sleep 200`;
  const model = scratch.script("costly", [
    { toolCalls: [write("begun.txt", "begun\n")], usage },
    { toolCalls: [{ name: "bash", arguments: { command } }], usage },
    { when: "Go on", toolCalls: [write("ended.txt", "ended\n")], usage },
    { text: "Done.", usage },
    { text: "Done.", usage },
  ]);
  const fired = new Set<string>();
  const { crew, ended, asked } = await scratch.open({
    refuse: (event) => {
      if (event.type === "crew_budget") fired.add(event.state);
      return undefined;
    },
  });
  const run = await crew.start({
    workflow: workflowOf([taskOf("one", model)]),
    goal: "Spend.",
    ...scratch.place,
    budget: { tokens: 1_500 },
  });
  const question = await until(() => asked[0]);
  expect(question.message).toContain("1,500 tokens of the run");
  const { attempts, tasks } = await crew.show(run.id);
  expect(attempts.map(({ end }) => end?.kind)).toEqual(["over-budget"]);
  expect(await show(scratch.repository, `${tasks[0]?.branch}:begun.txt`)).toBe("begun\n");
  writeFileSync(allowed, "");
  await crew.answer(question.id, "100k tokens");
  expect(await ended(run.id)).toBe("done");
  const after = (await crew.show(run.id)).attempts;
  expect(after.at(-1)?.resumes).toBe(after[0]?.session);
  expect([...fired].sort()).toEqual(["near", "over"]);
  await crew.close();
});

inFull(
  "who does not want to spend more gives the task up, and can try it again later",
  async () => {
    const scratch = await makeScratch();
    const { crew, ended, asked } = await scratch.open();
    const one = taskOf("one", scratch.script("one", writes("one.txt", "1\n")));
    const two = taskOf("two", scratch.script("two", writes("two.txt", "2\n")), {
      dependsOn: ["one"],
    });
    const run = await crew.start({
      workflow: workflowOf([one, two]),
      goal: "Count.",
      ...scratch.place,
      budget: { tokens: 0 },
    });
    await crew.answer((await until(() => asked[0])).id, "give up");
    expect(await ended(run.id)).toBe("failed");
    const states = async () => (await crew.show(run.id)).tasks.map(({ id, state }) => [id, state]);
    expect((await states())[0]).toEqual(["one", "failed"]);
    await expect(crew.retry(run.id, "three")).rejects.toMatchObject({ code: "SEAM_CREW_UNKNOWN" });
    await crew.allow(run.id, { of: "run", more: { tokens: 1_000_000 } });
    await crew.retry(run.id, "one");
    expect(await ended(run.id)).toBe("done");
    expect(await states()).toEqual([
      ["one", "done"],
      ["two", "done"],
    ]);
    await expect(crew.retry(run.id, "one")).rejects.toMatchObject({ code: "SEAM_CREW_STATE" });
    await crew.close();
  },
);

inFull(
  "a task that was tried in vain is tried anew when somebody lets it begin again, before anybody is asked",
  async () => {
    const scratch = await makeScratch();
    const { crew, ended, asked } = await scratch.open();
    const model = scratch.script("one", [{ text: "I did nothing." }]);
    const workflow = workflowOf([taskOf("one", model)]);
    const run = await crew.start({ workflow, goal: "Count.", ...scratch.place });
    await crew.answer((await until(() => asked[0])).id, "give up");
    expect(await ended(run.id)).toBe("failed");
    const tried = (await crew.show(run.id)).attempts;
    scratch.script("one", writes("one.txt", "1\n"));
    await crew.retry(run.id, "one");
    expect(await ended(run.id)).toBe("done");
    const { attempts } = await crew.show(run.id);
    expect(attempts).toHaveLength(tried.length + 1);
    expect(attempts.at(-1)?.resumes).toBeUndefined();
    expect(asked).toHaveLength(1);
    await crew.close();
  },
);

inFull("what a day may cost is counted over all its runs, and a person allows more", async () => {
  const scratch = await makeScratch();
  const usage = { input: 900, output: 100 };
  const [call] = writes("one.txt", "1\n");
  const model = scratch.script("one", [
    { ...call, usage },
    { text: "Done.", usage },
  ]);
  const wanted = { workflow: workflowOf([taskOf("one", model)]), goal: "Spend.", ...scratch.place };
  const before = await scratch.open();
  expect(await before.ended((await before.crew.start(wanted)).id)).toBe("done");
  await before.crew.close();
  const concurrency = { agents: {}, pools: {} };
  const limits = { concurrency, day: { tokens: 2_000 }, proofMs: 60_000 };
  const { crew, ended, asked } = await scratch.open({ limits });
  const second = await crew.start(wanted);
  const question = await until(() => asked[0]);
  expect(question).toMatchObject({ kind: "budget", run: second.id });
  expect(question.message).toContain("2,000 tokens of the day");
  expect(question.message).toContain(`seam crew budget ${second.id} --day --tokens`);
  expect((await crew.show(second.id)).attempts).toEqual([]);
  await crew.allow(second.id, { of: "day", more: { tokens: 100_000 } });
  expect(await ended(second.id)).toBe("done");
  await crew.close();
});

/** A run of one task for Claude Code, and a way to install a program under that name. */
async function forClaude() {
  const scratch = await makeScratch();
  const bin = join(scratch.root, "bin");
  mkdirSync(bin);
  for (const name of ["sh", "mv", "rm", "mkfifo", "date"]) {
    const found = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
    symlinkSync(found.trim(), join(bin, name));
  }
  const task = taskOf("one", "", { agents: [{ agent: "claude-code" }] });
  return {
    scratch,
    request: {
      workflow: workflowOf([task]),
      goal: "Count.",
      ...scratch.place,
      environment: { PATH: bin, HOME: scratch.root },
    },
    install: (...lines: string[]) => {
      const script = ["#!/bin/sh", 'echo "$@" > args.txt', SAYS_INIT, ...lines, ""].join("\n");
      writeFileSync(join(bin, "claude"), script, { mode: 0o755 });
    },
  };
}

it("an agent that is not installed is asked about at once, and begins when it is there", async () => {
  const { scratch, request, install } = await forClaude();
  const { crew, ended, asked } = await scratch.open();
  const run = await crew.start(request);
  const question = await until(() => asked[0]);
  expect(question.message).toContain("not on the PATH. Install it");
  const { attempts } = await crew.show(run.id);
  expect(attempts.map(({ end }) => end?.kind)).toEqual(["unavailable"]);
  install(SAYS_DONE);
  await crew.answer(question.id, "try again");
  expect(await ended(run.id)).toBe("done");
  // There is no session to go on with.
  expect(await show(scratch.repository, `${run.target}:args.txt`)).toContain("--session-id");
  await crew.close();
});

inFull(
  "a usage limit is waited out, and a login that expired is asked about: neither is a failure",
  async () => {
    const { scratch, request, install } = await forClaude();
    const { crew, ended, asked, events } = await scratch.open();
    /** Says this the first time, and nothing after that. */
    const once = (name: string, text: string) => {
      const said = { type: "result", subtype: "success", is_error: true, result: text };
      const line = `echo '${JSON.stringify(said)}'`;
      return `[ -e "$HOME/${name}" ] || { : > "$HOME/${name}"; ${line}; exit 1; }`;
    };
    // Counted from when the agent says it, however late it starts.
    const over = "'$(($(date +%s)+3))'";
    install(
      once("limit", `Claude AI usage limit reached|${over}`),
      once("login", "Invalid API key · Please run /login"),
      SAYS_DONE,
    );
    const run = await crew.start(request);
    await until(() =>
      events.find(({ text }) => text.startsWith("one is waiting: Claude AI usage")),
    );
    await until(() => events.find(({ kind, state }) => kind === "run" && state === "waiting"));
    // The limit ends by itself, so somebody has to be there then; who waits for a person needs nobody.
    expect(await crew.isBusy()).toBe(true);
    const question = await until(() => asked[0]);
    await expect.poll(() => crew.isBusy()).toBe(false);
    expect(question.message).toContain("is not logged in");
    await crew.answer(question.id, "try again");
    expect(await ended(run.id)).toBe("done");
    const { attempts, questions } = await crew.show(run.id);
    expect(attempts.map(({ end }) => end?.kind)).toEqual(["limited", "logged-out", "finished"]);
    expect(questions).toHaveLength(1);
    await crew.close();
  },
);

it("a reviewer's no goes back to the session that did the work, and nothing is merged before a yes", async () => {
  const scratch = await makeScratch();
  const worker = scratch.script("worker", [
    { when: "Do work", toolCalls: [write("name.txt", "jon\n")] },
    { when: "a capital letter", toolCalls: [write("name.txt", "Jon\n")] },
    { text: "Done." },
    { text: "Done." },
  ]);
  const says = (approved: boolean, comments: string) => ({
    text: JSON.stringify({ approved, comments }),
  });
  const look = { name: "bash", arguments: { command: "cat name.txt" } };
  const critic = scratch.script("critic", [
    { when: "Review its work", toolCalls: [look] },
    { when: "jon", ...says(false, "Names begin with a capital letter.") },
    { when: "Jon", ...says(true, "Good.") },
  ]);
  const tasks = [taskOf("work", worker, { reviewedBy: "critic" })];
  const { roles } = workflowOf(tasks);
  const reader = Object.assign({}, roles.writer, roles.reader, {
    name: "critic",
    agents: [{ agent: "seam" as const, model: critic }],
  });
  const { crew, ended } = await scratch.open();
  const workflow = workflowOf(tasks, { roles: { ...roles, critic: reader } });
  const run = await crew.start({ workflow, goal: "Name.", ...scratch.place });
  expect(await ended(run.id)).toBe("done");
  expect(await show(scratch.repository, `${run.target}:name.txt`)).toBe("Jon\n");
  const { attempts } = await crew.show(run.id);
  expect(attempts.map(({ isReview = false }) => isReview)).toEqual([false, true, false, true]);
  expect(attempts[2]?.resumes).toBe(attempts[0]?.session);
  const merges = await git(["log", "--merges", "--format=%s", run.target], {
    cwd: scratch.repository,
  });
  expect(merges.toString().trim().split("\n")).toHaveLength(1);
  await crew.close();
});

it("a merge that a person has to approve waits, and what the person says against it reaches the session", async () => {
  const scratch = await makeScratch();
  const worker = scratch.script("worker", [
    { when: "Do work", toolCalls: [write("colour.txt", "red\n")] },
    { when: "rather blue", toolCalls: [write("colour.txt", "blue\n")] },
    { text: "Done." },
    { text: "Done." },
  ]);
  const { crew, ended, asked } = await scratch.open();
  const workflow = workflowOf([taskOf("work", worker)], { approveMerge: true });
  const run = await crew.start({ workflow, goal: "Paint.", ...scratch.place });
  const first = await until(() => asked[0]);
  expect(first).toMatchObject({ kind: "merge", task: "work" });
  expect(first.message).toContain("colour.txt");
  await crew.answer(first.id, "no, rather blue");
  const second = await until(() => asked[1]);
  const before = await git(["rev-parse", run.target], { cwd: scratch.repository });
  expect(before.toString().trim()).toBe(run.base);
  await crew.answer(second.id, "yes");
  expect(await ended(run.id)).toBe("done");
  expect(await show(scratch.repository, `${run.target}:colour.txt`)).toBe("blue\n");
  await crew.close();
});

inFull("clean takes away what landed and nothing else, and no run that is under way", async () => {
  const scratch = await makeScratch();
  const { crew, ended, asked } = await scratch.open();
  const waiting = workflowOf([taskOf("slow", "scripted:none", { approve: true })]);
  const open = await crew.start({ workflow: waiting, goal: "Wait.", ...scratch.place });
  await until(() => asked[0]);
  await expect(crew.clean(open.id)).rejects.toMatchObject({ code: "SEAM_CREW_STATE" });
  const workflow = workflowOf([taskOf("one", scratch.script("one", writes("one.txt", "1\n")))]);
  const run = await crew.start({ workflow, goal: "Count.", ...scratch.place });
  expect(await ended(run.id)).toBe("done");
  const kept = await crew.clean(run.id);
  expect(kept).toMatchObject({ removed: [`seam/tasks/${run.id}/one`], kept: [run.target] });
  expect((await crew.show(run.id)).run.id).toBe(run.id);
  expect((await crew.land(run.id)).kind).toBe("landed");
  expect(await crew.clean(run.id)).toMatchObject({ removed: [run.target], kept: [] });
  await expect(crew.show(run.id)).rejects.toMatchObject({ code: "SEAM_CREW_UNKNOWN" });
  expect(await show(scratch.repository, "main:one.txt")).toBe("1\n");
  await crew.cancel(open.id);
  await crew.close();
});
