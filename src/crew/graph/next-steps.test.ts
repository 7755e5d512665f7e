import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { ancestorsOf, cycleIn } from "../model/ancestry.ts";
import type { OnFail, TaskSpec } from "../model/workflow.ts";
import { nextSteps, planTasks } from "./next-steps.ts";
import { type Ending, play, stateOf, states } from "./test-kit/play.ts";
import { task, workflow } from "./test-kit/workflows.ts";

const failing =
  (...ids: string[]) =>
  ({ id }: { id: string }): Ending => ({ state: ids.includes(id) ? "failed" : "done" });

describe("order", () => {
  const diamond = workflow([
    task("a"),
    task("b", { dependsOn: ["a"] }),
    task("c", { dependsOn: ["a"] }),
    task("d", { dependsOn: ["b", "c"] }),
  ]);

  it("starts what depends on nothing first, and independent tasks at once", () => {
    const { started, most, end } = play(diamond);
    expect(started).toEqual(["a", "b", "c", "d"]);
    expect(most).toBe(2);
    expect(end).toEqual({ state: "done" });
  });

  it("starts no more at once than the workflow or the machine allows", () => {
    const wide = workflow([task("a"), task("b"), task("c")], { maxConcurrency: 2 });
    expect(play(wide).most).toBe(2);
    expect(nextSteps(wide, planTasks(wide, "r"), { free: 1 }).start).toHaveLength(1);
    expect(nextSteps(wide, planTasks(wide, "r"), { free: 0 })).toMatchObject({ start: [] });
  });

  it("keeps tasks apart that may change the same files", () => {
    const overlapping = workflow([
      task("a", { files: ["src/**"] }),
      task("b", { files: ["src/x.ts"] }),
      task("c", { files: ["docs/"] }),
      task("d", { files: ["src/**"], role: "reader" }),
    ]);
    const first = nextSteps(overlapping, planTasks(overlapping, "r"), { free: 9 }).start;
    expect(first.map(({ id }) => id)).toEqual(["a", "c", "d"]);
  });

  it("fails a task that depends on one that is not there, instead of waiting for ever", () => {
    const { end } = play(workflow([task("a", { dependsOn: ["ghost"] })]));
    expect(end).toMatchObject({ state: "failed", reason: expect.stringContaining("ghost") });
  });

  it("ends a run whose tasks wait for each other", () => {
    const circle = workflow([task("a", { dependsOn: ["b"] }), task("b", { dependsOn: ["a"] })]);
    const end = { state: "failed", reason: "these tasks wait for each other: a, b" };
    expect(nextSteps(circle, planTasks(circle, "r"), { free: 9 }).end).toEqual(end);
  });
});

describe("what a failure means", () => {
  const chain = (onFail: OnFail) =>
    workflow([task("a", { onFail }), task("b", { dependsOn: ["a"] }), task("other")]);

  it("stop: nothing new starts, and the run fails with the reason", () => {
    const { tasks, end } = play(
      workflow([task("a"), task("b", { dependsOn: ["a"] }), task("c", { dependsOn: ["b"] })]),
      ({ id }) => (id === "b" ? { state: "failed", reason: "tests are red" } : { state: "done" }),
    );
    expect(states(tasks)).toBe("a done, b failed, c skipped");
    expect(end).toEqual({ state: "failed", reason: '"b" failed: tests are red' });
  });

  it("stop: what runs already is let finish before the run ends", () => {
    const { tasks } = play(workflow([task("a"), task("b")]), failing("a"));
    expect(states(tasks)).toBe("a failed, b done");
  });

  it("skip: only what depends on it is left out", () => {
    const { tasks, end } = play(chain("skip"), failing("a"));
    expect(states(tasks)).toBe("a failed, b skipped, other done");
    expect(end).toEqual({ state: "done", reason: "a failed" });
  });

  it("skip: also what depends on what was left out is left out", () => {
    const flow = workflow([
      task("a", { onFail: "skip" }),
      task("b", { dependsOn: ["a"] }),
      task("c", { dependsOn: ["b"] }),
    ]);
    expect(states(play(flow, failing("a")).tasks)).toBe("a failed, b skipped, c skipped");
  });

  it("continue: what depends on it runs", () => {
    const { tasks, end } = play(chain("continue"), failing("a"));
    expect(states(tasks)).toBe("a failed, b done, other done");
    expect(end?.state).toBe("done");
  });
});

