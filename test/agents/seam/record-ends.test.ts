import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sampled } from "../../setup/sample.ts";
import { AGENT_NAMES, type Agent, type AgentName } from "../drive/agent.ts";
import { newestOf } from "../drive/agents/index.ts";
import { labelOf, whyNotRun } from "../drive/installed.ts";
import { list, parse, record, text } from "../model-server/json.ts";
import { Checkpoint } from "./test-kit/checkpoint.ts";
import { Stage } from "./test-kit/stage.ts";

/** Agents whose hooks at the level of the user need more than a yes to Seam. */
const IN_PROJECT: ReadonlySet<AgentName> = new Set(["copilot-cli", "gemini"]);

async function prepared(release: Agent): Promise<Stage> {
  const stage = new Stage(release);
  onTestFinished(() => stage.remove());
  await stage.prepare(release.name);
  const level = IN_PROJECT.has(release.name) ? ["project"] : ["user", "--record"];
  stage.seam("enable", "--agent", release.name, "--level", ...level, "--yes");
  return stage;
}

/** The checkpoint of HEAD; Gemini CLI switches git's hooks off, so that the commit has no trailer. */
async function recorded(stage: Stage): Promise<Checkpoint> {
  const id = () =>
    text(record(list(record(parse(stage.ask("show", "--json").stdout)).checkpoints)[0]).id);
  await expect.poll(id, POLL).not.toBe("");
  return new Checkpoint(stage, id());
}

/** Whether Seam knows of a command, and of the end of all that it knows of. */
function hasHeardAll({ cwd }: Stage, agent: AgentName): boolean {
  const folder = join(cwd, ".git/seam/sessions", agent);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const runs = names
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => list(record(parse(readFileSync(join(folder, name), "utf8"))).runs));
  return runs.length > 0 && runs.map(record).every(({ until }) => until !== undefined);
}

/** How many calls of the model a killed agent has written down of one that was under way. */
const COUNTED: Partial<Record<AgentName, number>> = { "claude-code": 1, opencode: 0, pi: 1 };

const labelled = (names: readonly AgentName[]) =>
  names.flatMap((name) => newestOf(name)).map((release) => [labelOf(release), release] as const);

const RELEASES = labelled(sampled(["claude-code", "opencode", "pi"], "claude-code", "pi"));

/** For as long as it takes on a busy machine. */
const POLL = { timeout: 30_000, interval: 200 } as const;

