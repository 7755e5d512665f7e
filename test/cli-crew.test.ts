import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { RunReport } from "../src/crew/index.ts";
import { sendHook } from "../src/daemon/connection.ts";
import { daemonPaths } from "../src/daemon/index.ts";
import { type Place, place } from "./cli/seam.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";
import { hasTime, inFull, isFull } from "./setup/sample.ts";

/** A repository, a role and two workflows: one that writes a file, and one that asks first. */
function crewPlace(settings: object = {}): Place {
  const made = place({ "README.md": "# A project\n" });
  onTestFinished(async () => {
    await made.seam("daemon", "stop");
  });
  const { home, project } = made;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const call = { name: "write", arguments: { path: "one.txt", content: "1\n" } };
  write("one.json", JSON.stringify([{ toolCalls: [call] }, { text: "Done." }]));
  write("settings.json", JSON.stringify({ crew: settings }));
  write(
    "crew/agents/worker.md",
    `---\nname: worker\ndescription: works\naccess: write\nagent: seam:scripted:${home}/one.json\n---\n\nWork.\n`,
  );
  const workflow = (name: string, keys: string) =>
    write(
      `crew/workflows/${name}.workflow.md`,
      `---\nname: ${name}\ndescription: test\n---\n\n## one\nrole: worker\n${keys}\nDo it.\n`,
    );
  workflow("quick", "");
  workflow("asking", "approve: true\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@localhost");
  git("add", "README.md");
  git("commit", "--quiet", "--message", "Start");
  return made;
}

interface Doctor {
  readonly sections: readonly {
    readonly about: string;
    readonly findings: readonly {
      readonly code: string;
      readonly text: string;
      readonly next?: string;
    }[];
  }[];
}

const crewFindings = async (made: Place) =>
  (await made.seam("doctor", "--json"))
    .json<Doctor>()
    .sections.find(({ about }) => about === "Crews")?.findings;

it("the demo shows a plan, two tasks at once, a check that fails once, a conflict and a merge", async () => {
  const { home, project, seam } = place({});
  const { code, stdout, stderr } = await seam("crew", "demo");
  expect([code, stderr]).toEqual([0, ""]);
  const said = [
    /^\S+ {2}plan is done$/m,
    /english is running[\s\S]*french is running[\s\S]*(english|french) finished/,
    /french The check "sh -e greetings.sh" failed/,
    /It does not fit what was merged meanwhile/,
    /french checks passed on the merged candidate/,
    /The run is done\./,
    /Merge task french/,
    /seam crew land last +bring the result to your branch\n$/,
  ];
  for (const text of said) expect(stdout).toMatch(text);
  // Nothing of it is in the folder or the home of who looks at it.
  expect([readdirSync(project), existsSync(join(home, "crew"))]).toEqual([[".seam"], false]);
});

inFull(
  "status and doctor say what waits and what an attempt that is over left behind",
  async () => {
    const made = crewPlace();
    expect(await crewFindings(made)).toBeUndefined();
    const { run } = (await made.seam("crew", "run", "asking", "Ask.", "--detach", "--json")).json<{
      run: { id: string };
    }>();
    await expect
      .poll(async () => (await made.seam("status")).stdout, { timeout: 30_000 })
      .toContain("1 run waiting");
    expect(await crewFindings(made)).toMatchObject([{ code: "crew-waits" }]);
    const env = { ...process.env, SEAM_HOME: made.home, SEAM_CREW_ATTEMPT: `${run.id}.gone.1` };
    const left = spawn("sleep", ["300"], { env, stdio: "ignore" });
    onTestFinished(() => void left.kill());
    const found = await crewFindings(made);
    expect(found?.map(({ code }) => code)).toEqual(["crew-waits", "crew-orphans"]);
    expect(found?.[1]?.text).toContain(`${left.pid} (${run.id}.gone.1)`);
    await made.seam("crew", "cancel", run.id);
    left.kill();
    await expect
      .poll(async () => (await crewFindings(made))?.map(({ code }) => code), { timeout: 30_000 })
      .toEqual(["crew-left"]);
    expect((await crewFindings(made))?.[0]).toMatchObject({
      text: `Crews that are over left 1 branch for . (${run.id}).`,
      next: expect.stringContaining("seam crew clean"),
    });
    expect((await made.seam("status")).stdout).toContain(
      "nothing under way; 1 branch left of runs that are over: seam crew clean",
    );
    execFileSync("git", ["branch", "seam/tasks/gone/one"], { cwd: made.project });
    expect(await crewFindings(made)).toMatchObject([
      { code: "crew-left" },
      { code: "crew-strays", next: expect.stringContaining("git branch -D seam/tasks/gone/one") },
    ]);
    execFileSync("git", ["branch", "-D", "seam/tasks/gone/one"], { cwd: made.project });
    expect((await made.seam("crew", "clean")).stdout).toBe("1 run removed.\n");
    expect(await crewFindings(made)).toEqual([]);
  },
);

