import { describe, expect, it } from "vitest";
import { declarationOf, EVENT_NAMES, EVENTS, isEventName, LIFECYCLE } from "./index.ts";

/** What the product promises: Pi's events, oh-my-pi's, the persist pair, and Seam's own. */
const REQUIRED = [
  "session_start",
  "session_before_switch",
  "session_switch",
  "session_before_fork",
  "session_before_branch",
  "session_branch",
  "session_before_compact",
  "session.compacting",
  "session_compact",
  "session_before_tree",
  "session_tree",
  "session_shutdown",
  "resources_discover",
  "input",
  "user_bash",
  "before_agent_start",
  "agent_start",
  "agent_end",
  "agent_settled",
  "turn_start",
  "turn_end",
  "subagent_start",
  "subagent_end",
  "context",
  "message_start",
  "message_update",
  "message_end",
  "before_provider_request",
  "after_provider_response",
  "model_select",
  "tool_call",
  "tool_admit",
  "tool_result",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "before_tool_call_persist",
  "after_tool_call_persist",
  "skill_invoked",
  "auto_compaction_start",
  "auto_compaction_end",
  "auto_retry_start",
  "auto_retry_end",
  "ttsr_triggered",
  "todo_reminder",
  "goal_updated",
  "crew_run_start",
  "crew_run_end",
  "crew_task_start",
  "crew_task_end",
  "crew_message",
  "crew_merge",
  "crew_budget",
];

/** Those that decide something; all others are observed. */
const KINDS: Record<string, string[]> = {
  gate: [
    "session_before_switch",
    "session_before_fork",
    "crew_run_start",
    "crew_task_start",
    "crew_message",
    "crew_merge",
    "session_before_branch",
    "session_before_tree",
    "session_before_compact",
    "tool_call",
    "tool_admit",
    "session_stop",
  ],
  transform: [
    "input",
    "context",
    "context_with_system",
    "before_provider_headers",
    "agent_before_settle",
    "tool_result",
    "before_agent_start",
    "before_provider_request",
    "message_end",
    "session.compacting",
    "turn_end",
  ],
  claim: ["project_trust", "user_bash"],
  collect: ["resources_discover"],
};

it.each(REQUIRED)("%s is an event", (name) => {
  expect(isEventName(name)).toBe(true);
});

it("other names, and names every object has, are not events", () => {
  for (const name of ["tool_cal", "", "constructor", "toString", "__proto__"]) {
    expect(isEventName(name)).toBe(false);
  }
});

it("each event has the kind the design gives it", () => {
  const declared = (kind: string) => EVENT_NAMES.filter((name) => EVENTS[name].kind === kind);
  for (const [kind, names] of Object.entries(KINDS)) {
    expect(declared(kind).sort(), kind).toEqual([...names].sort());
  }
  const decided = new Set(Object.values(KINDS).flat());
  expect(declared("observe").sort()).toEqual(EVENT_NAMES.filter((n) => !decided.has(n)).sort());
});

it("only gates over tool calls and merges close on failure, only tool_result can be withheld", () => {
  const ruled = (rule: string) => EVENT_NAMES.filter((name) => EVENTS[name].onFailure === rule);
  expect(ruled("block").sort()).toEqual(["crew_merge", "tool_admit", "tool_call"]);
  expect(ruled("withhold")).toEqual(["tool_result"]);
});

describe.each(EVENT_NAMES)("%s", (name) => {
  const declaration = declarationOf(name);

  it("is declared under its own name", () => {
    expect(declaration.name).toBe(name);
  });

  it("says in one line what it is", () => {
    expect(declaration.doc).toMatch(/^\S[^\n]{10,}[.!?]$/);
  });

  it("has a deadline", () => {
    expect(declaration.deadlineMs).toBeGreaterThan(0);
    expect(Number.isFinite(declaration.deadlineMs)).toBe(true);
  });

  it("has what its kind needs, and nothing of another kind", () => {
    const { kind, stops, apply, merge, result } = declaration;
    expect(typeof stops === "function").toBe(kind === "gate");
    expect(typeof apply === "function").toBe(kind === "transform");
    expect(result !== undefined).toBe(kind !== "observe");
    if (kind !== "gate") expect(merge).toBeUndefined();
  });
});

it("changes in place are allowed only to fields that are there", () => {
  const mutable = EVENT_NAMES.filter((name) => declarationOf(name).mutable !== undefined);
  expect(mutable).toContain("tool_call");
  for (const name of mutable) {
    const fields = Object.keys(EVENTS[name].payload.properties);
    expect(fields).toEqual(expect.arrayContaining([...(declarationOf(name).mutable ?? [])]));
  }
});

/** Of the other gates it is `cancel`. */
const STOPS_WITH: Readonly<Record<string, string>> = {
  tool_call: "block",
  tool_admit: "block",
  session_stop: "continue",
};

it("a gate stops at a block or a cancel and at nothing else", () => {
  for (const name of KINDS.gate ?? []) {
    if (!isEventName(name)) throw new Error(name);
    const { stops } = declarationOf(name);
    const key = STOPS_WITH[name] ?? (name.startsWith("crew_") ? "block" : "cancel");
    expect(stops?.({ [key]: true }), name).toBe(true);
    for (const value of [false, undefined, "true", 1]) {
      expect(stops?.({ [key]: value }), name).toBe(false);
    }
    expect(stops?.({}), name).toBe(false);
  }
});

it("every step of the recorders' lifecycle is an event", () => {
  for (const name of Object.values(LIFECYCLE)) expect(isEventName(name)).toBe(true);
  expect(Object.keys(LIFECYCLE)).toEqual([
    "SessionStart",
    "TurnStart",
    "TurnEnd",
    "Compaction",
    "SessionEnd",
    "SubagentStart",
    "SubagentEnd",
  ]);
});
