import { expect, it } from "vitest";
import { newState } from "./new-state.ts";
import { ranWithin, runsSince } from "./runs.ts";

const BEGAN = "2026-01-01T00:00:01.000Z";
const ENDED = "2026-01-01T00:00:02.000Z";
const idle = newState(
  { session_id: "s", agent: "claude-code", work_tree: "/w", worktree_id: "" },
  BEGAN,
);
const ran = { ...idle, runs: [{ from: BEGAN, until: ENDED }] };
const moment = (ms: number) => ({ from: ms, to: ms });

it("what changed in the millisecond in which a command ended can be of that command", () => {
  const end = Date.parse(ENDED);
  const within = [end - 0.5, end, end + 0.08, end + 0.99, end + 1, end + 5];
  expect(within.map((at) => ranWithin(ran, moment(at)))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

it("what is still running can have changed everything since", () => {
  const open = { ...idle, runs: [{ from: BEGAN }] };
  const long = moment(Date.parse(BEGAN) + 3_600_000);
  expect([ranWithin(open, long), runsSince(open, long)]).toEqual([true, true]);
  expect([ranWithin(ran, long), runsSince(ran, long)]).toEqual([false, false]);
});
