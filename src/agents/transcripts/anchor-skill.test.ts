import { expect, it } from "vitest";
import type { SkillEvent } from "../../events/index.ts";
import { transcript as pi } from "../pi/transcript.ts";
import { transcript as seam } from "../seam/transcript.ts";
import { anchorSkill } from "./anchor-skill.ts";
import { scanTranscript } from "./scan.ts";
import { fixture, jsonLines, tempFile } from "./test-kit.ts";

const told: SkillEvent = {
  id: "pi-skill-greet-2026-11-15T18:02:28.891Z-0",
  event_type: "prompt_invocation",
  skill: { name: "greet" },
  source: { agent: "pi", signal: "input_slash_command", confidence: "explicit" },
  timestamp: "2026-11-15T18:02:28.891Z",
  native: { command: "/skill:greet" },
};

async function prompts() {
  const { facts } = await scanTranscript(pi, fixture("pi", "skill-command.jsonl"));
  return facts.prompts;
}

it("a skill a hook told finds its prompt in the transcript", async () => {
  expect(anchorSkill(told, await prompts()).transcript_anchor).toEqual({
    unit: "line",
    start: 3,
    end: 3,
    entry_ids: ["58389cca"],
  });
});

it.each([
  ["an older prompt", { timestamp: "2026-11-15T19:00:00Z" }],
  ["another skill", { native: { command: "/skill:gree" } }],
  ["no command", { native: {} }],
])("is left alone for %s", async (_, change) => {
  const event = { ...told, ...change };
  expect(anchorSkill(event, await prompts())).toEqual(event);
});

it("keeps a place it has", async () => {
  const event = { ...told, transcript_anchor: { unit: "line", start: 9, end: 9 } };
  expect(anchorSkill(event, await prompts())).toBe(event);
});

it("a skill of the embedded agent finds its prompt, or its call and result", async () => {
  const timestamp = "2026-11-15T18:02:28.900Z";
  const text = '<skill name="greet" folder="/home/dev">\nSay hello.\n</skill>\n\nBob';
  const call = { type: "toolCall", id: "call_1", name: "Skill", arguments: { skill: "greet" } };
  const result = { role: "toolResult", toolCallId: "call_1", toolName: "Skill", content: [] };
  const lines = jsonLines(
    { type: "session", version: 3, id: "s", timestamp },
    { type: "message", id: "u1", timestamp, message: { role: "user", content: text } },
    { type: "message", id: "a1", timestamp, message: { role: "assistant", content: [call] } },
    { type: "message", id: "r1", timestamp, message: result },
  );
  const { facts } = await scanTranscript(seam, tempFile(lines));
  expect(facts.prompts).toMatchObject([{ text: "/skill:greet Bob" }]);
  expect(anchorSkill(told, facts.prompts).transcript_anchor).toMatchObject({ start: 1, end: 1 });
  expect(facts.skills).toMatchObject([
    { id: "seam-skill-call_1", transcript_anchor: { start: 2, end: 3, entry_ids: ["a1"] } },
  ]);
});
