import { describe, expect, it } from "vitest";
import type { Task } from "../model/run.ts";
import { planTasks } from "./next-steps.ts";
import { instructionsOf, promptOf, sourcesOf } from "./prompt.ts";
import { play } from "./test-kit/play.ts";
import { role, task, workflow } from "./test-kit/workflows.ts";

const flow = workflow([
  task("plan", { prompt: "Plan {goal}" }),
  task("look", { dependsOn: ["plan"], forEach: ["a", "b"], prompt: "Look at {item}" }),
  task("write", {
    dependsOn: ["look"],
    reads: ["plan"],
    prompt: "Write about {goal} with {results.plan.title}. Keep {this}.",
  }),
]);
const ending = ({ id }: Task) => ({ state: "done" as const, result: { title: `T of ${id}` } });
const { tasks } = play(flow, ending);
const named = (id: string) => tasks.find((one) => one.id === id) as Task;

describe("what an agent is told", () => {
  it("has the goal, the item and results where the workflow put them, and leaves other braces alone", () => {
    expect(promptOf(flow, named("plan"), tasks, "the docs")).toBe("Plan the docs\n");
    expect(promptOf(flow, named("look.2"), tasks, "the docs")).toContain("Look at b");
    const text = promptOf(flow, named("write"), tasks, "the docs");
    expect(text).toContain("Write about the docs with T of plan. Keep {this}.");
  });

  it("has the goal also where the workflow did not put it", () => {
    expect(promptOf(flow, named("look.1"), tasks, "the docs")).toContain("whole run: the docs");
  });

  it("has the results of what it builds on, but none twice", () => {
    const text = promptOf(flow, named("write"), tasks, "g");
    expect(text).toContain("## look.1: look: a");
    expect(text).toContain("T of look.2");
    expect(text.match(/T of plan/g)).toHaveLength(1);
  });

  it("has the findings of the round before", () => {
    const looping = workflow([
      task("fix"),
      task("review", {
        dependsOn: ["fix"],
        loop: { until: { task: "review", path: "ok", is: "truthy" }, times: 1, backTo: "fix" },
      }),
    ]);
    const played = play(looping, ({ id }) => ({
      state: "done",
      result: { ok: id !== "review", findings: "off by one" },
    }));
    const again = played.tasks.find(({ id }) => id === "fix.r2") as Task;
    expect(promptOf(looping, again, played.tasks, "g")).toContain("off by one");
  });

  it("cuts a very long result, and says how to get all of it", () => {
    const long = tasks.map((one) =>
      one.id === "look.1" ? { ...one, result: "x".repeat(20_000) } : one,
    );
    const text = promptOf(flow, named("write"), long, "g");
    expect(text.length).toBeLessThan(12_000);
    expect(text).toContain('crew_result with task "look.1"');
  });

  it("has what failed before it, if it runs all the same", () => {
    const going = workflow([task("a", { onFail: "continue" }), task("b", { dependsOn: ["a"] })]);
    const failed = play(going, ({ id }) =>
      id === "a" ? { state: "failed", reason: "no network" } : { state: "done" },
    ).tasks;
    expect(promptOf(going, failed[1] as Task, failed, "g")).toContain("It failed: no network");
  });

  it("says what a role may do, which files, and what is run afterwards", () => {
    const strict = workflow(
      [
        task("a", { files: ["src/**"], sparse: ["src", "api"], verify: ["npm test"] }),
        task("b", { role: "reader", result: { type: "object" } }),
      ],
      { roles: { worker: role("worker"), reader: role("reader", "read") } },
    );
    const all = planTasks(strict, "r");
    const text = instructionsOf(strict, all[0] as Task, all);
    expect(text).toMatch(/^You are worker\./);
    expect(text).toContain("Change only these files: src/**.");
    expect(text).toContain("only the files at the top and src, api.");
    expect(text).toContain("npm test");
    expect(text).toContain("Do not push");
    const reading = instructionsOf(strict, all[1] as Task, all);
    expect(reading).toContain("You only read.");
    expect(reading).toContain('{"type":"object"}');
  });

  it("builds on the items of a list, not on the task that stands for them", () => {
    expect(sourcesOf(flow, named("write"), tasks).map(({ id }) => id)).toEqual([
      "look.1",
      "look.2",
    ]);
  });
});