inFull("a database that cannot be reached is said by status and doctor, and by a run", async () => {
  const made = crewPlace({ database: "postgres://nobody@127.0.0.1:9/crew" });
  await made.seam("daemon", "start");
  expect(await crewFindings(made)).toMatchObject([
    { code: "crew-unreachable", next: expect.stringContaining("that the server runs") },
  ]);
  expect((await made.seam("status")).code).toBe(0);
  const run = await made.seam("crew", "run", "quick", "Do it.", "--detach");
  expect(run.code).not.toBe(0);
  expect(run.stderr).not.toBe("");
});

inFull("what landed is taken back, lands again, and is cleaned up with its worktrees", async () => {
  const made = crewPlace();
  const ran = await made.seam("crew", "run", "quick", "Do it.");
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  const file = join(made.project, "one.txt");
  expect(existsSync(file)).toBe(false);
  const nothing = await made.seam("crew", "budget", "last");
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("--dollars")]);
  await made.seam("crew", "land", "last");
  expect(readFileSync(file, "utf8")).toBe("1\n");
  expect((await made.seam("crew", "land", "--undo")).code).toBe(0);
  expect(existsSync(file)).toBe(false);
  const kept = (await made.seam("crew", "clean", "--json")).json<{ cleaned: object[] }>();
  expect(kept.cleaned).toMatchObject([
    { kept: [expect.stringContaining("seam/crew/")], worktrees: 1 },
  ]);
  await made.seam("crew", "land", "last");
  const gone = (await made.seam("crew", "clean", "--json")).json<{ cleaned: object[] }>();
  expect(gone.cleaned).toMatchObject([{ kept: [], worktrees: 0 }]);
  const trees = execFileSync("git", ["worktree", "list"], { cwd: made.project, encoding: "utf8" });
  expect(trees.trim().split("\n")).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toBe("1\n");
});

inFull(
  "a run with nothing to spend does not start, and a task that is not there cannot be watched",
  async () => {
    const made = crewPlace();
    const poor = await made.seam("crew", "run", "quick", "Do it.", "--dollars", "0");
    expect([poor.code, poor.stderr]).toEqual([2, expect.stringContaining("above 0")]);
    expect((await made.seam("crew", "list")).stdout).toContain("There are no runs.");
    await made.seam("crew", "run", "asking", "Ask.", "--detach");
    const attached = await made.seam("crew", "attach", "last", "two");
    expect([attached.code, attached.stderr]).toEqual([
      1,
      expect.stringContaining('There is no task "two".'),
    ]);
    await made.seam("crew", "cancel", "last");
    const early = await made.seam("crew", "land", "last");
    expect([early.code, early.stderr]).toEqual([
      1,
      expect.stringContaining("nothing was merged in this run"),
    ]);
  },
);

