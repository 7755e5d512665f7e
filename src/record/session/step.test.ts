import { describe, expect, it, onTestFinished } from "vitest";
import { AGENTS, agentNamed, registerAgent } from "../../agents/index.ts";
import type { SkillEvent } from "../../events/index.ts";
import type { HookRecord } from "../recorder.ts";
import { newState, nothingPending } from "./new-state.ts";
import { mergeSkillEvents } from "./skill-events.ts";
import type { SessionState } from "./state.ts";
import { checkpointed, step, withSkills } from "./step.ts";

const AT = "2026-01-01T00:00:00.000Z";
const START = newState(
  { session_id: "s", agent: "claude-code", work_tree: "/w", worktree_id: "" },
  AT,
);
let seq = 0;
const hook = (events: HookRecord["events"], more: Partial<HookRecord> = {}): HookRecord => ({
  seq: seq++,
  id: `h${seq}`,
  at: AT,
  agent: "claude-code",
  hook: "Any",
  events,
  told: {},
  reading: { sessionId: "s" },
  ...more,
});
const play = (...records: HookRecord[]) =>
  records.reduce((state, record, i) => step(state, record, { turnId: `t${i}` }), START);
const prompt = (text: string) =>
  hook(["input", "agent_start"], { reading: { sessionId: "s", prompt: text } });
const tool = (name: string, more: Partial<HookRecord> = {}) =>
  hook(["tool_call", "tool_execution_start"], {
    reading: {
      sessionId: "s",
      tools: [{ name, nativeName: name, input: {}, nativeInput: {}, callId: "c1" }],
    },
    ...more,
  });

describe("a command of a turn", () => {
  it.each(["tool_call", "tool_execution_start", "tool_execution_end"] as const)(
    "is known to have run where an agent tells no more of it than %s",
    (event) => {
      const ran = (name: string, told = {}) =>
        play(prompt("x"), { ...tool(name, { told }), events: [event] }).turn_ran_shell;
      expect([ran("bash"), ran("write"), ran("read")]).toEqual([true, false, false]);
      expect(ran("bash", { block: { reason: "no" } })).toBe(false);
    },
  );
});

describe("a turn of an agent whose hooks tell of no tool calls", () => {
  const claude = agentNamed("claude-code");
  if (!claude?.hooks) throw new Error("Claude Code has hooks");
  const mapping = {
    Prompt: { events: ["agent_start" as const], powers: [] },
    Stop: { events: ["agent_end" as const], powers: [] },
  };
  const silent = { ...claude, name: "silent", type: "Silent", hooks: { ...claude.hooks, mapping } };

  it("may have changed any file from its start to its end", () => {
    onTestFinished(registerAgent(silent));
    const end = "2026-01-01T00:01:00.000Z";
    const at = (state: SessionState, record: HookRecord) => step(state, record, { turnId: "t" });
    const begun = at({ ...START, agent: "silent" }, prompt("go"));
    expect(begun).toMatchObject({ turn_ran_shell: true, runs: [{ from: AT }] });
    expect(at(begun, hook(["agent_end"], { at: end })).runs).toEqual([{ from: AT, until: end }]);
  });

  it("may do so again when it goes on after its end", () => {
    onTestFinished(registerAgent(silent));
    const [end, again] = ["2026-01-01T00:01:00.000Z", "2026-01-01T00:02:00.000Z"];
    const at = (state: SessionState, record: HookRecord) => step(state, record, { turnId: "t" });
    const begun = at({ ...START, agent: "silent" }, prompt("go"));
    const over = at(begun, hook(["agent_end"], { at: end }));
    const reading = { sessionId: "s", unasked: true as const };
    const goesOn = hook(["agent_start"], { at: again, reading });
    expect(at(over, goesOn).runs).toEqual([
      { from: AT, until: end },
      { from: again, call: "t" },
    ]);
    expect(at(begun, goesOn).runs).toEqual([{ from: AT, call: "t" }]);
  });

  it("is nothing that an agent which Seam ships with has", () => {
    const all = AGENTS.filter(({ hooks }) => hooks).map(({ name }) =>
      step({ ...START, agent: name }, prompt("go"), { turnId: "t" }),
    );
    expect(all.length).toBeGreaterThan(6);
    expect(all.map(({ turn_ran_shell }) => turn_ran_shell)).toEqual(all.map(() => false));
  });
});

