import { expect, it } from "vitest";
import type { StoryEntry } from "../../agents/index.ts";
import { storyLines } from "./story-lines.ts";

const shown = (entries: readonly StoryEntry[], expand = false) =>
  storyLines(
    entries.map((entry) => ({ entry })),
    { blocked: [], allowed: [], expand, root: undefined },
  );
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `Line ${index + 1}.`).join("\n");

it("an answer keeps its lines", () => {
  const text = "What I did:\n\n- one thing\n- another";
  expect(shown([{ kind: "answer", text }])).toEqual([
    "  What I did:",
    "  - one thing",
    "  - another",
  ]);
});

it("a long line is wrapped and not cut", () => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
  const lines = shown([{ kind: "answer", text: words }]);
  expect(lines.join(" ").split(/\s+/).filter(Boolean)).toEqual(words.split(" "));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(76);
});

it("a long answer says how much is missing, and is whole when asked for", () => {
  const answer: StoryEntry = { kind: "answer", text: numbered(30) };
  const lines = shown([answer]);
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toContain("… 18 more lines, --expand shows all");
  expect(shown([answer], true)).toEqual(
    numbered(30)
      .split("\n")
      .map((line) => `  ${line}`),
  );
});

it("what is said on the way takes less space than the result", () => {
  const lines = shown([
    { kind: "answer", text: numbered(30) },
    { kind: "answer", text: "Done." },
  ]);
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toBe("  Done.");
});

it("a script is one line, and whole when asked for", () => {
  const call: StoryEntry = { kind: "call", tool: "bash", text: "cd app\nmake" };
  expect(shown([call])).toEqual(["• bash cd app make"]);
  expect(shown([call], true)).toEqual(["• bash cd app", "  make"]);
});

it("what a subagent said stands below its call, all of it", () => {
  const lines = shown([
    { kind: "call", tool: "subagent", text: "look" },
    { kind: "answer", text: "One.\nTwo.", child: "a" },
  ]);
  expect(lines).toEqual(["• subagent look", "    One.", "    Two."]);
});

it("a call that a person let run says who did, and who wanted it asked", () => {
  const entry: StoryEntry = { kind: "call", tool: "bash", text: "rm -rf build", call_id: "c1" };
  const allowed = [{ tool: "bash", tool_use_id: "c1", at: "", who: "the page", by: "gate" }];
  const lines = storyLines([{ entry }], { blocked: [], allowed, expand: false, root: undefined });
  expect(lines).toEqual(["• bash rm -rf build", "  allowed in the page; gate had it asked"]);
});

it("a call that was not seen to run is not said to have been refused by a person", () => {
  const blocked = [
    { tool: "bash", about: "rm x", at: "", reason: "Really?", by: "gate", asked: true as const },
  ];
  const lines = storyLines([], { blocked, allowed: [], expand: false, root: undefined });
  expect(lines).toEqual(["✗ bash rm x", "  not allowed, gate wanted it asked: Really?"]);
});

it("what the user stopped is not said to have failed", () => {
  const lines = shown([
    { kind: "call", tool: "bash", text: "sleep 60", call_id: "c1" },
    { kind: "failure", text: "The user doesn't want to proceed.", call_id: "c1", refused: true },
  ]);
  expect(lines).toEqual(["• bash sleep 60", "  stopped by the user"]);
});
