import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isFull, sampled } from "../../setup/sample.ts";
import type { Agent, AgentName } from "../drive/agent.ts";
import { AGENTS, newestOf } from "../drive/agents/index.ts";
import { labelOf, whyNotRun } from "../drive/installed.ts";
import { list, parse, record, text } from "../model-server/json.ts";
import { Checkpoint } from "./test-kit/checkpoint.ts";
import { Stage } from "./test-kit/stage.ts";
import { until } from "./test-kit/until.ts";

/** Kinds of session that come about by themselves: in the background, forked, taken up elsewhere. */

const COMMIT = "git add -A . ':!.claude' ':!.pi' && git commit -m 'Work of an agent'";

const releases = (name: AgentName) =>
  newestOf(name).map((release) => [labelOf(release), release] as const);

async function stageFor(release: Agent, ...enable: readonly string[]): Promise<Stage> {
  const stage = new Stage(release);
  onTestFinished(() => stage.remove());
  await stage.prepare(release.name);
  if (enable.length > 0) stage.seam("enable", "--agent", release.name, ...enable);
  return stage;
}

const HERE = ["--level", "project"];
/** Hooks of a project are not read in a folder below it. */
const EVERYWHERE = ["--level", "user", "--record"];

/** The turns of a repository, the newest first. */
function turns(stage: Stage, folder = stage.cwd) {
  const { stdout } = stage.runIn(folder, ...stage.command, "log", "--turns", "--json");
  return list(parse(stdout)).map(record);
}

/** What is recorded for HEAD; on a machine with much to do a commit may be without a trailer. */
async function recorded(stage: Stage, cwd = stage.cwd): Promise<Checkpoint> {
  let id = "";
  await until(() => {
    const { stdout } = stage.runIn(cwd, ...stage.command, "show", "--json");
    id = text(record(list(record(parse(stdout)).checkpoints)[0]).id);
    return id !== "";
  });
  return new Checkpoint(stage, id, cwd);
}

/** A hundred tokens in and ten out for each answer of the model. */
const tokensOf = (calls: number) => ({
  input_tokens: 100 * calls,
  output_tokens: 10 * calls,
  api_call_count: calls,
});

