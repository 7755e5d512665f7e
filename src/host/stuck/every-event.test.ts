import { afterAll, describe, expect, it } from "vitest";
import { EVENT_NAMES, type EventName } from "../../events/index.ts";
import type { Hold } from "../test-kit/stuck-agent.ts";
import { StuckChild } from "../test-kit/stuck-child-process.ts";

// A handler that never gives the thread back, for every event in turn.
const ASYNC: EventName[] = ["session_start", "input", "tool_call", "context", "turn_end"];
const CASES: [EventName, Hold][] = [
  ...EVENT_NAMES.map((event): [EventName, Hold] => [event, "at once"]),
  ...ASYNC.map((event): [EventName, Hold] => [event, "in an async function"]),
  ...EVENT_NAMES.map((event): [EventName, Hold] => [event, "after an await"]),
];
const half = Math.ceil(CASES.length / 2);
const children = [new StuckChild(CASES.slice(0, half)), new StuckChild(CASES.slice(half))];
afterAll(() => {
  for (const child of children) child.end();
});

describe.each(CASES)("a handler of %s that keeps the thread %s", (event, hold) => {
  const index = CASES.findIndex((one) => one[0] === event && one[1] === hold);
  const child = children[Math.floor(index / half)];

  it("is stopped and named; prompt and abort come back, and all is saved", async () => {
    const found = await child?.found(index % half);
    const named = hold === "after an await" ? `${event}, ${hold}` : event;
    expect(found).toMatchObject({
      event,
      hold,
      problems: expect.arrayContaining([`SEAM_HANDLER_STUCK <tested> ${named}`]),
      extensions: ["recorder"],
      isIdle: true,
      unanswered: [],
      isSaved: true,
      answers: expect.arrayContaining(["Still here"]),
    });
    if (event === "tool_call" || event === "tool_admit") {
      expect(found?.results).toHaveLength(1);
      expect(found?.results).not.toContain("probed");
    }
  }, 120_000);
});
