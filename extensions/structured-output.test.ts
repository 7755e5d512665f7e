import { expect, it } from "vitest";
import { embedded, toolResults } from "./test-kit/embedded.ts";

const REVIEW = {
  verdict: "request_changes",
  findings: [
    { file: "a.ts", line: 3, problem: "It never ends." },
    { file: "b.ts", problem: "?" },
  ],
};
const submit = (review: Record<string, unknown>) => ({
  toolCalls: [{ name: "submit_review", arguments: review }],
});

it("the review is there as data, and the model is not asked again", async () => {
  const { agent, requests, problems } = await embedded("structured-output.ts", {
    turns: [submit(REVIEW), { text: "This must not be said." }],
  });
  await agent.prompt("Review a.ts");
  expect(toolResults(agent)).toEqual([
    {
      toolName: "submit_review",
      text: "request_changes\na.ts:3: It never ends.\nb.ts: ?",
      isError: false,
      details: REVIEW,
    },
  ]);
  expect(requests()).toHaveLength(1);
  expect(problems()).toEqual([]);
});

it("a review that does not fit goes back to the model, which may try again", async () => {
  const { agent, requests } = await embedded("structured-output.ts", {
    turns: [submit({ verdict: "maybe", findings: [] }), submit(REVIEW)],
  });
  await agent.prompt("Review a.ts");
  expect(toolResults(agent).map(({ isError }) => isError)).toEqual([true, false]);
  expect(requests()).toHaveLength(2);
});

it("the system prompt tells the model how to end", async () => {
  const { agent, requests } = await embedded("structured-output.ts", { turns: [submit(REVIEW)] });
  await agent.prompt("Review a.ts");
  expect(requests()[0]?.system).toContain("hand it in with submit_review");
});