describe.each(releases("claude-code"))("a session of %s", (_, release) => {
  const it = test.skipIf(whyNotRun(release));
  const agent = release.name;

  it("has what its background subagents write after its answer, and no prompt that nobody typed", async () => {
    const stage = await stageFor(release, ...HERE);
    const child = (name: string, seconds: number) => ({
      prompt: `${name}-PART`,
      turns: [
        {
          toolCalls: [
            { do: "shell" as const, command: `sleep ${seconds}; echo ${name} > ${name}-sh.txt` },
          ],
        },
        { toolCalls: [{ do: "write" as const, path: `${name}.txt`, content: `${name}\n` }] },
        { text: `The ${name} part is done.` },
      ],
    });
    const run = await stage.launch({
      agent,
      prompt: "please go",
      script: {
        turns: [
          { toolCalls: [{ do: "background", prompt: "quick-PART of it" }] },
          { toolCalls: [{ do: "background", prompt: "slow-PART of it" }] },
          { text: "Both are at work." },
          { text: "One is done." },
          { toolCalls: [{ do: "write", path: "after.txt", content: "after\n" }] },
          { text: "All are done." },
        ],
        subagents: [child("quick", 1), child("slow", 4)],
      },
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const files = ["after.txt", "quick-sh.txt", "quick.txt", "slow-sh.txt", "slow.txt"];
    await expect
      .poll(() => turns(stage).map(({ files }) => files), { timeout: 10_000 })
      .toEqual([files]);
    expect(turns(stage).map(({ prompt }) => prompt)).toEqual(["please go"]);
    stage.git("add", "-A", ".", ":!.claude");
    stage.git("commit", "-m", "By a person");
    const checkpoint = await recorded(stage);
    expect(checkpoint.session).toMatchObject({
      session_id: run.sessionId,
      files_touched: files,
      token_usage: { ...tokensOf(6), subagent_tokens: tokensOf(6) },
    });
    expect(checkpoint.read("0/prompt.txt")).toBe("please go");
  });

  it("counts the last answer, however short", async () => {
    const stage = await stageFor(release, ...HERE);
    const run = await stage.launch({
      agent,
      prompt: "look at the tokens, ok?",
      script: [
        { text: "ok", toolCalls: [{ do: "write", path: "ok.txt", content: "ok\n" }] },
        { text: "ok", toolCalls: [{ do: "shell", command: COMMIT }] },
        { text: "ok" },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const checkpoint = await recorded(stage);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session.token_usage).toMatchObject(tokensOf(3));
  });

  it("has what was there before its conversation was compacted, with tokens and skills", async () => {
    const stage = await stageFor(release, ...HERE);
    const skill = join(stage.cwd, release.skillFile("greet"));
    mkdirSync(dirname(skill), { recursive: true });
    writeFileSync(skill, "---\nname: greet\ndescription: For a test.\n---\nSay hello.\n");
    const greet = { toolCalls: [{ do: "skill" as const, name: "greet" }] };
    const script = [greet, ...work("first").slice(0, 1), { text: "The first answer." }];
    const first = await stage.launch({ agent, prompt: "the first prompt", script });
    expect(first, first.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const resume = first.sessionId ?? "";
    const compact = { turns: [], side: "A summary." };
    const summed = await stage.launch({ agent, resume, prompt: "/compact", script: compact });
    expect(summed, summed.stderr).toMatchObject({ code: 0 });
    const last = await stage.launch({
      agent,
      resume,
      prompt: "the last prompt",
      script: [greet, ...work("last")],
    });
    expect(last, last.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const checkpoint = await recorded(stage);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session).toMatchObject({
      session_id: resume,
      files_touched: ["first.txt", "last.txt"],
      token_usage: tokensOf(7),
      session_metrics: { turn_count: 2 },
    });
    expect(checkpoint.skillEvents.map(({ skill }) => record(skill).name)).toEqual([
      "greet",
      "greet",
    ]);
    const stored = checkpoint.transcript.join("\n");
    expect(stored).toMatch(/The first answer\.[\s\S]*compact_boundary[\s\S]*the last prompt/);
    expect(stage.seam("show")).toMatch(
      /› the first prompt[\s\S]*The first answer\.\n *— the conversation was compacted —\n *› the last prompt/,
    );
  });

  it("that was forgotten is recorded from there on when it goes on", async () => {
    const stage = await stageFor(release, ...HERE);
    const first = await stage.launch({ agent, prompt: "of old", script: work("old") });
    expect(await (await recorded(stage)).finalized()).toBe(true);
    const resume = first.sessionId ?? "";
    stage.seam("forget", resume, "--yes");
    const again = await stage.launch({ agent, resume, prompt: "anew", script: work("new") });
    expect(again, again.stderr).toMatchObject({ code: 0, sessionId: resume });
    const checkpoint = await recorded(stage);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session).toMatchObject({ session_id: resume, token_usage: tokensOf(3) });
    const stored = checkpoint.read("0/full.jsonl");
    expect(stored).toContain("anew");
    for (const words of ["of old", "old.txt"]) expect(stored).not.toContain(words);
  });

  it("is recorded where it is taken up again: in a clone, in a folder below, in a worktree", async () => {
    const stage = await stageFor(release, ...EVERYWHERE);
    const first = await stage.launch({ agent, prompt: "here", script: work("here") });
    expect(first, first.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const id = first.sessionId ?? "";
    const below = join(stage.cwd, "below");
    const clone = join(stage.root, "clone");
    const tree = join(stage.root, "tree");
    mkdirSync(below);
    stage.git("clone", "-q", stage.cwd, clone);
    stage.git("worktree", "add", "-q", "-b", "other", tree);
    for (const folder of [clone, tree]) {
      stage.runIn(folder, "git", "config", "user.name", "dev");
      stage.runIn(folder, "git", "config", "user.email", "dev@localhost");
    }
    for (const [name, folder] of Object.entries({ below, clone, tree })) {
      moveTo(first.transcriptPath ?? "", folder);
      const cwd = folder;
      const run = await stage.launch({
        agent,
        cwd,
        resume: id,
        prompt: `in ${name}`,
        script: work(name, folder),
      });
      expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0, sessionId: id });
      const checkpoint = await recorded(stage, folder);
      expect(await checkpoint.finalized()).toBe(true);
      expect(checkpoint.session).toMatchObject({ session_id: id, token_usage: tokensOf(3) });
      expect(checkpoint.read("0/prompt.txt")).toBe(`in ${name}`);
    }
    expect(
      turns(stage)
        .map(({ prompt }) => prompt)
        .sort(),
    ).toEqual(["here", "in below", "in tree"]);
    expect(turns(stage, clone).map(({ prompt }) => prompt)).toEqual(["in clone"]);
  });
});

const THREE = ["claude-code", "opencode", "pi"] as const;

interface TakenUp {
  /** Where Seam is switched on for the agent. */
  readonly enable: readonly string[];
  /** Where it works when it is started in a clone: there, or where the session is at home. */
  readonly works: "clone" | "home";
  /** Pi wants to fork a session that it is given by its id; one that is given as a file goes on. */
  readonly byFile?: true;
  /** `opencode run` never ends if the session it goes on with is at home elsewhere. */
  readonly hangs?: true;
}

const TAKEN_UP: Partial<Record<AgentName, TakenUp>> = {
  codex: { enable: [...EVERYWHERE, "--yes"], works: "clone" },
  "copilot-cli": { enable: HERE, works: "home" },
  "factoryai-droid": { enable: EVERYWHERE, works: "home" },
  opencode: { enable: EVERYWHERE, works: "home", hangs: true },
  pi: { enable: EVERYWHERE, works: "home", byFile: true },
};

describe.each(
  sampled(Object.entries(TAKEN_UP) as [AgentName, TakenUp][], "codex", "copilot-cli").flatMap(
    ([name, its]) => releases(name).map(([label, release]) => [label, release, its] as const),
  ),
)("a session of %s that is taken up in another clone", (_, release, { enable, works, ...its }) => {
  test.skipIf(whyNotRun(release))("is recorded where it works, and only there", async () => {
    const agent = release.name;
    const stage = await stageFor(release, ...enable);
    const first = await stage.launch({ agent, prompt: "at home", script: inSteps("home") });
    expect(first, first.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    expect(await (await recorded(stage)).finalized()).toBe(true);
    const clone = join(stage.root, "clone");
    stage.git("clone", "-q", stage.cwd, clone);
    for (const [key, value] of Object.entries({ name: "dev", email: "dev@localhost" })) {
      stage.runIn(clone, "git", "config", `user.${key}`, value);
    }
    if (enable === HERE) stage.runIn(clone, ...stage.command, "enable", "--agent", agent, ...HERE);
    const { sessionId: id = "", transcriptPath = "" } = first;
    const own = join(stage.home, "own-pid");
    const running = stage.launch({
      agent,
      cwd: clone,
      resume: its.byFile ? transcriptPath : id,
      prompt: "in the clone",
      script: [
        { toolCalls: [{ do: "shell", command: `echo $PPID > ${own}` }] },
        ...inSteps("there"),
      ],
    });
    const folders = { clone, home: stage.cwd };
    const committed = () =>
      Object.entries(folders).flatMap(([name, folder]) => {
        const { stdout } = stage.runIn(folder, "git", "log", "-1", "--format=%s");
        return stdout.trim() === "there" ? [name] : [];
      });
    await until(() => committed().length > 0, 150_000);
    expect(committed()).toEqual([works]);
    const checkpoint = await recorded(stage, folders[works]);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session).toMatchObject({
      session_id: id,
      files_touched: ["there.txt"],
      token_usage: { api_call_count: 5 },
    });
    if (its.hangs) process.kill(Number(readFileSync(own, "utf8")), "SIGKILL");
    const run = await running;
    const { unplayed, overrun } = run;
    expect([unplayed, overrun, its.hangs ? 0 : run.code], run.stderr).toEqual([0, 0, 0]);
    expect(checkpoint.read("0/prompt.txt")).toContain("in the clone");
    const asHome = { session_id: id, files: ["home.txt"] };
    const asThere = { session_id: id, files: ["there.txt"] };
    expect(turns(stage, clone)).toMatchObject(works === "clone" ? [asThere] : []);
    expect(turns(stage)).toMatchObject(works === "clone" ? [asHome] : [asThere, asHome]);
  });
});

describe.each(sampled(THREE, "claude-code", "pi").flatMap(releases))(
  "two commits in one turn of %s",
  (_, release) => {
    test.skipIf(whyNotRun(release))(
      "have the prompt and their own calls each, and the last alone has the answer",
      async () => {
        const stage = await stageFor(release, ...EVERYWHERE);
        const run = await stage.launch({
          agent: release.name,
          prompt: "one commit each",
          script: [...work("one").slice(0, 2), ...work("two")],
        });
        expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
        expect(await (await recorded(stage)).finalized()).toBe(true);
        const shown = (rev: string) => stage.runIn(stage.cwd, ...stage.command, "show", rev).stdout;
        const [first, second] = [shown("HEAD~1"), shown("HEAD")];
        for (const text of [first, second]) {
          expect(text).toContain("one commit each");
          expect(text.match(/• bash git add/g), text).toHaveLength(1);
        }
        expect(first).toContain("write one.txt");
        expect(second).not.toContain("write one.txt");
        expect([first.includes("Done."), second.includes("Done.")]).toEqual([false, true]);
      },
    );
  },
);

const NEXT_DOOR = ["claude-code", "codex", "opencode"] as const;

describe.each(sampled(NEXT_DOOR, "claude-code", "codex").flatMap(releases))(
  "%s at work in the repository next door",
  (_, release) => {
    const it = test.skipIf(whyNotRun(release));
    const agent = release.name;

    it("has its commit there linked to its session, and its tokens where it was asked", async () => {
      const stage = await stageFor(release, "--level", "user", "--record", "--yes");
      const there = join(stage.root, "next-door");
      stage.git("init", "-q", "-b", "main", there);
      for (const [key, value] of Object.entries({ name: "dev", email: "dev@localhost" })) {
        stage.runIn(there, "git", "config", `user.${key}`, value);
      }
      const commit = `cd ${there} && echo there > there.txt && git add -A && git commit -qm There`;
      const run = await stage.launch({
        agent,
        prompt: "work next door too",
        script: [
          { toolCalls: [{ do: "write", path: "here.txt", content: "here\n" }] },
          { toolCalls: [{ do: "shell", command: commit }] },
          { toolCalls: [{ do: "shell", command: COMMIT }] },
          { text: "Done." },
        ],
      });
      expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      const other = await recorded(stage, there);
      expect(other.session).toMatchObject({
        session_id: run.sessionId,
        files_touched: ["there.txt"],
        works_in: "../app",
      });
      expect(other.session).not.toHaveProperty("token_usage");
      expect(other.read("0/prompt.txt")).toContain("work next door too");
      const shown = stage.runIn(there, ...stage.command, "show").stdout;
      expect(shown).toContain("prompted in ../app");
      expect(shown).toContain("counted in ../app");
      const own = await recorded(stage);
      expect(await own.finalized()).toBe(true);
      expect(own.session).toMatchObject({ files_touched: ["here.txt"], token_usage: tokensOf(4) });
    });
  },
);

const PAIR = ["claude-code", "opencode"] as const;

describe("two agents at once, each in a work tree of its own", () => {
  const missing = PAIR.map((name) => whyNotRun(AGENTS[name])).find((why) => why !== undefined);

  test.skipIf(missing)("have their own turns, commits and previews of a rewind", async () => {
    const stage = new Stage();
    onTestFinished(() => stage.remove());
    const tree = join(stage.root, "tree");
    stage.git("worktree", "add", "-q", "-b", "side", tree);
    for (const agent of PAIR) {
      await stage.prepare(agent);
      stage.seam("enable", "--agent", agent, ...EVERYWHERE);
    }
    const folders = { "claude-code": stage.cwd, opencode: tree } as const;
    // Neither goes on before the other one is at work too.
    const meet = (agent: AgentName) => {
      const [here, there] = [agent, ...PAIR.filter((one) => one !== agent)].map((name) =>
        join(stage.home, `${name}-is-here`),
      );
      return `touch ${here}; until [ -e ${there} ]; do sleep 0.1; done; echo ${agent} > made.txt`;
    };
    const runs = await Promise.all(
      PAIR.map((agent) =>
        stage.launch({
          agent,
          cwd: folders[agent],
          prompt: `work of ${agent}`,
          script: [
            { toolCalls: [{ do: "shell", command: meet(agent) }] },
            ...work(agent, folders[agent]),
          ],
        }),
      ),
    );
    for (const [index, agent] of PAIR.entries()) {
      const run = runs[index];
      const folder = folders[agent];
      expect(run, run?.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      const checkpoint = await recorded(stage, folder);
      expect(await checkpoint.finalized()).toBe(true);
      const files = [`${agent}.txt`, "made.txt"].sort();
      expect(checkpoint.session).toMatchObject({
        session_id: run?.sessionId,
        branch: agent === "opencode" ? "side" : "main",
        files_touched: files,
        token_usage: tokensOf(4),
      });
      expect(list(record(parse(checkpoint.read("metadata.json"))).sessions)).toHaveLength(1);
      const all = turns(stage, folder);
      expect(all).toHaveLength(2);
      const turn = all.find(({ session_id }) => session_id === run?.sessionId);
      expect(turn).toMatchObject({ files });
      expect(turn).not.toHaveProperty("others");
      const rewind = [...stage.command, "rewind", text(turn?.id), "--dry-run"] as const;
      const preview = stage.runIn(folder, ...rewind);
      expect(preview.stdout.match(/(?<=deleted +)\S+/g)).toEqual(files);
      expect(preview.stdout).not.toContain("This also undoes");
    }
  });
});

/** One file and its commit: three calls of the model. */
function work(name: string, folder = ".") {
  return [
    {
      toolCalls: [
        { do: "write" as const, path: join(folder, `${name}.txt`), content: `${name}\n` },
      ],
    },
    { toolCalls: [{ do: "shell" as const, command: COMMIT }] },
    { text: "Done." },
  ];
}

/** One file and its commit in the folder that the agent is in; Droid stages before it commits. */
function inSteps(name: string) {
  const shell = (command: string) => ({ toolCalls: [{ do: "shell" as const, command }] });
  const lines = [`echo ${name} > ${name}.txt`, `git add ${name}.txt`, `git commit -m '${name}'`];
  return [...lines.map(shell), { text: "Done." }];
}

/** Claude Code looks for sessions in a folder named after the project. */
function moveTo(transcript: string, folder: string): void {
  const there = join(dirname(dirname(transcript)), folder.replace(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(there, { recursive: true });
  cpSync(transcript, join(there, basename(transcript)));
}

interface Forking {
  readonly agent: AgentName;
  /** What makes a run a fork of this session. */
  readonly fork: (session: string) => {
    readonly resume?: string;
    readonly extraArgs: readonly string[];
  };
}

const FORKING: readonly Forking[] = [
  { agent: "claude-code", fork: (resume) => ({ resume, extraArgs: ["--fork-session"] }) },
  { agent: "pi", fork: (session) => ({ extraArgs: ["--fork", session] }) },
  { agent: "opencode", fork: (resume) => ({ resume, extraArgs: ["--fork"] }) },
];

describe.each(
  FORKING.filter(({ agent }) => isFull || agent === "claude-code").flatMap(({ agent, fork }) =>
    releases(agent).map(([label, release]) => [label, release, fork] as const),
  ),
)("tokens of %s", (_, release, fork) => {
  const it = test.skipIf(whyNotRun(release));
  const agent = release.name;

  it("are of this session: not of the one it was forked from, nor from before Seam was enabled", async () => {
    const stage = await stageFor(release);
    const before = await stage.launch({ agent, prompt: "before Seam", script: work("before") });
    expect(before, before.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    stage.seam("enable", "--agent", agent);
    const unknown = before.sessionId ?? "";
    const ids = new Set([unknown]);
    const goesOn = async (name: string, how: ReturnType<Forking["fork"]>, origin?: string) => {
      const run = await stage.launch({
        agent,
        prompt: name,
        script: work(name.replaceAll(" ", "-")),
        ...how,
      });
      expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      const checkpoint = await recorded(stage);
      expect(await checkpoint.finalized()).toBe(true);
      const { sessionId = "" } = run;
      const token_usage = tokensOf(3);
      expect(checkpoint.session, name).toMatchObject({ session_id: sessionId, token_usage });
      expect(checkpoint.session.fork_of, name).toBe(origin);
      expect(checkpoint.read("0/prompt.txt")).toContain(name);
      ids.add(sessionId);
      return sessionId;
    };
    await goesOn("fork of one that Seam never saw", fork(unknown), unknown);
    const again = await goesOn("taken up", { resume: unknown, extraArgs: [] });
    const forked = await goesOn("fork", fork(again), again);
    await goesOn("fork of the fork", fork(forked), forked);
    expect(ids.size).toBe(4);
  });
});