describe("conditions", () => {
  const when = (text: string) => ({ task: "a", path: text, is: "truthy" as const });

  it("a task whose condition does not hold is left out, and what depends on it still runs", () => {
    const flow = workflow([
      task("a"),
      task("b", { dependsOn: ["a"], when: when("ok") }),
      task("c", { dependsOn: ["b"] }),
    ]);
    const { tasks } = play(flow, () => ({ state: "done", result: { ok: false } }));
    expect(states(tasks)).toBe("a done, b skipped, c done");
    const yes = play(flow, () => ({ state: "done", result: { ok: true } }));
    expect(states(yes.tasks)).toBe("a done, b done, c done");
  });

  it.each([
    [{ path: "kind", is: "equals", value: "bug" }, true],
    [{ path: "kind", is: "differs", value: "bug" }, false],
    [{ path: "count", is: "equals", value: "3" }, true],
    [{ path: "list.1", is: "equals", value: "y" }, true],
    [{ path: "no.such.way", is: "truthy" }, false],
    [{ path: "__proto__.toString", is: "truthy" }, false],
    [{ path: "", is: "equals", value: "done" }, true],
    [{ path: "", is: "falsy" }, false],
  ] as const)("%j", (condition, isRun) => {
    const flow = workflow([
      task("a"),
      task("b", { dependsOn: ["a"], when: { task: "a", ...condition } }),
    ]);
    const result = { kind: "bug", count: 3, list: ["x", "y"] };
    const { tasks } = play(flow, () => ({ state: "done", result }));
    expect(stateOf(tasks, "b")).toBe(isRun ? "done" : "skipped");
  });
});

describe("loops", () => {
  const reviewed = (times: number, rest: Partial<TaskSpec> = {}) =>
    workflow([
      task("work"),
      task("test", { dependsOn: ["work"] }),
      task("review", {
        dependsOn: ["test"],
        loop: { until: { task: "review", path: "ok", is: "truthy" }, times, backTo: "work" },
        ...rest,
      }),
      task("after", { dependsOn: ["work"] }),
    ]);
  const okAfter =
    (round: number) =>
    (one: { spec: string; round?: number }): Ending => ({
      state: "done",
      ...(one.spec === "review" && { result: { ok: (one.round ?? 1) >= round } }),
    });

  it("runs everything from where it goes back to again, until the condition holds", () => {
    const { started, end } = play(reviewed(3), okAfter(3));
    expect(started).toEqual([
      ...["work", "test", "review", "work.r2", "test.r2", "review.r2"],
      ...["work.r3", "test.r3", "review.r3", "after"],
    ]);
    expect(end).toEqual({ state: "done" });
  });

  it("lets what depends on a part of it wait for the end of the loop", () => {
    const { started } = play(reviewed(1), okAfter(1));
    expect(started).toEqual(["work", "test", "review", "after"]);
  });

  it("fails when its condition still does not hold after the last round", () => {
    const { end, started } = play(reviewed(2), okAfter(9));
    expect(started.filter((id) => id.startsWith("review"))).toHaveLength(3);
    expect(end?.state).toBe("failed");
    expect(end?.reason).toContain("after 3 rounds");
  });

  it("goes on after the last round if it may", () => {
    const { tasks, end } = play(reviewed(1, { onFail: "continue" }), okAfter(9));
    expect(stateOf(tasks, "after")).toBe("done");
    expect(end?.state).toBe("done");
  });

  it("runs again after a failure of its last task, as that is what it is for", () => {
    const { end } = play(reviewed(2), (one) =>
      one.id === "review" ? { state: "failed" } : { state: "done", result: { ok: true } },
    );
    expect(end).toEqual({ state: "done" });
  });
});