describe("the phases of a session", () => {
  it.each([
    ["starts idle", [hook(["session_start"])], "idle"],
    ["works on a prompt", [prompt("go")], "active"],
    ["is idle when it stops", [prompt("go"), hook(["agent_end"])], "idle"],
    ["ends", [prompt("go"), hook(["session_shutdown"])], "ended"],
    [
      "is at work again after a prompt that was never answered",
      [prompt("a"), prompt("b")],
      "active",
    ],
    [
      "goes on after its end when it is resumed",
      [hook(["session_shutdown"]), prompt("on")],
      "active",
    ],
    [
      "is idle when it is opened again",
      [hook(["session_shutdown"]), hook(["session_start"])],
      "idle",
    ],
    ["stays ended at a late stop", [hook(["session_shutdown"]), hook(["agent_end"])], "ended"],
  ] as const)("%s", (_, records, phase) => {
    expect(play(...records).phase).toBe(phase);
  });

  it("forgets its end when it goes on", () => {
    const ended = play(hook(["session_shutdown"]));
    expect(ended).toMatchObject({ ended_at: AT, ended_by: "agent" });
    const on = step(ended, prompt("on"), { turnId: "t" });
    expect(on).not.toHaveProperty("ended_at");
    expect(on).not.toHaveProperty("ended_by");
  });
});

it("every prompt is a turn with an id of its own", () => {
  const state = play(prompt("one"), hook(["agent_end"]), prompt("two"));
  expect(state).toMatchObject({ turn_count: 2, turn_id: "t2" });
  expect(state.pending.turns).toEqual([
    { id: "t0", prompt: "one", transcript_start: 0 },
    { id: "t2", prompt: "two", transcript_start: 0 },
  ]);
});

it("a hook that comes a second time changes nothing", () => {
  const once = prompt("one");
  const state = play(once);
  expect(step(state, once, { turnId: "other" })).toBe(state);
});

it("a journal that begins anew, with low numbers, is listened to; what it tells again is not", () => {
  const later = "2026-01-01T00:00:05.000Z";
  const before = play({ ...prompt("one"), seq: 900, at: later });
  const first = { ...prompt("two"), seq: 1, at: "2026-01-01T00:00:09.000Z" };
  const state = step(before, first, { turnId: "new" });
  expect(state).toMatchObject({ turn_id: "new", seq: 1 });
  expect(step(state, first, { turnId: "other" })).toBe(state);
  // A hook that was left lying came with an older time: the one before it is known all the same.
  const second = step(state, { ...prompt("three"), seq: 2, at: later }, { turnId: "x" });
  expect(second).toMatchObject({ seq: 2, last_seen_at: first.at });
  expect(step(second, first, { turnId: "other" })).toBe(second);
});

describe("whether the work tree has to be looked at after a turn", () => {
  it.each([
    ["bash", true],
    ["mcp__db__query", true],
    ["subagent", true],
    ["write", false],
    ["edit", false],
    ["read", false],
  ])("after %s: %s", (name, expected) => {
    expect(play(prompt("go"), tool(name)).turn_ran_shell).toBe(expected);
  });

  it("not after a command that was stopped", () => {
    const go = prompt("go");
    const stopped = tool("bash", { told: { block: { reason: "no" } } });
    expect(play(go, stopped).turn_ran_shell).toBe(false);
  });

  it("not in the next turn because of the last", () => {
    expect(play(prompt("go"), tool("bash"), prompt("more")).turn_ran_shell).toBe(false);
  });
});

it("keeps which call was stopped, by whom and why", () => {
  const told = { block: { reason: "Not there.", by: "protected-paths" } };
  expect(play(prompt("go"), tool("write", { told })).pending.blocked_calls).toEqual([
    {
      tool: "write",
      tool_use_id: "c1",
      turn_id: "t0",
      at: AT,
      reason: "Not there.",
      by: "protected-paths",
    },
  ]);
});

it("keeps a call that the user was asked about as stopped, until it is seen to run", () => {
  const told = { ask: { reason: "Really?", by: "permission-gate" } };
  const asked = [prompt("go"), tool("bash", { told })];
  const [call] = play(...asked).pending.blocked_calls;
  expect(call).toMatchObject({ tool: "bash", reason: "Really?", asked: true });
  const ran = { ...tool("bash"), events: ["tool_execution_end" as const] };
  const { blocked_calls, allowed_calls } = play(...asked, ran).pending;
  expect(blocked_calls).toEqual([]);
  expect(allowed_calls).toMatchObject([{ who: "the agent's own dialog", by: "permission-gate" }]);
});

it("keeps who let a call run", () => {
  const told = { allowed: { who: "the page", by: "permission-gate" } };
  const { pending, turn_id } = play(prompt("go"), tool("bash", { told }));
  expect(pending.allowed_calls).toEqual([
    { tool: "bash", tool_use_id: "c1", turn_id, at: AT, who: "the page", by: "permission-gate" },
  ]);
});

const skill = (more: Partial<SkillEvent> = {}): SkillEvent => ({
  id: "claude-skill-toolu_1",
  event_type: "tool_invocation",
  skill: { name: "greet" },
  source: { agent: "claude-code", signal: "skill_tool_use", confidence: "explicit" },
  native: { tool_name: "Skill", tool_use_id: "toolu_1" },
  ...more,
});

