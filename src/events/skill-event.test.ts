import { expect, it } from "vitest";
import { mismatch, payloadMismatch, SKILL_EVENTS_VERSION, SkillEventSchema } from "./index.ts";

/** The two examples of the document that defines the format. */
const CLAUDE = `{
  "id": "claude-skill-toolu_123",
  "event_type": "tool_invocation",
  "skill": { "name": "trigger-analysis" },
  "source": {
    "agent": "claude-code",
    "signal": "skill_tool_use",
    "confidence": "explicit"
  },
  "transcript_anchor": {
    "unit": "line",
    "start": 132,
    "end": 133,
    "entry_ids": ["a1"],
    "tool_use_id": "toolu_123"
  },
  "native": {
    "tool_name": "Skill",
    "tool_use_id": "toolu_123"
  },
  "collapse": {
    "target": "tool_pair",
    "label": "Skill: trigger-analysis",
    "default_collapsed": true
  }
}`;
const PI = `{
  "id": "pi-skill-trigger-analysis-2026-05-25T12:34:56Z-0",
  "event_type": "prompt_invocation",
  "skill": { "name": "trigger-analysis" },
  "source": {
    "agent": "pi",
    "signal": "input_slash_command",
    "confidence": "explicit"
  },
  "timestamp": "2026-05-25T12:34:56Z",
  "native": {
    "command": "/skill:trigger-analysis"
  },
  "collapse": {
    "target": "user_message",
    "label": "/skill:trigger-analysis",
    "default_collapsed": true
  }
}`;
const EXAMPLES = [
  ["Claude Code", CLAUDE],
  ["Pi", PI],
] as const;

it("the version is the one of the document", () => {
  expect(SKILL_EVENTS_VERSION).toBe(1);
});

it.each(EXAMPLES)("the example of %s is valid and survives a round trip", (_, text) => {
  const event: unknown = JSON.parse(text);
  expect(mismatch(SkillEventSchema, event)).toBeUndefined();
  const back: unknown = JSON.parse(JSON.stringify(event));
  expect(back).toEqual(event);
  expect(mismatch(SkillEventSchema, back)).toBeUndefined();
});

it.each(EXAMPLES)("the example of %s can be told as skill_invoked", (_, text) => {
  const event = { type: "skill_invoked", skillEvent: JSON.parse(text) };
  expect(payloadMismatch("skill_invoked", event)).toBeUndefined();
});

it("turn id and unknown fields are kept", () => {
  const event = { ...JSON.parse(CLAUDE), turn_id: "turn_abc123", future: { any: "thing" } };
  expect(mismatch(SkillEventSchema, event)).toBeUndefined();
});

it("only what was seen for certain is needed", () => {
  const { event_type, skill, source } = JSON.parse(PI);
  expect(mismatch(SkillEventSchema, { event_type, skill, source })).toBeUndefined();
});

it.each([
  [
    "another confidence",
    { source: { ...JSON.parse(PI).source, confidence: "guessed" } },
    /confidence/,
  ],
  ["another signal", { source: { ...JSON.parse(PI).source, signal: "read_file" } }, /signal/],
  ["no name", { skill: {} }, /name/],
  ["an empty name", { skill: { name: "" } }, /skill.name/],
  ["another event type", { event_type: "heuristic" }, /event_type/],
  ["no source", { source: undefined }, /source/],
  [
    "a place that is not a number",
    { transcript_anchor: { unit: "line", start: "1", end: 2 } },
    /start/,
  ],
  [
    "another collapse target",
    { collapse: { target: "all", label: "x", default_collapsed: true } },
    /target/,
  ],
])("%s is refused", (_, change, where) => {
  expect(mismatch(SkillEventSchema, { ...JSON.parse(PI), ...change })).toMatch(where);
});
