import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitProcesses } from "../../git/index.ts";
import { recordOf, turn } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { Project } from "../test-kit/project.ts";
import { planRewind, type RewindPlan } from "./plan.ts";
import { rewind, undoTarget } from "./rewind.ts";
import { findTarget } from "./target.ts";

const text = (project: Project, path: string) => readFileSync(join(project.root, path), "utf8");
const has = (project: Project, path: string) => existsSync(join(project.root, path));
const planTo = async (record: RepoRecord, id: string) =>
  planRewind(record, await findTarget(record.store, id));
const planBack = async (record: RepoRecord) => planRewind(record, await undoTarget(record));
const kinds = (plan: RewindPlan) => plan.changes.map(({ kind, path }) => `${kind} ${path}`);
const left = (plan: RewindPlan) => plan.left.map(({ path, why }) => `${path}: ${why}`);

describe("a file that git ignores before or after a rewind", () => {
  test("stays when the turn took the rule away", async () => {
    const project = new Project();
    project.write(".gitignore", "mine\nbuild/\n");
    project.commit("Rules");
    project.write("mine", "not saved anywhere\n");
    project.write("build/out/a.o", "built\n");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      rmSync(join(project.root, ".gitignore"));
      project.write("new.txt", "x\n");
    });
    const plan = await planTo(record, id);
    expect(kinds(plan)).toEqual(["added .gitignore", "deleted new.txt"]);
    expect(left(plan)).toEqual(["build/out/a.o: ignored", "mine: ignored"]);
    await rewind(record, plan);
    expect(text(project, "mine")).toBe("not saved anywhere\n");
    await rewind(record, await planBack(record));
    expect(text(project, "mine")).toBe("not saved anywhere\n");
    expect(text(project, "build/out/a.o")).toBe("built\n");
    expect(has(project, ".gitignore")).toBe(false);
    expect(text(project, "new.txt")).toBe("x\n");
  });

  test("stays when the turn made the rule, there and back again", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      project.write("app/.gitignore", "*.o\n!kept.o\n");
      project.write("app/a.o", "built\n");
      project.write("app/kept.o", "kept\n");
      project.write("b.o", "not in app\n");
    });
    for (let round = 0; round < 2; round++) {
      await rewind(record, await (round === 0 ? planTo(record, id) : planBack(record)));
      expect([has(project, "app/.gitignore"), has(project, "app/kept.o")]).toEqual([false, false]);
      expect([text(project, "app/a.o"), has(project, "b.o")]).toEqual(["built\n", false]);
      const back = await planBack(record);
      expect(left(back)).toEqual(["app/a.o: ignored"]);
      await rewind(record, back);
      expect([text(project, "app/a.o"), text(project, "app/kept.o")]).toEqual([
        "built\n",
        "kept\n",
      ]);
      expect(text(project, "b.o")).toBe("not in app\n");
    }
  });

  test("stays when the commit that is gone to had no rules yet", async () => {
    const project = new Project();
    project.write(".gitignore", "mine\n");
    project.commit("Rules");
    project.write("mine", "not saved anywhere\n");
    const record = await recordOf(project.root);
    await rewind(record, await planTo(record, project.git("rev-parse", "HEAD~1")));
    expect([has(project, ".gitignore"), text(project, "mine")]).toEqual([
      false,
      "not saved anywhere\n",
    ]);
    await rewind(record, await planBack(record));
    expect([has(project, ".gitignore"), text(project, "mine")]).toEqual([
      true,
      "not saved anywhere\n",
    ]);
  });

  test("goes if git tracks it, whatever the rules say", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    project.write(".gitignore", "*.log\n");
    const id = await turn(record, () => {
      rmSync(join(project.root, ".gitignore"));
      project.write("a.log", "x\n");
      project.git("add", "a.log");
    });
    const plan = await planTo(record, id);
    expect(kinds(plan)).toEqual(["added .gitignore", "deleted a.log"]);
  });

  test("costs a question only when rules change", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const plain = await turn(record, () => project.write("a.txt", "x\n"));
    // The least of several, because a plan now and then starts one process more.
    const cost = async (to: typeof plain) => {
      const costs: number[] = [];
      for (let times = 0; times < 5; times++) {
        const before = gitProcesses();
        await planTo(record, to);
        costs.push(gitProcesses() - before);
      }
      return Math.min(...costs);
    };
    const usual = await cost(plain);
    const rules = await turn(record, () => project.write(".gitignore", "x\n"));
    expect(await cost(rules)).toBe(usual + 1);
  });
});
