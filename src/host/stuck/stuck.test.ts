import { afterAll, expect, it } from "vitest";
import { STUCK_CASES } from "../test-kit/stuck-cases.ts";
import { StuckChild } from "../test-kit/stuck-child-process.ts";

const ALONE = { answer: "Still here", names: ["recorder"] };
const BESIDE = { answer: "Still here", names: ["recorder", "tested"] };
const LATER = "in a callback, or after an await";
const inline = (what: string) => expect.stringMatching(new RegExp(`^<tested>(:\\d+)? ${what}$`));

/** What each case must come to. */
const EXPECTED: Record<string, object> = {
  "a tool, at once": {
    ...ALONE,
    stuck: [inline("tool probe")],
    result: [expect.stringContaining("did not give the thread back within 150 ms (tool probe")],
  },
  "a tool, after an await": { ...ALONE, stuck: [inline(LATER)], result: ["The work was aborted."] },
  "a command, at once": { ...ALONE, stuck: [inline("/do")], error: true },
  "a command, after an await": { ...ALONE, stuck: [inline(LATER)], error: true },
  "a timer of the context": { ...ALONE, stuck: [inline("a timer")] },
  "a listener of the bus": { ...ALONE, stuck: [inline("a listener of the event bus")] },
  "a loop that awaits what is there already": {
    ...ALONE,
    stuck: [inline("turn_end, after an await")],
  },
  "a pattern that backtracks for ever": { ...ALONE, stuck: [inline("turn_end")] },
  "a recursion without end": { ...ALONE, stuck: [inline("turn_end")] },
  "a wait for another thread": { ...ALONE, stuck: [inline("turn_end")] },
  "a listener of the signal": { ...BESIDE, stuck: ["bad.ts:3 a timer"] },
  "a provider": { ...BESIDE, stuck: [`bad.ts:6 ${LATER}`] },
  "a file, with the line": { ...BESIDE, stuck: ["bad.ts:3 turn_start"] },
  "a file, with the line, after an await": {
    ...BESIDE,
    stuck: ["bad.ts:4 turn_start, after an await"],
  },
  "a timer in a file": { ...BESIDE, stuck: ["bad.ts:3 a timer"] },
  "an interval in a file": { ...BESIDE, stuck: ["bad.ts:3 a timer"] },
  "an immediate in a file": { ...BESIDE, stuck: ["bad.ts:3 a timer"] },
  "Node's own timer, not Seam's": { ...BESIDE, stuck: [`bad.ts:4 ${LATER}`] },
  "the next tick": { ...BESIDE, stuck: [`bad.ts:3 ${LATER}`] },
  "a callback of Node's": { ...BESIDE, stuck: [`bad.ts:4 ${LATER}`] },
  "the function that starts it": {
    answer: "Still here",
    failures: [
      expect.stringContaining("<bad> did not give the thread back within 150 ms (loading"),
    ],
  },
  "others hear of what it was told": {
    answer: "Still here",
    names: ["recorder", "after"],
    heard: ["agent_settled", "turn_start"],
  },
  "a new session leaves it out, a reload brings it back": {
    inNew: ["recorder"],
    failed: ["SEAM_HANDLER_STUCK"],
    afterReload: ["recorder", "tested"],
  },
  "a critical one goes on blocking tool calls": { ran: [], blocked: true },
  "what the program itself does is left alone": { stuck: [] },
  "a program that is waited for is not a loop": { stuck: [] },
  "programs waited for one after the other, for ever, are one": {
    ...ALONE,
    stuck: [inline("turn_end")],
  },
  "another agent of the process goes on": { ...ALONE, answers: ["Still here"] },
};

const names = Object.keys(EXPECTED);
const child = new StuckChild(names);
afterAll(() => child.end());

it("every case is expected to come to something", () => {
  expect(names).toEqual(Object.keys(STUCK_CASES));
});

it.each(names)(
  "%s",
  async (name) => {
    const found = await child.found(names.indexOf(name));
    expect(found).toMatchObject({ name, ...EXPECTED[name] });
  },
  120_000,
);