it("a model is known by one name, also if hooks name its provider and the transcript does not", () => {
  const told = (state: SessionState, model: string) =>
    step(state, hook(["agent_start"], { reading: { sessionId: "s", model } }), { turnId: "t" })
      .model;
  const state = { ...play(), model: "mock-model" };
  expect(told(state, "mock/mock-model")).toBe("mock-model");
  expect(told(state, "mock/other-model")).toBe("mock/other-model");
});

describe("skill events", () => {
  it("get the turn and the time they were seen at", () => {
    const go = prompt("go");
    const seen = hook(["skill_invoked"], { reading: { sessionId: "s", skill: skill() } });
    expect(play(go, seen).pending.skill_events).toEqual([
      { ...skill(), turn_id: "t0", timestamp: AT },
    ]);
  });

  it("from a hook and from the transcript are one, with what each of them knew", () => {
    const anchor = { unit: "line", start: 3, end: 4, entry_ids: ["e"], tool_use_id: "toolu_1" };
    const { id: _, ...nameless } = skill({ transcript_anchor: anchor });
    for (const later of [skill({ transcript_anchor: anchor }), nameless]) {
      expect(mergeSkillEvents([skill({ turn_id: "t" })], [later])).toEqual([
        skill({ turn_id: "t", transcript_anchor: anchor }),
      ]);
    }
  });

  it("of two uses stay two", () => {
    const other = skill({ id: "claude-skill-toolu_2", native: { tool_use_id: "toolu_2" } });
    expect(mergeSkillEvents([skill()], [other, skill()])).toEqual([skill(), other]);
  });

  describe("of an agent whose hooks have no names for calls", () => {
    const { id: _, native: __, ...nameless } = skill({ native: { tool_name: "Skill" } });
    const told = () => hook(["skill_invoked"], { reading: { sessionId: "s", skill: nameless } });
    const inTranscript = (id: string, turn_id = "t0") =>
      skill({
        id,
        turn_id,
        native: { tool_use_id: id },
        transcript_anchor: { unit: "line", start: Number(id), end: Number(id), tool_use_id: id },
      });
    const ids = ({ pending }: SessionState) => pending.skill_events.map(({ id }) => id);

    it("are one with those of the transcript, as many as there were", () => {
      const once = play(prompt("go"), told());
      expect(ids(withSkills(once, [inTranscript("1")]))).toEqual(["1"]);
      const twice = withSkills(play(prompt("go"), told(), told()), [inTranscript("1")]);
      expect(ids(withSkills(twice, [inTranscript("1"), inTranscript("2")]))).toEqual(["1", "2"]);
    });

    it("are none of another turn or another skill", () => {
      const once = play(prompt("go"), told());
      expect(ids(withSkills(once, [inTranscript("1", "another")]))).toEqual([undefined, "1"]);
      const other = { ...inTranscript("1"), skill: { name: "other" } };
      expect(ids(withSkills(once, [other]))).toEqual([undefined, "1"]);
    });

    it("that come after the transcript told of them are known, also if a checkpoint has them", () => {
      const both = [inTranscript("1"), inTranscript("2")];
      const read = withSkills(play(prompt("go"), told()), both);
      const facts = { turnId: "t9" };
      expect(ids(step(read, told(), facts))).toEqual(["1", "2"]);
      expect(ids(step(step(read, told(), facts), told(), facts))).toEqual(["1", "2", undefined]);
      const stored = checkpointed(read, "id", {});
      expect(ids(step(stored, told(), facts))).toEqual([]);
      expect(ids(step(step(stored, told(), facts), told(), facts))).toEqual([undefined]);
    });
  });
});

describe("after a checkpoint", () => {
  const started = play(prompt("go"));
  const state: SessionState = {
    ...started,
    transcript_position: 9,
    pending: { ...started.pending, files: { a: { blob: "1", turn: "t0" } } },
  };
  const idle: SessionState = { ...state, phase: "idle" };
  const b = { b: { blob: "2", turn: "t0" } };

  it("only files it did not contain still wait, with the prompt they come from", () => {
    const turns = [{ id: "t0", prompt: "go", transcript_start: 0 }];
    expect(checkpointed(idle, "id", b).pending).toEqual({ ...nothingPending(), files: b, turns });
    expect(checkpointed(idle, "id", {}).pending).toEqual(nothingPending());
  });

  it("a turn under way goes on from where the transcript is", () => {
    const { pending } = checkpointed(state, "id", {});
    expect(pending.turns).toEqual([{ id: "t0", prompt: "go", transcript_start: 9 }]);
  });

  it("one made in the middle of a turn is remembered to be finalised", () => {
    expect(checkpointed(state, "id", {}).turn_checkpoint_ids).toEqual(["id"]);
    expect(checkpointed(idle, "id", {}).turn_checkpoint_ids).toEqual([]);
  });
});
