import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFull } from "../../../test/setup/sample.ts";
import { gitProcesses } from "../../git/index.ts";
import {
  commitAll,
  complaints,
  type Files,
  run,
  setEnv,
  tempDir,
  withFiles,
  write,
} from "../../git/test-kit/index.ts";
import type { Proof } from "../model/run.ts";
import { passing } from "../workspaces/test-kit.ts";
import { type MergeRequest, mergeTasks } from "./merge-tasks.ts";

const TARGET = "seam/crew/r";

/** A repository with one commit for each task, made of these files. */
function withTasks(tasks: Readonly<Record<string, Files>>, base: Files = { a: "1\n", b: "1\n" }) {
  const root = withFiles(base);
  const start = run(root, "rev-parse", "HEAD");
  const commits = Object.entries(tasks).map(([task, files]) => {
    run(root, "checkout", "-q", "--detach", start);
    write(root, files);
    const commit = commitAll(root, `Work of ${task}\n\nSeam-Checkpoint: 0123456789ab`);
    return { task, commit, title: `Title of ${task}` };
  });
  run(root, "checkout", "-q", "main");
  const merge = (more: Partial<MergeRequest> = {}) =>
    mergeTasks({
      repository: root,
      run: "r",
      target: TARGET,
      base: start,
      tasks: commits,
      prove: passing,
      ...more,
    });
  const files = (commit = TARGET) => run(root, "ls-tree", "-r", "--name-only", commit).split("\n");
  const contains = (commit: string) =>
    run(root, "for-each-ref", "--contains", commit, `refs/heads/${TARGET}`) !== "";
  return { root, start, commits, merge, files, contains };
}

/** Fails where one of these files is in the commit, and counts how often it was asked. */
function failingOn(root: string, ...bad: string[]) {
  const asked: string[] = [];
  const prove = async (commit: string): Promise<Proof> => {
    asked.push(commit);
    const names = run(root, "ls-tree", "-r", "--name-only", commit).split("\n");
    return { passed: !bad.some((name) => names.includes(name)), commit, checks: [] };
  };
  return { prove, asked };
}

describe("tasks that fit together", () => {
  it("land without a git process where each is made upon the one before", async () => {
    const { root, commits, merge } = withTasks({ one: { c: "1" } });
    expect((await merge()).landed).toHaveLength(1);
    run(root, "checkout", "-q", "--detach", TARGET);
    write(root, { a: "2\n" });
    commitAll(root, "A step of the agent's");
    write(root, { d: "1" });
    const commit = commitAll(root, "Work of two\n\nSeam-Checkpoint: 0123456789ab");
    run(root, "checkout", "-q", "main");
    const before = gitProcesses();
    const { landed } = await merge({ tasks: [{ task: "two", commit }] });
    expect(gitProcesses() - before).toBe(0);
    const [first, second] = [commits[0]?.commit, landed[0]?.mergedAs ?? ""];
    expect(run(root, "rev-parse", `${second}^1^2`, `${second}^2`, TARGET)).toBe(
      [first, commit, second].join("\n"),
    );
    expect(run(root, "rev-parse", `${second}^{tree}`)).toBe(
      run(root, "merge-tree", "--write-tree", `${second}^1`, commit),
    );
    expect(
      run(root, "log", "-1", "--format=%(trailers:key=Seam-Checkpoint,valueonly)", TARGET),
    ).toContain("0123456789ab");
    expect(complaints(root)).toBe("");
  });

  it("land with one merge each and one proof, without touching the user's files", async () => {
    const { root, merge, files, commits } = withTasks({ one: { c: "1" }, two: { a: "2\n" } });
    const { prove, asked } = failingOn(root);
    const index = run(root, "ls-files", "--debug");
    const { landed, conflicts, red } = await merge({ prove });
    expect([conflicts, red]).toEqual([[], []]);
    expect(landed.map(({ task }) => task)).toEqual(["one", "two"]);
    expect(asked).toEqual([landed[1]?.mergedAs]);
    expect(run(root, "rev-parse", TARGET)).toBe(landed[1]?.mergedAs);
    expect(run(root, "rev-parse", `${landed[0]?.mergedAs}^2`)).toBe(commits[0]?.commit);
    expect(files()).toEqual(["a", "b", "c"]);
    expect(run(root, "ls-files", "--debug")).toBe(index);
    expect(run(root, "status", "--porcelain")).toBe("");
    expect(complaints(root)).toBe("");
  });

  it("name the run, the task and the checkpoints of their commits", async () => {
    const { root, merge } = withTasks({ one: { c: "1" } });
    await merge();
    expect(run(root, "log", "-1", "--format=%B", TARGET).trim()).toBe(
      "Merge task one: Title of one\n\nSeam-Checkpoint: 0123456789ab\nSeam-Run: r\nSeam-Task: one",
    );
  });

  it("are merged once, however often that is asked", async () => {
    const { root, merge } = withTasks({ one: { c: "1" }, two: { d: "1" } });
    const { landed } = await merge();
    const { prove, asked } = failingOn(root);
    expect((await merge({ prove })).landed).toEqual(landed);
    expect(asked).toEqual([]);
    expect(run(root, "rev-parse", TARGET)).toBe(landed[1]?.mergedAs);
  });

  it("make the target even if there is nothing in them", async () => {
    const { root, merge, start } = withTasks({});
    const tasks = [{ task: "nothing", commit: start }];
    expect((await merge({ tasks })).landed).toEqual([{ task: "nothing", mergedAs: start }]);
    expect(run(root, "rev-parse", TARGET)).toBe(start);
  });
});