inFull(
  "what clean keeps of a run that was cancelled can be gone on with, or dropped as it says",
  async () => {
    const made = crewPlace();
    writeFileSync(
      join(made.home, "crew/workflows/late.workflow.md"),
      "---\nname: late\ndescription: test\napproveMerge: true\n---\n\n## one\nrole: worker\n\nDo it.\n",
    );
    await made.seam("crew", "run", "late", "Ask.", "--detach");
    await expect
      .poll(async () => (await made.seam("inbox")).stdout, { timeout: 60_000 })
      .toContain("be merged");
    await made.seam("crew", "cancel", "last");
    const { stdout } = await made.seam("crew", "clean");
    expect(stdout).toContain("has work that is nowhere else");
    expect(stdout).toContain("Go on with it: seam crew resume");
    expect(stdout).not.toContain("seam crew land");
    const drop = /Drop it: (git branch -D .*)/.exec(stdout)?.[1] ?? "false";
    execFileSync("sh", ["-c", drop], { cwd: made.project, stdio: "pipe" });
    expect((await made.seam("crew", "clean")).stdout).toBe("1 run removed.\n");
  },
);

it("a run that ended is gone on with, one of its tasks begins again, it is followed, and written into a file", async () => {
  const made = crewPlace();
  const { stdout } = await made.seam("crew", "run", "asking", "Ask.", "--detach", "--json");
  const { run } = JSON.parse(stdout) as { run: { id: string } };
  /** Answers as soon as it is asked: each time that the task begins anew is another question. */
  const answer = (time: number, word: string) =>
    expect
      .poll(
        async () => (await made.seam("crew", "answer", `${run.id}.one.${time}.start`, word)).code,
        { timeout: 60_000 },
      )
      .toBe(0);
  await answer(0, "no");
  await expect
    .poll(async () => (await made.seam("crew", "resume", "last")).stdout, { timeout: 60_000 })
    .toContain("It goes on.");
  await made.seam("crew", "cancel", "last");
  expect((await made.seam("crew", "retry", "last", "one")).code).toBe(0);
  const followed = made.seam("crew", "status", "-f");
  await answer(2, "yes");
  expect((await followed).stdout).toContain(`Take it: seam crew land ${run.id}`);
  const file = join(made.project, "run.json");
  await made.seam("crew", "export", "last", file);
  const text = readFileSync(file, "utf8");
  expect(JSON.parse(text)).toMatchObject({ run: { id: run.id, state: "done" } });
  expect((await made.seam("crew", "export", "last")).stdout).toBe(text);
});

inFull("show says in full why an attempt failed", async () => {
  const made = crewPlace();
  const reason = `Nobody can do ${"this and ".repeat(20)}that.`;
  writeFileSync(join(made.home, "one.json"), JSON.stringify([{ error: { message: reason } }]));
  await made.seam("crew", "run", "quick", "Do it.", "--detach");
  await expect
    .poll(async () => (await made.seam("inbox")).stdout, { timeout: 60_000 })
    .toContain("needs you");
  expect((await made.seam("crew", "show", "last")).stdout).toMatch(/1\. Seam failed: .*and that\./);
  await made.seam("crew", "cancel", "last");
});

it("a script that an agent of a crew starts decides nothing in the place of a person", async () => {
  const made = crewPlace();
  const env = { ...process.env, SEAM_HOME: made.home, HOME: made.home, SEAM_CREW_ATTEMPT: "r.t.1" };
  const seam = join(import.meta.dirname, "../dist/bin/seam.js");
  for (const args of [["crew", "land", "last"], ["crew", "answer", "q", "yes"], ["trust"]]) {
    const { status, stderr } = spawnSync(process.execPath, [seam, ...args], {
      cwd: made.project,
      env,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining("is for people"),
    ]);
    expect(status).not.toBe(0);
  }
});

/** Seam's own agent, whose model calls the tool crew with each of these. */
async function led(made: Place, ...calls: readonly object[]): Promise<string[]> {
  const turns = calls.map((call) => ({ toolCalls: [{ name: "crew", arguments: call }] }));
  const script = join(made.home, "leader.json");
  writeFileSync(script, JSON.stringify([...turns, { text: "Led." }]));
  const flags = ["--mode", "json", "--no-session", "--model", `scripted:${script}`];
  const { stdout, stderr } = await made.seam("run", "-p", "Lead.", ...flags);
  const events = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const ends = events.filter(({ type }) => type === "tool_execution_end");
  if (ends.length !== calls.length) throw new Error(`${stdout}\n${stderr}`);
  return ends.map(({ result }) =>
    result.content.map(({ text }: { text: string }) => text).join("\n"),
  );
}

