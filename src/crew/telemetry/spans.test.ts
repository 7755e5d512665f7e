import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { turnsOf } from "./spans.ts";

function heard(...lines: readonly (readonly [at: string, ...events: string[]])[]): string {
  const folder = mkdtempSync(join(tmpdir(), "turns-"));
  const text = lines.map(([at, ...events]) => `${JSON.stringify({ at, events })}\n`).join("");
  writeFileSync(join(folder, "heard.jsonl"), `${text}not whole`);
  return folder;
}

it("turns are what was heard between prompts and stops", () => {
  const folder = heard(
    ["1", "session_start"],
    ["2", "input", "agent_start"],
    ["3", "tool_call"],
    ["4", "tool_call"],
    ["5", "agent_end"],
    ["6", "notification"],
    ["7", "agent_start"],
    ["8", "tool_call"],
  );
  expect(turnsOf({ folder, endedAt: "9" })).toEqual([
    { startedAt: "1", endedAt: "5", calls: 2 },
    { startedAt: "7", endedAt: "9", calls: 1 },
  ]);
});

it("an agent that tells of no turn has one, and one that was not heard has none", () => {
  const folder = heard(["1", "session_start"], ["2", "tool_call"]);
  expect(turnsOf({ folder, endedAt: "3" })).toEqual([{ startedAt: "1", endedAt: "3", calls: 1 }]);
  expect(turnsOf({ folder: "/nowhere" })).toEqual([]);
});
