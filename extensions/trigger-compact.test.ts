import { expect, it } from "vitest";
import { embedded } from "./test-kit/embedded.ts";

const COMPACTION = { keepRecentTokens: 5, reserveTokens: 100 };
const answer = (text: string, input: number) => ({ text, usage: { input, output: 1 } });
const LONG = "A long answer that fills more than what is kept word for word. ".repeat(3);

// Asked for twice: for the conversation, and for the first part of the turn that is cut.
const SUMMARY = answer("Sum.", 9);

const start = (limit: string | undefined, turns: ReturnType<typeof answer>[]) =>
  embedded("trigger-compact.ts", {
    turns,
    answers: [],
    compaction: COMPACTION,
    ...(limit !== undefined && { flags: { "compact-above": limit } }),
  });
type Started = Awaited<ReturnType<typeof start>>;
const summaries = ({ agent }: Started) =>
  agent.session
    .getBranch()
    .flatMap((entry) => (entry.type === "compaction" ? [entry.summary] : []));

it("compacts once the limit is passed, and not before", async () => {
  const started = await start("1000", [answer(LONG, 500), answer(LONG, 1500), SUMMARY, SUMMARY]);
  await started.agent.prompt("One");
  expect(started.all("session_before_compact")).toEqual([]);
  await started.agent.prompt("Two");
  await expect.poll(() => summaries(started).length).toBe(1);
  expect(summaries(started)[0]).toContain("Sum.");
  expect(started.seen.notifications[0]?.message).toMatch(/^Compacted 1501 tokens/);
  expect(started.problems()).toEqual([]);
});

it("what cannot be compacted is not tried after every round", async () => {
  const turns = [answer("a", 2000), answer("b", 2000), answer("c", 2000)];
  const started = await embedded("trigger-compact.ts", {
    turns,
    answers: [],
    compaction: { keepRecentTokens: 50_000, reserveTokens: 100 },
    flags: { "compact-above": "1000" },
  });
  for (const prompt of ["One", "Two", "Three"]) await started.agent.prompt(prompt);
  expect(started.seen.notifications.map(({ message }) => message)).toEqual([
    "Not compacted: There is nothing to compact yet.",
  ]);
});

it.each(["0", "many"])("a limit of %s means never", async (limit) => {
  const started = await start(limit, [answer(LONG, 5_000), answer(LONG, 5_000)]);
  await started.agent.prompt("One");
  await started.agent.prompt("Two");
  expect(started.all("session_before_compact")).toEqual([]);
});

it("compacts on command, with instructions for the summary", async () => {
  const started = await start(undefined, [answer(LONG, 10), answer(LONG, 10), SUMMARY, SUMMARY]);
  await started.agent.prompt("One");
  await started.agent.prompt("Two");
  await started.agent.prompt("/compact-now dwell on the tests");
  await expect.poll(() => summaries(started).length).toBe(1);
  expect(started.all("session_before_compact")).toMatchObject([
    { customInstructions: "dwell on the tests" },
  ]);
});
