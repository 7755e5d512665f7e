import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { RunReport } from "../../crew/index.ts";
import { Look } from "../look/look.ts";
import { CrewBoard } from "./crew-board.ts";

const use = { tokens: 1200, minutes: 1, turns: 2 };
const task = { run: "r1", spec: "s", title: "Dye the wool", dependsOn: [] };

function report(answer?: string): RunReport {
  const parts = {
    run: { id: "r1", goal: "Weave\nit", state: answer ? "running" : "waiting" },
    tasks: [
      { ...task, id: "dye", state: "done" },
      { ...task, id: "weave", state: "waiting", reason: "\u001b[2Jit needs you" },
    ],
    attempts: [{ run: "r1", task: "dye", number: 1, agent: "claude-code", use }],
    proofs: [],
    questions: [{ id: "q1", title: "Which wool?", ...(answer && { answer }) }],
  };
  return JSON.parse(JSON.stringify(parts));
}

test("tasks with who does them, and what is asked; nothing in it commands the terminal", () => {
  const board = new CrewBoard(new Look(() => {}), report(), (agent) => agent);
  const lines = board.render(80).map(stripVTControlCharacters);
  expect(lines.join("\n")).toBe(
    [
      "",
      "crew r1  ! needs you  Weave it",
      "",
      "✓ dye    done, claude-code, 1,200 tokens  Dye the wool",
      "! weave  waiting  it needs you",
      "",
      "! Which wool?",
      "  type the answer here, or: seam crew answer q1 <answer>",
    ].join("\n"),
  );
  expect(board.asked).toBe("q1");
  board.update(report("red"));
  expect(board.asked).toBeUndefined();
  expect(board.render(20).every((line) => stripVTControlCharacters(line).length <= 20)).toBe(true);
});