describe("a task that does not fit", () => {
  it("is named with its files and the other side, and the others land", async () => {
    const { root, merge, commits, contains } = withTasks({
      one: { a: "one\n", "dir/ü x": "one\n" },
      two: { a: "two\n", "dir/ü x": "two\n" },
      three: { c: "3" },
    });
    const { landed, conflicts } = await merge();
    expect(landed.map(({ task }) => task)).toEqual(["one", "three"]);
    expect(conflicts).toEqual([
      {
        task: "two",
        files: ["a", "dir/ü x"],
        words: [
          "CONFLICT (content): Merge conflict in a",
          expect.stringContaining("CONFLICT (add/add)"),
        ],
        with: [
          {
            task: "one",
            commit: landed[0]?.mergedAs,
            subject: "Merge task one: Title of one",
          },
        ],
      },
    ]);
    expect(commits.map(({ commit }) => contains(commit))).toEqual([true, false, true]);
    write(root, { a: "by hand\n" });
    const hand = commitAll(root, "By hand");
    run(root, "update-ref", `refs/heads/${TARGET}`, hand);
    expect((await merge({ tasks: commits.slice(0, 1) })).conflicts).toMatchObject([
      { task: "one", with: [{ commit: hand, subject: "By hand" }] },
    ]);
  });

  it("is not merged by a program that the repository names", async () => {
    const ran = join(tempDir(), "ran");
    const base = { a: "1\n2\n3\n4\n5\n6\n7\n8\n", ".gitattributes": "a merge=evil\n" };
    const { root, merge, commits } = withTasks(
      {
        one: { a: "one\n2\n3\n4\n5\n6\n7\n8\n" },
        two: { a: "1\n2\n3\n4\n5\n6\n7\ntwo\n" },
        three: { a: "three\n2\n3\n4\n5\n6\n7\n8\n" },
      },
      base,
    );
    write(root, { ".git/hooks/reference-transaction": `#!/bin/sh\n: >'${ran}'\n` });
    run(root, "config", "merge.evil.driver", `: >'${ran}'`);
    // It runs for somebody who lets it.
    run(root, "merge-tree", "--write-tree", ...commits.slice(0, 2).map(({ commit }) => commit));
    expect(existsSync(ran)).toBe(true);
    rmSync(ran);
    chmodSync(join(root, ".git/hooks/reference-transaction"), 0o755);
    const { landed, conflicts } = await merge();
    expect(existsSync(ran)).toBe(false);
    expect(run(root, "show", `${TARGET}:a`)).toBe("one\n2\n3\n4\n5\n6\n7\ntwo");
    expect(landed).toHaveLength(2);
    expect(conflicts).toMatchObject([{ task: "three", files: ["a"] }]);
  });

  it("needs a git that can merge without a checkout, and says so where there is none", async () => {
    const { root, merge } = withTasks({ one: { c: "1" }, two: { d: "1" } });
    const bin = tempDir();
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const old = `#!/bin/sh\ncase "$*" in *merge-tree*) echo usage >&2; exit 129;; *" version") echo git version 2.34.1; exit;; esac\nexec '${real}' "$@"\n`;
    write(bin, { git: old });
    chmodSync(join(bin, "git"), 0o755);
    setEnv("PATH", `${bin}:${process.env.PATH}`);
    await expect(merge()).rejects.toMatchObject({
      code: "SEAM_CREW_GIT_OLD",
      message: expect.stringContaining("2.34.1"),
    });
    expect(run(root, "branch", "--list", TARGET)).toBe("");
  });
});