describe.each(RELEASES)("the record of %s", (_, release) => {
  const it = test.skipIf(whyNotRun(release));
  const agent = release.name;

  it("has what a command made in a turn that was killed, when a person commits it", async () => {
    const stage = await prepared(release);
    const run = await stage.launch({
      agent,
      prompt: "please go",
      script: [
        {
          toolCalls: [
            // The agent has the time to write down what the model said.
            {
              do: "shell",
              command: "echo 'made by a command' > made.txt; sleep 1; kill -9 $PPID",
            },
          ],
        },
        { text: "Never said." },
      ],
    });
    expect(run.signal).toBe("SIGKILL");
    stage.git("add", "made.txt");
    stage.git("commit", "-m", "What it made");
    const checkpoint = new Checkpoint(stage);
    await expect.poll(() => stage.run("git", "show", "refs/seam/checkpoints/v1").code).toBe(0);
    expect(checkpoint.session).toMatchObject({
      session_id: expect.any(String),
      files_touched: ["made.txt"],
      token_usage: { api_call_count: COUNTED[agent] },
    });
    expect(checkpoint.read("0/prompt.txt")).toContain("please go");
    const turns = list(parse(stage.seam("log", "--json"))).map(record);
    expect(turns.find(({ type }) => type === "turn")).toMatchObject({
      files: ["made.txt"],
      cut_off: "agent",
    });
    for (const what of [["log"], ["show"]]) {
      expect(stage.seam(...what)).toContain("cut off: its agent ended");
    }
    const turn = turns.find(({ type }) => type === "turn");
    expect(stage.seam("show", text(turn?.id))).toContain("• bash echo 'made by a command'");
  });

  it("has both files of a commit that it amends with one more", async () => {
    const stage = await prepared(release);
    const run = await stage.launch({
      agent,
      prompt: "please go",
      script: [
        { toolCalls: [{ do: "write", path: "ok.txt", content: "fine\n" }] },
        { toolCalls: [{ do: "shell", command: "git add ok.txt && git commit -m 'One file'" }] },
        { toolCalls: [{ do: "shell", command: "echo 'one more' > more.txt && git add more.txt" }] },
        { toolCalls: [{ do: "shell", command: "git commit --amend --no-edit" }] },
        { text: "Done." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const checkpoint = new Checkpoint(stage);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session).toMatchObject({
      files_touched: ["more.txt", "ok.txt"],
      token_usage: { api_call_count: 5 },
    });
  });
});

const WHO = sampled(AGENT_NAMES, "claude-code", "codex", "gemini");

describe.each(labelled(WHO))("who changed a file, in the record of %s", (_, release) => {
  const it = test.skipIf(whyNotRun(release));
  const agent = release.name;

  it("leaves to a person what the person wrote and committed in the middle of its turn", async () => {
    const stage = await prepared(release);
    const byHand = (path: string) => {
      // Agents do not wait until Seam has heard that a command has ended, and clocks of file systems
      // run behind.
      for (let left = 300; left > 0 && !hasHeardAll(stage, agent); left--)
        stage.run("sleep", "0.1");
      stage.run("sleep", "0.1");
      writeFileSync(join(stage.cwd, path), "written by hand\n");
      // What changes just before a command begins may be the command's, as those clocks tell it.
      stage.run("sleep", "0.1");
    };
    const run = await stage.launch({
      agent,
      prompt: "please go",
      script: [
        { toolCalls: [{ do: "shell", command: "echo 'made by a command' > made.txt" }] },
        {
          meanwhile: () => {
            byHand("mine.txt");
            stage.git("add", "mine.txt");
            stage.git("commit", "-m", "By a person");
            byHand("late.txt");
          },
          toolCalls: [{ do: "shell", command: "git add -A" }],
        },
        // Droid wants to look at what is staged before it commits.
        { toolCalls: [{ do: "shell", command: "git commit -m 'All of it'" }] },
        { text: "Done." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const checkpoint = await recorded(stage);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session).toMatchObject({ files_touched: ["made.txt"] });
    expect(stage.git("log", "-1", "--format=%B", "HEAD~1")).toBe("By a person");
    const turn = list(parse(stage.seam("log", "--json")))
      .map(record)
      .find(({ type }) => type === "turn");
    expect(turn).toMatchObject({ files: ["made.txt"], unclaimed: ["late.txt", "mine.txt"] });
    const shown = stage.seam("show", String(turn?.id));
    expect(shown).toMatch(/Changed meanwhile, not known to be its work\s+late.txt\s+mine.txt/);
  });

  it("has what a command wrote that it left running at its end", async () => {
    const stage = await prepared(release);
    const gate = join(stage.home, "gate");
    const wait = `until [ -e ${gate} ]; do sleep 0.1; done`;
    const command = `setsid sh -c "${wait}; echo 'late' > late.txt" > /dev/null 2>&1 &`;
    const run = await stage.launch({
      agent,
      prompt: "please go",
      script: [{ toolCalls: [{ do: "shell", command }] }, { text: "Done." }],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const turn = () =>
      list(parse(stage.seam("log", "--json")))
        .map(record)
        .find(({ type }) => type === "turn");
    await expect.poll(turn, POLL).toMatchObject({ files: [], left_running: true });
    writeFileSync(gate, "");
    await expect.poll(() => existsSync(join(stage.cwd, "late.txt")), POLL).toBe(true);
    stage.git("add", "-A");
    stage.git("commit", "-m", "What came late");
    const checkpoint = new Checkpoint(stage);
    await expect
      .poll(() => stage.run("git", "show", "refs/seam/checkpoints/v1").code, POLL)
      .toBe(0);
    expect(checkpoint.session).toMatchObject({ files_touched: ["late.txt"] });
    expect(checkpoint.read("0/prompt.txt")).toContain("please go");
    expect(turn()).toMatchObject({ files: ["late.txt"] });
    expect(stage.seam("show", String(turn()?.id))).toContain("Left running at its end");
  });
});

/** Droid's sums cannot be told apart by turn. */
const COUNTS_CALLS = AGENT_NAMES.filter((name) => name !== "factoryai-droid");

describe.each(labelled(sampled(COUNTS_CALLS, "claude-code", "codex", "copilot-cli")))(
  "two turns of %s",
  (_, release) => {
    const agent = release.name;

    test.skipIf(whyNotRun(release))(
      "have what each used, though the daemon is killed in both",
      async () => {
        const stage = await prepared(release);
        let kills = 0;
        // None may be there: the next hook starts it.
        const kill = () => {
          const pid = stage.daemonPid;
          if (pid === undefined) return;
          process.kill(pid, "SIGKILL");
          kills++;
        };
        const first = await stage.launch({
          agent,
          prompt: "the first",
          script: [
            { toolCalls: [{ do: "write", path: "one.txt", content: "one\n" }] },
            { meanwhile: kill, text: "The first is done." },
          ],
        });
        expect(first, first.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
        const second = await stage.launch({
          agent,
          resume: first.sessionId ?? "",
          prompt: "the second",
          script: [
            { toolCalls: [{ do: "write", path: "two.txt", content: "two\n" }] },
            {
              meanwhile: kill,
              toolCalls: [{ do: "write", path: "three.txt", content: "three\n" }],
            },
            { text: "The second is done." },
          ],
        });
        expect(second, second.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
        expect(kills).toBeGreaterThan(0);
        const turns = () =>
          list(parse(stage.seam("log", "--turns", "--json")))
            .map(record)
            .map(({ prompt, files, story, end }) => ({
              prompt: text(prompt).replaceAll('"', ""),
              files,
              calls: record(record(story).token_usage).api_call_count,
              isOver: end !== undefined,
            }));
        await expect.poll(turns, POLL).toEqual([
          { prompt: "the second", files: ["three.txt", "two.txt"], calls: 3, isOver: true },
          { prompt: "the first", files: ["one.txt"], calls: 2, isOver: true },
        ]);
      },
    );
  },
);
