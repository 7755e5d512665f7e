import { expect, it, onTestFinished, vi } from "vitest";
import type { Attempt, Run, RunReport, Task } from "../../crew/index.ts";
import { visibleWidth } from "../../terminal/index.ts";
import { plainText } from "../record/format.ts";
import { reportLines, statusLines } from "./run-lines.ts";

const use = { tokens: 0, minutes: 0, turns: 1 };
const at = "2026-01-01T00:00:00.000Z";

const run: Run = {
  id: "a1b2c3d4",
  goal: "Count.",
  workflow: {
    name: "quick",
    description: "",
    tasks: [],
    roles: {},
    maxConcurrency: 1,
    budget: {},
    verify: [],
    approvePlan: false,
    approveMerge: false,
  },
  repository: "/project",
  base: "0".repeat(40),
  target: "seam/crew/a1b2c3d4",
  state: "done",
  budget: {},
  agents: [],
  origin: "here",
  flows: 1,
  startedAt: at,
};

const task: Task = {
  run: run.id,
  id: "one",
  spec: "one",
  title: "one",
  state: "done",
  dependsOn: [],
  branch: `seam/tasks/${run.id}/one`,
  use,
};

const attempt = (number: number, told?: string): Attempt => ({
  run: run.id,
  task: "one",
  number,
  agent: "claude-code",
  worker: "here",
  folder: "/attempt",
  granted: {},
  setAside: {},
  use,
  startedAt: at,
  end: { kind: "finished", text: "Done." },
  ...(told !== undefined && { told }),
});

it("show says of an attempt why there had to be another one", () => {
  const told = "Not all checks passed.\n\nnpm test: exit code 1";
  const attempts = [attempt(1), attempt(2, told)];
  const report: RunReport = {
    run,
    tasks: [task],
    attempts,
    proofs: [],
    questions: [],
    messages: [],
  };
  const lines = reportLines(report).map(plainText);
  const second = lines.findIndex((line) => line.includes("2. Claude Code finished"));
  expect(lines[second + 1]).toBe("     told: Not all checks passed.");
  expect(lines.filter((line) => line.includes("told:"))).toHaveLength(1);
});

it("show says on which machine of a pool each attempt was", () => {
  const attempts = [{ ...attempt(1), worker: "desk" }, attempt(2)];
  const linesOf = (now: Run) =>
    reportLines({ run: now, tasks: [task], attempts, proofs: [], questions: [], messages: [] })
      .map((line) => plainText(line).trim())
      .filter((line) => /^\d\. /.test(line));
  const far = linesOf({ ...run, pool: "far" });
  expect(far).toEqual(["1. Claude Code on desk finished", "2. Claude Code on here finished"]);
  expect(linesOf(run)).toEqual(["1. Claude Code finished", "2. Claude Code finished"]);
});

it.each([80, 160])(
  "status fits a terminal of %i columns, and what a person is to type stays whole",
  (columns) => {
    const { isTTY, columns: before } = process.stdout;
    onTestFinished(() => void Object.assign(process.stdout, { isTTY, columns: before }));
    onTestFinished(() => void vi.unstubAllEnvs());
    Object.assign(process.stdout, { isTTY: true, columns });
    vi.stubEnv("NO_COLOR", "1");
    const words = "日本語 and a long text ".repeat(20);
    const asked = { run: run.id, task: "one", kind: "stuck", title: words, askedAt: at } as const;
    const id = `${run.id}.${"a-long-name-".repeat(20)}.0.stuck-1`;
    const lines = statusLines({
      run: { ...run, goal: words, reason: words },
      tasks: [{ ...task, state: "waiting", reason: words }],
      attempts: [],
      proofs: [],
      questions: [{ ...asked, id, message: `${words}\n\n${words}` }],
      messages: [],
    });
    const typed = lines.filter((line) => line.startsWith("    seam crew answer "));
    expect(typed).toEqual([`    seam crew answer ${id} "try again" | "give up"`]);
    for (const line of lines) {
      if (!typed.includes(line)) expect(visibleWidth(line)).toBeLessThanOrEqual(columns);
    }
  },
);
