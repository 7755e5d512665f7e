import { expect, it } from "vitest";
import { layOut, NODE } from "./graph-layout.ts";

const task = (id: string, dependsOn: string[] = [], group?: string) => ({
  id,
  dependsOn,
  ...(group !== undefined && { group }),
});
function columnOf(tasks: Parameters<typeof layOut>[0]) {
  const { nodes } = layOut(tasks);
  const places = [...new Set(nodes.map(({ x }) => x))].sort((one, other) => one - other);
  return Object.fromEntries(nodes.map(({ task: { id }, x }) => [id, places.indexOf(x)]));
}

it("a task stands to the right of all that it depends on", () => {
  const tasks = [task("a"), task("b", ["a"]), task("c", ["a"]), task("d", ["b", "c"])];
  expect(columnOf(tasks)).toEqual({ a: 0, b: 1, c: 1, d: 2 });
  expect(layOut(tasks).edges.map(({ from, to }) => `${from}${to}`)).toEqual([
    "ab",
    "ac",
    "bd",
    "cd",
  ]);
});

it("tasks of one column do not lie on each other", () => {
  const [one, other] = layOut([task("a"), task("b")]).nodes;
  expect(one?.x).toBe(other?.x);
  expect((other?.y ?? 0) - (one?.y ?? 0)).toBeGreaterThan(NODE.height);
});

it("who waits for a plan or a list stands after all that it brought in", () => {
  const tasks = [
    task("plan"),
    task("end", ["plan"]),
    task("x", ["plan"], "plan"),
    task("y", ["plan", "x"], "plan"),
  ];
  expect(columnOf(tasks)).toEqual({ plan: 0, x: 1, y: 2, end: 3 });
  expect(layOut(tasks).edges.map(({ from, to }) => `${from}>${to}`)).toContain("y>end");
});

it("neither a circle nor a task that is not there hangs it", () => {
  expect(layOut([task("a", ["b"]), task("b", ["a"]), task("c", ["ghost"])]).nodes).toHaveLength(3);
  expect(layOut([])).toMatchObject({ width: 0, height: 0 });
});
