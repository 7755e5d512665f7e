import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS, newestOf } from "../drive/agents/index.ts";
import { labelOf, whyNotRun } from "../drive/installed.ts";
import type { Launched } from "../drive/launch.ts";
import { list, parse, record } from "../model-server/json.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Checkpoint } from "./test-kit/checkpoint.ts";
import { Stage } from "./test-kit/stage.ts";

const COMMIT = "git add ok.txt && git commit -m 'Work of an agent'";
const TIMEOUT_MS = 200_000;

/** A project with skills that are committed, and Seam in it. */
async function project(stage: Stage, agent: AgentName, ...skills: readonly string[]) {
  for (const name of skills) {
    const file = join(stage.cwd, AGENTS[agent].skillFile(name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `---\nname: ${name}\ndescription: For a test.\n---\nSay ${name}.\n`);
  }
  stage.git("add", "-A");
  stage.git("commit", "-m", "Skills");
  await stage.prepare(agent);
  stage.seam("enable", "--agent", agent);
}

const noTokens = { cache_creation_tokens: 0, cache_read_tokens: 0 };

const releases = (name: AgentName) =>
  newestOf(name).map((release) => [labelOf(release), release] as const);

describe.each(releases("claude-code"))("the record of %s", (_, release) => {
  const it = test.skipIf(whyNotRun(release));
  let stage: Stage;
  let run: Launched;
  let checkpoint: Checkpoint;
  let turn: string;
  const file = (name: string) => join(stage.cwd, name);

  beforeAll(async () => {
    stage = new Stage(release);
    await project(stage, "claude-code", "greet", "review");
    run = await stage.launch({
      agent: "claude-code",
      prompt: "please go",
      script: {
        turns: [
          { toolCalls: [{ do: "skill", name: "greet" }] },
          { toolCalls: [{ do: "subagent", prompt: "SMALL-PART of it" }] },
          { toolCalls: [{ do: "write", path: "ok.txt", content: "fine\n" }] },
          { toolCalls: [{ do: "shell", command: COMMIT }] },
          { toolCalls: [{ do: "skill", name: "review" }] },
          { toolCalls: [{ do: "write", path: "later.txt", content: "later\n" }] },
          { text: "Done." },
        ],
        subagents: [
          {
            prompt: "SMALL-PART",
            turns: [
              { toolCalls: [{ do: "write", path: "child.txt", content: "child\n" }] },
              { text: "The part is done." },
            ],
          },
        ],
      },
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    checkpoint = new Checkpoint(stage);
    expect(await checkpoint.finalized()).toBe(true);
  }, TIMEOUT_MS);
  afterAll(() => stage.remove(), TIMEOUT_MS);

  it("has the session behind a commit in the middle of a turn", async () => {
    expect(checkpoint.session).toEqual({
      cli_version: expect.any(String),
      checkpoint_id: checkpoint.id,
      session_id: run.sessionId,
      strategy: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      finalized_at: expect.stringMatching(/^\d{4}-.*Z$/),
      branch: "main",
      commit_sha: stage.git("rev-parse", "HEAD"),
      checkpoints_count: 1,
      files_touched: ["ok.txt"],
      agent: "Claude Code",
      model: expect.stringContaining("claude-"),
      turn_id: expect.any(String),
      turn_ids: [checkpoint.session.turn_id],
      checkpoint_transcript_start: 0,
      // Ten tokens out and a hundred in for each answer of the model.
      token_usage: {
        ...noTokens,
        input_tokens: 700,
        output_tokens: 70,
        api_call_count: 7,
        subagent_tokens: { ...noTokens, input_tokens: 200, output_tokens: 20, api_call_count: 2 },
      },
      session_metrics: { turn_count: 1, duration_ms: expect.any(Number) },
      skill_events_version: 1,
      skill_events: expect.any(Array),
    });
    expect(checkpoint.read("metadata.json")).not.toContain("skill_events");
    expect(checkpoint.read("0/prompt.txt")).toBe("please go");
    // Git takes for missing what is written while it looks: the end of the session may be.
    await expect.poll(() => stage.git("fsck", "--strict")).toBe("");
  });

  it("prints no hook of Seam's when its user types /compact", async () => {
    const compacted = await stage.launch({
      agent: "claude-code",
      prompt: "/compact",
      resume: run.sessionId ?? "",
      script: { turns: [], side: "A summary." },
    });
    expect(compacted, compacted.stderr).toMatchObject({ code: 0, unplayed: 0 });
    const transcript = readFileSync(compacted.transcriptPath ?? "", "utf8");
    expect(transcript).toContain("compact_boundary");
    expect(compacted.stdout + transcript).not.toMatch(/P(re|ost)Compact \[/);
  });

  it("has both skills in it: the one before the commit and the one after", () => {
    const ids = modelSaw(run.requests).toolResults.map(({ callId }) => callId);
    const event = (name: string, id = "") => ({
      id: `claude-skill-${id}`,
      event_type: "tool_invocation",
      skill: { name },
      source: { agent: "claude-code", signal: "skill_tool_use", confidence: "explicit" },
      turn_id: checkpoint.session.turn_id,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      transcript_anchor: {
        unit: "line",
        start: expect.any(Number),
        end: expect.any(Number),
        entry_ids: [expect.any(String)],
        tool_use_id: id,
      },
      native: { tool_name: "Skill", tool_use_id: id },
      collapse: { target: "tool_pair", label: `Skill: ${name}`, default_collapsed: true },
    });
    expect(checkpoint.skillEvents).toEqual([event("greet", ids[0]), event("review", ids[4])]);
    for (const { transcript_anchor, native } of checkpoint.skillEvents) {
      // From the call to its result.
      const { start, end, entry_ids } = record(transcript_anchor);
      const [call, result] = [start, end].map((at) => checkpoint.transcript[Number(at)] ?? "");
      const id = record(native).tool_use_id;
      expect([record(parse(call ?? "")).uuid]).toEqual(entry_ids);
      expect(call).toContain(`"id":"${id}"`);
      expect(result).toContain(`"tool_use_id":"${id}"`);
    }
  });

  it("has the transcript as Claude Code wrote it", () => {
    const written = readFileSync(run.transcriptPath ?? "", "utf8");
    expect(`${checkpoint.transcript.join("\n")}\n`).toBe(
      written.slice(0, checkpoint.transcript.join("\n").length + 1),
    );
  });

  it("is shown by seam show and seam log", () => {
    const shown = stage.seam("show", "HEAD");
    for (const words of ["please go", "Skill: greet", "Skill: review", "ok.txt", "700 in"]) {
      expect(shown).toContain(words);
    }
    const logged = list(parse(stage.seam("log", "--json"))).map(record);
    expect(logged.map(({ type }) => type).sort()).toEqual(["checkpoint", "turn"]);
    const known = logged.find(({ type }) => type === "turn");
    expect(known).toMatchObject({
      session_id: run.sessionId,
      prompt: "please go",
      files: ["child.txt", "later.txt", "ok.txt"],
    });
    turn = String(known?.id);
  });

  it("brings the files back to the start of the turn, and forward again", () => {
    const names = ["ok.txt", "child.txt", "later.txt"];
    const head = stage.git("rev-parse", "HEAD");
    stage.seam("rewind", turn, "--yes");
    expect(names.filter((name) => existsSync(file(name)))).toEqual([]);
    stage.seam("rewind", "--undo", "--yes");
    expect(names.map((name) => readFileSync(file(name), "utf8"))).toEqual([
      "fine\n",
      "child\n",
      "later\n",
    ]);
    expect(stage.git("rev-parse", "HEAD")).toBe(head);
  });

  it("gives a lost session back to Claude Code, which goes on with it", async () => {
    rmSync(join(stage.home, ".claude/projects"), { recursive: true });
    const { command } = record(parse(stage.seam("resume", "main", "--json")));
    expect(command).toEqual(["claude", "--resume", run.sessionId]);
    const again = await stage.launch({
      agent: "claude-code",
      resume: run.sessionId ?? "",
      prompt: "what did you do?",
      script: [{ text: "I said hello." }],
    });
    expect(again, again.stderr).toMatchObject({
      code: 0,
      unplayed: 0,
      sessionId: run.sessionId,
    });
    const { everything } = modelSaw(again.requests);
    for (const words of ["please go", "Say greet.", "what did you do?"]) {
      expect(everything).toContain(words);
    }
  });
});

describe.each(releases("pi"))("the record of %s", (_, release) => {
  const it = test.skipIf(whyNotRun(release));
  let stage: Stage;
  beforeAll(() => {
    stage = new Stage(release);
  });
  afterAll(() => stage.remove(), TIMEOUT_MS);

  it("has the skill that the user typed", async () => {
    await project(stage, "pi", "greet");
    const run = await stage.launch({
      agent: "pi",
      prompt: "/skill:greet Bob",
      script: [
        { toolCalls: [{ do: "write", path: "ok.txt", content: "fine\n" }] },
        { toolCalls: [{ do: "shell", command: COMMIT }] },
        { text: "Done." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const checkpoint = new Checkpoint(stage);
    expect(await checkpoint.finalized()).toBe(true);
    const { session } = checkpoint;
    expect(session).toMatchObject({
      agent: "Pi",
      session_id: run.sessionId,
      files_touched: ["ok.txt"],
      skill_events_version: 1,
      token_usage: { input_tokens: 300, output_tokens: 30, api_call_count: 3 },
    });
    const line = checkpoint.transcript.findIndex((text) => text.includes("Say greet."));
    expect(session.skill_events).toEqual([
      {
        id: expect.stringMatching(/^pi-skill-greet-\d{4}-.*Z-\d+$/),
        event_type: "prompt_invocation",
        skill: { name: "greet" },
        source: { agent: "pi", signal: "input_slash_command", confidence: "explicit" },
        turn_id: session.turn_id,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        transcript_anchor: {
          unit: "line",
          start: line,
          end: line,
          entry_ids: [record(parse(checkpoint.transcript[line] ?? "")).id],
        },
        native: { command: "/skill:greet" },
        collapse: { target: "user_message", label: "/skill:greet", default_collapsed: true },
      },
    ]);
  });
});
