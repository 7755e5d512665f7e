import { expect, it } from "vitest";
import type { RewindPlan } from "../../record/index.ts";
import { planLines } from "./show-rewind.ts";

type Shown = Parameters<typeof planLines>[0];

function planWith(left: RewindPlan["left"]): Shown {
  return {
    target: { kind: "commit", name: "a", commit: "a", tree: "t", isWhole: false, leftOut: [] },
    changes: [],
    left,
    atWork: [],
  };
}

it("a rewind that something ignored holds up does not say that nothing has to change, but what to do", () => {
  const lines = planLines(planWith([{ path: "data", why: "in the way" }]));
  expect(lines.slice(1)).toEqual([
    "Nothing can be changed.",
    "Left alone: 1 file",
    "  data would take the place of something that git ignores, which is in no snapshot",
    "To bring it back, move away what git ignores in its place, then run the command again.",
  ]);
  expect(planLines(planWith([])).slice(1)).toEqual(["Nothing has to change."]);
});
