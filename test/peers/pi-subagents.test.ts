import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newPlace, type Place } from "../cli/seam.ts";
import { sampled } from "../setup/sample.ts";

const child = (task: string) => `{ agent: 'delegate', task: '${task}', async: false }`;
const calls = (args: object) => ({
  toolCalls: [{ name: "subagent", arguments: { async: false, ...args } }],
});
const TURNS = [
  { when: "^single$", ...calls({ agent: "delegate", task: "SINGLE" }) },
  { when: "SINGLE", text: "one done" },
  {
    when: "^parallel$",
    ...calls({
      workflowScript: `const all = await runs.all([{ key: 'a', ...${child("TASKA")} }, { key: 'b', ...${child("TASKB")} }]); return all.map((one) => one.output).join(' and ');`,
    }),
  },
  { when: "TASKA", text: "a done" },
  { when: "TASKB", text: "b done" },
  {
    when: "^chain$",
    ...calls({
      workflowScript: `const first = await runs.run('one', ${child("FIRST")}); const second = await runs.run('two', { agent: 'delegate', task: 'SECOND after ' + first.output, async: false }); return second.output;`,
    }),
  },
  { when: "FIRST", text: "first word" },
  { when: "SECOND after first word", text: "last word" },
  { text: "finished" },
];

let at: Place;
beforeAll(async () => {
  at = newPlace();
  writeFileSync(join(at.project, "turns.json"), JSON.stringify(TURNS));
  const { code, stderr } = await at.seam("ext", "add", "pi-subagents@0.67.0", "--yes");
  expect({ code, stderr }).toMatchObject({ code: 0 });
}, 240_000);
afterAll(() => at.remove());

const TASKS: readonly [string, string][] = [
  ["single", "one done"],
  ["parallel", "a done and b done"],
  ["chain", "last word"],
];
it.each(sampled(TASKS, "parallel"))(
  "pi-subagents 0.67.0 runs a %s task through seam pi",
  async (prompt, said) => {
    const args = ["--no-session", "--model", "scripted:turns.json", "--mode", "json", "-p", prompt];
    const { code, stdout } = await at.seam("pi", ...args);
    const ends = stdout.split("\n").filter((line) => line.includes('"tool_execution_end"'));
    expect(ends).toHaveLength(1);
    expect(JSON.parse(ends[0] ?? "")).toMatchObject({ toolName: "subagent", isError: false });
    expect(ends[0]).toContain(said);
    expect(code).toBe(0);
  },
  120_000,
);