describe("lists", () => {
  const each = (onFail: OnFail, forEach: TaskSpec["forEach"]) =>
    workflow([
      task("list"),
      task("one", { dependsOn: ["list"], forEach, onFail }),
      task("join", { dependsOn: ["one"] }),
    ]);
  const files = (...names: string[]) => ({ state: "done" as const, result: { files: names } });

  it("makes one task for each item, and joins them", () => {
    const { tasks, started } = play(each("stop", "list.files"), () => files("x", "y"));
    expect(started).toEqual(["list", "one.1", "one.2", "join"]);
    expect(tasks.filter(({ group }) => group === "one").map(({ item }) => item)).toEqual([
      "x",
      "y",
    ]);
    const group = tasks.find(({ id }) => id === "one");
    expect(group?.result).toMatchObject([{ item: "x", state: "done" }, { item: "y" }]);
  });

  it("takes a list that is written down", () => {
    expect(play(each("stop", ["p", "q", "r"])).started).toHaveLength(5);
  });

  it("has nothing to do for an empty list", () => {
    const { tasks, end } = play(each("stop", "list.files"), () => files());
    expect(states(tasks)).toBe("list done, one done, join done");
    expect(end).toEqual({ state: "done" });
  });

  it("fails when there is no list", () => {
    const { tasks, end } = play(each("stop", "list.nothing"), () => files("x"));
    expect(stateOf(tasks, "one")).toBe("failed");
    expect(end?.reason).toContain("list.nothing is not a list");
  });

  it("refuses a list that is too long for one run", () => {
    const many = Array.from({ length: 400 }, (_, at) => String(at));
    expect(play(each("stop", "list.files"), () => files(...many)).end?.reason).toContain(
      "403 tasks",
    );
  });

  it("goes on without the items that failed, if it may", () => {
    const ending = ({ id }: { id: string }): Ending =>
      id === "one.1" ? { state: "failed" } : files("x", "y");
    const { tasks } = play(each("continue", "list.files"), ending);
    expect(states(tasks)).toBe("list done, one done, join done, one.1 failed, one.2 done");
    const skipping = play(each("skip", "list.files"), ending);
    expect(stateOf(skipping.tasks, "join")).toBe("skipped");
    expect(stateOf(skipping.tasks, "one.2")).toBe("done");
  });

  it("gives each item its own files, so that they can run at once", () => {
    const flow = workflow([task("one", { forEach: ["a.ts", "b.ts"], files: ["{item}"] })]);
    expect(play(flow).most).toBe(2);
  });
});

describe("plans", () => {
  const flow = workflow([
    task("plan", { plans: true, role: "reader" }),
    task("end", { dependsOn: ["plan"] }),
  ]);
  const plan =
    (tasks: unknown) =>
    (one: { id: string }): Ending => ({
      state: "done",
      ...(one.id === "plan" && { result: { tasks } }),
    });

  it("puts the tasks of a plan into the graph, and those after it wait for them", () => {
    const { started, end } = play(
      flow,
      plan([
        { id: "x", role: "worker", task: "Do x" },
        { id: "y", role: "worker", task: "Do y", dependsOn: ["x"] },
      ]),
    );
    expect(started).toEqual(["plan", "x", "y", "end"]);
    expect(end).toEqual({ state: "done" });
  });

  it("fails a plan that cannot be used, with what is wrong", () => {
    const { end } = play(flow, plan([{ id: "x", role: "wroker", task: "Do x" }]));
    expect(end?.reason).toContain('Did you mean "worker"?');
  });

  it("takes a cancelled planned task for a failure of the plan, not of its siblings", () => {
    const { tasks } = play(flow, (one) =>
      one.id === "x"
        ? { state: "cancelled" }
        : plan([
            { id: "x", role: "worker", task: "Do x" },
            { id: "y", role: "worker", task: "Do y" },
          ])(one),
    );
    expect(states(tasks)).toBe("plan done, end skipped, x cancelled, y done");
  });
});

