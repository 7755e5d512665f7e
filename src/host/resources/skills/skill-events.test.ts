import { expect, test } from "vitest";
import { mismatch, SkillEventSchema } from "../../../events/index.ts";
import { promptInvocation, toolInvocation } from "./skill-events.ts";

// The two examples of source 000, field by field and in order, with Seam as the agent.

test("a call of the skill tool", () => {
  const event = toolInvocation({
    skill: "trigger-analysis",
    toolUseId: "toolu_123",
    agent: "seam",
    turnId: "turn_abc123",
    timestamp: "2026-05-25T12:34:56Z",
    entryId: "assistant-msg-uuid",
    line: 132,
  });
  expect(JSON.stringify(event, null, 2)).toBe(`{
  "id": "seam-skill-toolu_123",
  "event_type": "tool_invocation",
  "skill": {
    "name": "trigger-analysis"
  },
  "source": {
    "agent": "seam",
    "signal": "skill_tool_use",
    "confidence": "explicit"
  },
  "turn_id": "turn_abc123",
  "timestamp": "2026-05-25T12:34:56Z",
  "transcript_anchor": {
    "unit": "line",
    "start": 132,
    "end": 133,
    "entry_ids": [
      "assistant-msg-uuid"
    ],
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
}`);
});

test("a skill called by the user", () => {
  const event = promptInvocation({
    skill: "trigger-analysis",
    command: "/skill:trigger-analysis",
    timestamp: "2026-05-25T12:34:56Z",
  });
  expect(JSON.stringify(event, null, 2)).toBe(`{
  "id": "seam-skill-trigger-analysis-2026-05-25T12:34:56Z-0",
  "event_type": "prompt_invocation",
  "skill": {
    "name": "trigger-analysis"
  },
  "source": {
    "agent": "seam",
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
}`);
});

test("what is not known is left out, and both fit the schema", () => {
  const tool = toolInvocation({ skill: "s", toolUseId: "t", entryId: "e" });
  expect(Object.keys(tool)).toEqual(["id", "event_type", "skill", "source", "native", "collapse"]);
  const prompt = promptInvocation({
    skill: "s",
    command: "/skill:s",
    timestamp: "2026-05-25T12:34:56Z",
    line: 1,
    entryId: "e",
    n: 2,
  });
  expect(prompt.id).toMatch(/-2$/);
  expect(prompt.transcript_anchor).toEqual({ unit: "line", start: 1, end: 2, entry_ids: ["e"] });
  for (const event of [tool, prompt]) expect(mismatch(SkillEventSchema, event)).toBeUndefined();
});