const runIn = (text: string | undefined) => /The run (\w+)/.exec(text ?? "")?.[1] ?? "";

it("Seam's own agent leads a crew with a tool: it starts one, looks at it, and hears what came of it", async () => {
  const made = crewPlace();
  const [begun = ""] = await led(made, { action: "start", workflow: "quick", goal: "Do it." });
  expect(begun).toContain("has begun");
  const id = runIn(begun);
  const status = async () => (await led(made, { action: "status", run: id }))[0];
  await expect.poll(status, { timeout: 60_000, interval: 500 }).toContain(`${id}: done: Do it.`);
  expect(await status()).toBe(
    `${id}: done: Do it.\none: done: one\nDone.\nWhat was merged is on the branch seam/crew/${id}.`,
  );
});

inFull(
  "the agent that leads cannot agree in a person's place, answers what it may, and can end a run",
  async () => {
    const made = crewPlace();
    const [begun = ""] = await led(made, { action: "start", workflow: "asking", goal: "Ask." });
    const id = runIn(begun);
    const question = `${id}.one.0.start`;
    await expect
      .poll(async () => (await led(made, { action: "status" }))[0], {
        timeout: 60_000,
        interval: 500,
      })
      .toContain(`waits for an answer to ${question}: May the task "one" start?`);
    const answer = { action: "answer", question, answer: "yes" };
    const [refused, cancelled, again, none, unknown] = await led(
      made,
      answer,
      { action: "cancel", run: id },
      { action: "status", run: id },
      { action: "answer", question: "nothing", answer: "yes" },
      { action: "start", workflow: "qick", goal: "Do it." },
    );
    expect(refused).toContain(
      "This question is for a person.\nA person answers it with seam inbox",
    );
    expect(cancelled).toBe(`The run ${id} is cancelled.`);
    expect(again).toContain(`${id}: cancelled: Ask.`);
    expect(none).toContain('There is no open question "nothing".');
    expect(unknown).toContain('Did you mean "quick"?');
  },
);

inFull("an agent that works for a crew has no tool to lead one", async () => {
  const made = crewPlace();
  const call = { name: "crew", arguments: { action: "start", workflow: "quick", goal: "More." } };
  const turns = [{ toolCalls: [call] }, { text: "I cannot." }];
  writeFileSync(join(made.home, "one.json"), JSON.stringify(turns));
  const { stdout } = await made.seam("crew", "run", "asking", "Ask.", "--detach", "--json");
  const { run } = JSON.parse(stdout) as { run: { id: string } };
  await expect
    .poll(async () => (await made.seam("inbox")).stdout, { timeout: 60_000 })
    .toContain("start?");
  await made.seam("crew", "answer", `${run.id}.one.0.start`, "yes");
  await expect
    .poll(async () => (await made.seam("crew", "list")).stdout, { timeout: 60_000 })
    .not.toContain("running");
  expect((await made.seam("crew", "list", "--json")).json<{ runs: [] }>().runs).toHaveLength(1);
});

it.runIf(isFull && whyNoTerminal === undefined)(
  "seam attach stays on a crew's board while agents work elsewhere",
  async () => {
    const made = crewPlace();
    await made.seam("crew", "run", "quick", "Weave.");
    const env = { PATH: process.env.PATH, HOME: made.home, SEAM_HOME: made.home };
    const terminal = new Terminal(["attach"], { cwd: made.project, env });
    await terminal.stands("Weave.");
    terminal.type("Weave.\r");
    await terminal.stands("esc: all sessions");
    const watching = new Terminal(["attach"], { cwd: made.project, env });
    await watching.stands("Live sessions");
    await sendHook(daemonPaths(made.home), {
      agent: "seam",
      hook: "agent_start",
      pid: process.pid,
      payload: { sessionId: "other", cwd: made.project, event: { prompt: "Dye the wool" } },
    });
    await watching.stands("Dye the wool");
    // From the board it leads to the list; in the list it would end the command.
    terminal.press("escape");
    await terminal.stands("Dye the wool");
    terminal.type("wool");
    await terminal.stands("> wool");
  },
);