/** Any graph without circles, with conditions, lists, loops and every rule for failures. */
const graphs = fc
  .array(
    fc.record({
      before: fc.array(fc.nat(20), { maxLength: 3 }),
      onFail: fc.constantFrom<OnFail>("stop", "skip", "continue"),
      kind: fc.constantFrom("plain", "plain", "when", "list", "loop"),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((nodes) => {
    const specs: TaskSpec[] = [];
    const inLoop = new Set<string>();
    for (const [at, { before, onFail, kind, times }] of nodes.entries()) {
      const dependsOn = [...new Set(before.map((one) => `t${one % Math.max(at, 1)}`))].filter(
        () => at > 0,
      );
      const [first] = dependsOn;
      const id = `t${at}`;
      const isFree = first !== undefined && !inLoop.has(first) && kind === "loop";
      if (isFree)
        for (const one of [...ancestorsOf(id, [...specs, { id, dependsOn }]), id]) inLoop.add(one);
      specs.push(
        task(id, {
          dependsOn,
          onFail,
          ...(kind === "when" &&
            first && { when: { task: first, path: "ok", is: "truthy" as const } }),
          ...(kind === "list" && { forEach: ["p", "q"] }),
          ...(isFree && {
            loop: { until: { task: id, path: "ok", is: "truthy" as const }, times, backTo: first },
          }),
        }),
      );
    }
    return workflow(specs);
  });

describe("whatever the graph, the endings and their order", () => {
  const endings = fc.array(fc.constantFrom("done", "failed", "cancelled"), {
    minLength: 1,
    maxLength: 12,
  });
  const numbers = fc.array(fc.nat(50), { minLength: 1, maxLength: 12 });

  it("a run ends, no task starts before what it depends on, and none starts twice", () => {
    fc.assert(
      fc.property(graphs, endings, numbers, (flow, how, which) => {
        let count = 0;
        const played = play(
          flow,
          () => {
            count++;
            const state = how[count % how.length] as Ending["state"];
            return { state, result: { ok: (which[count % which.length] ?? 0) % 2 === 0 } };
          },
          () => which[count % which.length] ?? 0,
          (started, all) => {
            for (const id of started.dependsOn) {
              const state = stateOf(all, id);
              expect(["done", "failed", "skipped"]).toContain(state);
              const { onFail } =
                flow.tasks.find((spec) => spec.id === id.replace(/\..*/, "")) ?? {};
              // In a loop the last task of the round before may have failed: that is why it runs again.
              if (state === "failed" && started.round === undefined)
                expect(onFail).toBe("continue");
            }
          },
        );
        expect(new Set(played.started).size).toBe(played.started.length);
        expect(played.tasks.filter(({ state }) => state === "queued")).toEqual([]);
        for (const spec of flow.tasks) {
          const rounds = played.tasks.filter(
            (one) => one.spec === spec.id && one.group === undefined,
          );
          const bound = Math.max(...flow.tasks.map(({ loop }) => loop?.times ?? 0)) + 1;
          expect(rounds.length).toBeLessThanOrEqual(bound);
        }
      }),
      runs(3000),
    );
  });

  it("a failure with stop ends the run as failed, and without one it is done", () => {
    fc.assert(
      fc.property(graphs, endings, (flow, how) => {
        let count = 0;
        const { tasks, end } = play(flow, () => ({
          state: how[count++ % how.length] as Ending["state"],
        }));
        const specOf = (id: string) => flow.tasks.find((spec) => spec.id === id);
        const last = (spec: string) =>
          Math.max(...tasks.filter((one) => one.spec === spec).map((one) => one.round ?? 1));
        const isStopped = tasks.some(
          (one) =>
            one.state === "failed" &&
            specOf(one.spec)?.onFail === "stop" &&
            (specOf(one.spec)?.loop === undefined || (one.round ?? 1) === last(one.spec)),
        );
        expect(end?.state).toBe(isStopped ? "failed" : "done");
      }),
      runs(1000),
    );
  });
});

describe("circles", () => {
  it("a circle is named by its tasks, in order", () => {
    const nodes = [
      { id: "a", dependsOn: ["c"] },
      { id: "b", dependsOn: ["a"] },
      { id: "c", dependsOn: ["b"] },
      { id: "d", dependsOn: ["a"] },
    ];
    expect(cycleIn(nodes)).toEqual(["a", "c", "b", "a"]);
    expect(cycleIn([{ id: "x", dependsOn: ["x"] }])).toEqual(["x", "x"]);
  });

  it("one is found if and only if a node comes before itself", () => {
    const anyGraph = fc
      .array(fc.array(fc.nat(6), { maxLength: 3 }), { maxLength: 7 })
      .map((edges) =>
        edges.map((to, at) => ({ id: `n${at}`, dependsOn: to.map((one) => `n${one}`) })),
      );
    fc.assert(
      fc.property(anyGraph, (nodes) => {
        const isCircular = nodes.some(({ id }) => ancestorsOf(id, nodes).has(id));
        expect(cycleIn(nodes) !== undefined).toBe(isCircular);
      }),
      runs(2000),
    );
  });
});