describe("a task that does not pass", () => {
  it("is found among many, and the good ones land", async () => {
    const names = ["0", "1", "2", "3", "4", "5", "6", "7"];
    const { root, merge, files } = withTasks(
      Object.fromEntries(names.map((name) => [name, { [`file-${name}`]: "x" }])),
    );
    const { prove, asked } = failingOn(root, "file-2", "file-7");
    const { landed, red } = await merge({ prove });
    expect(red.map(({ task, proof }) => [task, proof.passed])).toEqual([
      ["2", false],
      ["7", false],
    ]);
    expect(landed.map(({ task }) => task)).toEqual(["0", "1", "3", "4", "5", "6"]);
    expect(files()).not.toContain("file-2");
    // All, both halves of each half with a bad one: less than one for each task and its half.
    expect(asked.length).toBeLessThanOrEqual(13);
  });

  it("only together with another one is left to the second of them", async () => {
    const { root, merge } = withTasks({ one: { x: "1" }, two: { y: "1" }, three: { z: "1" } });
    const prove = async (commit: string): Promise<Proof> => {
      const names = run(root, "ls-tree", "-r", "--name-only", commit).split("\n");
      return { passed: !(names.includes("x") && names.includes("z")), commit, checks: [] };
    };
    const { landed, red } = await merge({ prove });
    expect(landed.map(({ task }) => task)).toEqual(["one", "two"]);
    expect(red.map(({ task }) => task)).toEqual(["three"]);
  });
});

describe("a target that somebody else moves", () => {
  it("while a candidate is proved is merged again, and the new candidate proved", async () => {
    const { root, merge, commits, files } = withTasks({ one: { c: "1" }, two: { d: "1" } });
    const asked: string[] = [];
    const prove = async (commit: string) => {
      if (asked.push(commit) === 1) await merge({ tasks: commits.slice(1) });
      return passing(commit);
    };
    const { landed } = await merge({ tasks: commits.slice(0, 1), prove });
    expect(asked).toHaveLength(2);
    expect(landed).toEqual([{ task: "one", mergedAs: asked[1] }]);
    expect(files()).toEqual(["a", "b", "c", "d"]);
    expect(run(root, "rev-parse", TARGET)).toBe(asked[1]);
  });

  it("all the time is given up on, with nothing lost", async () => {
    const { root, merge, start } = withTasks({ one: { c: "1" } });
    let n = 0;
    const prove = async (commit: string) => {
      const tree = run(root, "rev-parse", `${start}^{tree}`);
      const next = run(root, "commit-tree", "-p", start, "-m", String(n++), tree);
      run(root, "update-ref", `refs/heads/${TARGET}`, next);
      return passing(commit);
    };
    await expect(merge({ prove })).rejects.toMatchObject({ code: "SEAM_CREW_TARGET_BUSY" });
    expect((await merge()).landed).toHaveLength(1);
  });

  it("because it is checked out goes along with its files, unless they were changed", async () => {
    const { root, merge, commits, start } = withTasks({ one: { c: "1" }, two: { a: "2\n" } });
    run(root, "checkout", "-q", "-b", TARGET);
    write(root, { b: "the user's\n" });
    await merge({ tasks: commits.slice(0, 1) });
    expect(run(root, "status", "--porcelain")).toBe(" M b");
    expect(existsSync(join(root, "c"))).toBe(true);
    write(root, { a: "the user's\n" });
    const before = run(root, "rev-parse", TARGET);
    expect(before).not.toBe(start);
    await expect(merge()).rejects.toMatchObject({
      code: "SEAM_CREW_TARGET_HELD",
      message: expect.stringMatching(/would be overwritten/),
      next: expect.stringContaining(root),
    });
    expect(run(root, "rev-parse", TARGET)).toBe(before);
  });
});

it("any order of any merges leaves a target with exactly those that landed", {
  timeout: 300_000,
}, async () => {
  /** Two tasks with one number for a file are in conflict; one with `isBad` does not pass. */
  const anyTask = fc.record({ file: fc.nat({ max: 3 }), isBad: fc.boolean() });
  const anyTasks = fc.array(anyTask, { minLength: 2, maxLength: 6 });
  const anyQueues = fc.array(fc.nat({ max: 2 }), { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyTasks, anyQueues, async (tasks, queues) => {
      const { root, merge, commits, contains } = withTasks(
        Object.fromEntries(
          tasks.map(({ file, isBad }, at) => [
            `t${at}`,
            { [`f${file}`]: `${at}\n`, ...(isBad && { [`bad-${at}`]: "x" }) },
          ]),
        ),
      );
      const bad = tasks.flatMap(({ isBad }, at) => (isBad ? [`bad-${at}`] : []));
      const { prove } = failingOn(root, ...bad);
      const batches = [0, 1, 2].map((queue) => commits.filter((_, at) => queues[at] === queue));
      const outcomes = await Promise.all(batches.map((batch) => merge({ tasks: batch, prove })));
      const landed = outcomes.flatMap((one) => one.landed.map(({ task }) => task));
      const others = outcomes.flatMap((one) => [...one.conflicts, ...one.red]);
      const all = [...landed, ...others.map(({ task }) => task)];
      expect(all.sort()).toEqual(commits.map(({ task }) => task));
      const there = commits.filter(({ commit }) => contains(commit)).map(({ task }) => task);
      expect(there).toEqual(landed.sort());
      if (landed.length > 0) expect((await prove(TARGET)).passed).toBe(true);
      expect(complaints(root)).toBe("");
    }),
    { numRuns: isFull ? 50 : 6 },
  );
});