it("check names a mistake with its file, its line and the nearest word, and starts nothing", async () => {
  const made = crewPlace();
  const text = "---\nname: broken\ndescription: test\n---\n\n## one\nrole: workr\n\nDo it.\n";
  writeFileSync(join(made.home, "crew/workflows/broken.workflow.md"), text);
  const { code, stdout } = await made.seam("crew", "check");
  expect(code).toBe(1);
  expect(stdout).toMatch(/broken\.workflow\.md:7\b.*"workr".*worker/);
  expect(stdout).toMatch(/✓ quick: 1 task$/m);
  const good = await made.seam("crew", "check", "quick", "--json");
  expect([good.code, good.json<{ ok: boolean }>().ok]).toEqual([0, true]);
  expect(existsSync(join(made.home, "crew/crew.db"))).toBe(false);
});

inFull(
  "an agent of a crew speaks to another task, asks a person and hands its result over with commands",
  async () => {
    const made = crewPlace();
    const { home } = made;
    const main = join(import.meta.dirname, "../dist/bin/seam.js");
    const crew = (rest: string) => `'${process.execPath}' '${main}' crew ${rest}`;
    const bash = (command: string) => [{ name: "bash", arguments: { command } }];
    const says = crew(`send two 'Use tabs.'`);
    const one = [
      { when: "The answer: green", toolCalls: bash(crew(`result '{ "colour": "green" }'`)) },
      { when: "Do one", toolCalls: bash(`${says} && ${crew("ask 'Which colour?'")}`) },
      { text: "That is all." },
    ];
    const two = [{ when: "Use tabs", text: "I heard of tabs." }];
    for (const [name, turns] of Object.entries({ one, two })) {
      writeFileSync(join(home, `${name}.json`), JSON.stringify(turns));
    }
    const schema = `{ "type": "object", "properties": { "colour": { "type": "string" } }, "required": ["colour"] }`;
    const agent = (name: string) => `role: worker\nagent: seam:scripted:${home}/${name}.json\n`;
    writeFileSync(
      join(home, "crew/workflows/talk.workflow.md"),
      `---\nname: talk\ndescription: test\n---\n\n## one\n${agent("one")}expects: result\nresult: ${schema}\n\nDo one.\n\n## two\n${agent("two")}expects: result\ndependsOn: one\n\nDo two.\n`,
    );
    const followed = made.seam("crew", "run", "talk", "Talk.");
    const report = async () => (await made.seam("crew", "status", "--json")).json<RunReport>();
    const open = async () =>
      (await report()).questions.find(
        ({ message, answer }) => !answer && message === "Which colour?",
      );
    await expect.poll(open, { timeout: 60_000 }).toBeDefined();
    await made.seam("crew", "answer", (await open())?.id ?? "", "green");
    const { code, stdout } = await followed;
    expect([code, stdout]).toEqual([0, expect.stringContaining("I heard of tabs.")]);
    expect((await report()).tasks[0]?.result).toEqual({ colour: "green" });
    expect((await made.seam("crew", "messages")).stdout).toContain("one to two: Use tabs.");
  },
);

it.runIf(hasTime && !whyNoTerminal)(
  "Ctrl+C leaves a run that is followed as it is, and the shell a line of its own",
  async () => {
    const made = crewPlace();
    await made.seam("crew", "run", "asking", "Ask.", "--detach");
    const env = { PATH: process.env.PATH, HOME: made.home, SEAM_HOME: made.home };
    const terminal = new Terminal(["crew", "status", "-f"], { cwd: made.project, env });
    await terminal.shows("The run is waiting.");
    terminal.press("ctrl-c");
    expect(await terminal.exited).toBe(0);
    expect(terminal.text).toMatch(/The run is waiting\.\n\^C\n$/);
    expect((await made.seam("crew", "status")).stdout).toContain("asks you");
  },
);
