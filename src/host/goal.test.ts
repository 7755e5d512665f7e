import { expect, test } from "vitest";
import { SessionFile } from "./session/index.ts";
import { type HostedOptions, hosted, testProject } from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });
const usage = { input: 90, output: 10 };

test("a goal is announced when it is set, when work counts towards it, and when it is dropped", async () => {
  const { agent, of } = await run({ turns: [{ text: "one", usage }] });
  await agent.setGoal("Ship it", { tokenBudget: 1_000 });
  await agent.prompt("go");
  await agent.setGoal(null);
  expect(of("goal_updated")).toMatchObject([
    { goal: { objective: "Ship it", status: "active", tokensUsed: 0 }, state: { enabled: true } },
    { goal: { objective: "Ship it", status: "active", tokensUsed: 100 } },
    { goal: null },
  ]);
  expect(agent.goal).toBeNull();
});

test("the model is told of the goal, and no longer once it is dropped", async () => {
  const { agent, requests } = await run({ turns: [{ text: "one" }, { text: "two" }] });
  await agent.setGoal("Ship it");
  await agent.prompt("go");
  expect(requests[0]?.systemPrompt).toContain("<goal>\nShip it\n</goal>");
  await agent.setGoal(null);
  await agent.prompt("go");
  expect(requests[1]?.systemPrompt).not.toContain("<goal>");
});

test("a goal whose budget is used up says so", async () => {
  const { agent, requests } = await run({ turns: [{ text: "one", usage }, { text: "two" }] });
  await agent.setGoal("Ship it", { tokenBudget: 50 });
  await agent.prompt("go");
  expect(agent.goal?.status).toBe("budget-limited");
  await agent.prompt("go");
  expect(requests[1]?.systemPrompt).toContain("used up");
});

test("a goal is there again when the session is resumed", async () => {
  const session = SessionFile.create({ cwd: project.root, dir: project.home });
  const { agent } = await run({ session, turns: [{ text: "one", usage }] });
  await agent.setGoal("Ship it");
  await agent.prompt("go");
  const { goal } = agent;
  await agent.dispose();
  const again = await run({ session: SessionFile.open(session.getSessionFile() ?? "").session });
  expect(again.agent.goal).toEqual(goal);
  expect(again.agent.goal?.tokensUsed).toBe(100);
});
