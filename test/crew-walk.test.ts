import { expect, it } from "vitest";
import { type Fault, walk } from "./crew/walk.ts";
import { sampled } from "./setup/sample.ts";

/** `npm run bench -- crew` walks at every step; here the same is looked at in a few places. */
const WALKS: readonly [Fault, number, number][] = [
  ["daemon", 7, 6],
  ["both", 9, 3],
];
it.each(sampled(WALKS, "both"))(
  "a run survives kill -9 of the %s: nothing is lost, merged twice or left behind",
  async (fault, every, most) => {
    const { state, faults, starts, lost, merges, left, report } = await walk({
      fault,
      every,
      most,
    });
    expect({ state, lost, left, tasks: report.tasks.map((task) => task.state) }).toEqual({
      state: "done",
      lost: [],
      left: [],
      tasks: report.tasks.map(() => "done"),
    });
    expect(Object.values(merges)).toEqual(Object.values(merges).map(() => 1));
    expect(faults).toBeGreaterThan(2);
    expect(starts).toBeLessThanOrEqual(Object.keys(merges).length + faults);
  },
);
