import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Place, place } from "./cli/seam.ts";
import { sampled } from "./setup/sample.ts";

const write = (path: string) => [{ name: "write", arguments: { path, content: `${path}\n` } }];
const says = (when: string, value: unknown) => {
  return { when, text: typeof value === "string" ? value : JSON.stringify(value) };
};
const changes = (when: string, path: string) => ({ when, toolCalls: write(path) });
const part = (id: string) => {
  return {
    id,
    title: `Part ${id}`,
    role: "executor",
    task: `Build ${id}`,
    dependsOn: [],
    files: [],
  };
};

interface Played {
  /** What the model says to each task, known by words of its prompt; first those of later tasks. */
  readonly script: readonly object[];
  /** The tasks in the end, and what is on the branch of the run. */
  readonly tasks: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  /** What a person reads when it is over. */
  readonly told: string;
}

const PLAYED: Readonly<Record<string, Played>> = {
  "fix-bug": {
    script: [
      says("Review the fix", { approved: true, findings: [] }),
      changes("Fix this bug", "fixed.js"),
      says("Find the cause", { cause: "a sign", files: ["fixed.js"] }),
      { text: "Done." },
    ],
    tasks: { find: "done", fix: "done", review: "done" },
    files: ["README.md", "fixed.js"],
    told: '{"approved":true,"findings":[]}',
  },
  feature: {
    script: [
      says("Look at the corrections", { approved: true, findings: [] }),
      changes("Correct what", "c.js"),
      says("Review all that was built", { approved: false, findings: ["c is missing"] }),
      changes("Build a", "a.js"),
      changes("Build b", "b.js"),
      says("Plan how to build", { summary: "Two parts.", tasks: [part("a"), part("b")] }),
      { text: "Done." },
    ],
    tasks: { plan: "done", review: "done", correct: "done", confirm: "done", a: "done", b: "done" },
    files: ["README.md", "a.js", "b.js", "c.js"],
    told: '{"approved":true,"findings":[]}',
  },
  research: {
    script: [
      says("Write one report", "# The answer\n\nIt is so.\n\nNothing else is known."),
      says("Answer this question", "It is so."),
      says("Which questions", { questions: ["Where?", "Why?"] }),
    ],
    tasks: { questions: "done", look: "done", report: "done", "look.1": "done", "look.2": "done" },
    files: ["README.md"],
    told: "report:\n# The answer\n\nIt is so.\n\nNothing else is known.\n",
  },
  review: {
    script: [
      says("Several reviewers", { verdict: "approve", summary: "Good.", findings: [] }),
      says("Review", "Nothing was found."),
    ],
    tasks: {
      correctness: "done",
      security: "done",
      tests: "done",
      simplicity: "done",
      verdict: "done",
    },
    files: ["README.md"],
    told: '{"verdict":"approve","summary":"Good.","findings":[]}',
  },
  migrate: {
    script: [
      says("Many files were changed", { done: true, left: [] }),
      changes("this one file: x.js", "x.js"),
      changes("this one file: y.js", "y.js"),
      says("Which files", { files: ["x.js", "y.js"], instructions: "Write its name into it." }),
      { text: "Done." },
    ],
    tasks: { list: "done", change: "done", check: "done", "change.1": "done", "change.2": "done" },
    files: ["README.md", "x.js", "y.js"],
    told: '{"done":true,"left":[]}',
  },
};

function repository(): Place & { git(...args: string[]): string } {
  const made = place({ "README.md": "# A project\n" });
  onTestFinished(async () => {
    await made.seam("daemon", "stop");
  });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: made.project, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@localhost");
  git("add", "README.md");
  git("commit", "--quiet", "--message", "Start");
  return { ...made, git };
}

it.each(sampled(Object.entries(PLAYED), "feature"))(
  "the workflow %s runs to its end, and says what came of it",
  async (name, { script, tasks, files, told }) => {
    const made = repository();
    const path = join(made.home, "script.json");
    writeFileSync(path, JSON.stringify(script));
    const running = made.seam("crew", "run", name, "The goal.", "--agent", `seam:scripted:${path}`);
    if (name === "feature") {
      const ask = "seam crew answer";
      const open = async () => (await made.seam("crew", "status")).stdout;
      await expect.poll(open, { timeout: 60_000 }).toContain(ask);
      const [, id = ""] = /seam crew answer (\S+)/.exec(await open()) ?? [];
      await made.seam("crew", "answer", id, "yes");
    }
    const { code, stdout } = await running;
    expect([code, stdout]).toEqual([0, expect.stringContaining(told)]);
    const report = (await made.seam("crew", "show", "last", "--json")).json<{
      run: { target: string };
      tasks: { id: string; state: string }[];
    }>();
    expect(Object.fromEntries(report.tasks.map(({ id, state }) => [id, state]))).toEqual(tasks);
    const tree = made.git("ls-tree", "--name-only", report.run.target).trim().split("\n");
    expect(tree).toEqual(files);
    // Who only asked for a report has nothing to take.
    expect(stdout.includes("seam crew land")).toBe(files.length > 1);
  },
);
