import { expect, it } from "vitest";
import { embedded } from "./test-kit/embedded.ts";

/** What was said in the conversation, tools left out. */
function said({ agent }: Pick<Awaited<ReturnType<typeof embedded>>, "agent">) {
  return agent.session.getBranch().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role === "toolResult") return [];
    if (entry.message.role !== "user" && entry.message.role !== "assistant") return [];
    const { role, content } = entry.message;
    const blocks =
      typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
    return text === "" ? [] : [`${role}: ${text}`];
  });
}

it.each(["/ask", "/steer", "/follow"])("idle, %s starts a turn at once", async (command) => {
  const started = await embedded("send-user-message.ts", { turns: [{ text: "Four." }] });
  await started.agent.prompt(`${command} How many?`);
  await started.agent.waitForIdle();
  expect(said(started)).toEqual(["user: How many?", "assistant: Four."]);
  expect(started.problems()).toEqual([]);
});

it("busy, steering comes before the next step, a follow-up at the end, a question last", async () => {
  const started = await embedded("send-user-message.ts", {
    answers: [],
    turns: [
      { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.5" } }] },
      { text: "Steered." },
      { text: "Followed." },
      { text: "Asked." },
    ],
  });
  const { agent, seen, all } = started;
  const work = agent.prompt("Start");
  await expect.poll(() => all("tool_execution_start").length).toBe(1);
  const asked = agent.prompt("/ask c");
  await agent.prompt("/follow b");
  await agent.prompt("/steer a");
  expect(agent.queue.list().map(({ kind }) => kind)).toEqual(["followUp", "steer"]);
  await Promise.all([work, asked]);
  await agent.waitForIdle();
  expect(said(started)).toEqual([
    "user: Start",
    ...["user: a", "assistant: Steered."],
    ...["user: b", "assistant: Followed."],
    ...["user: c", "assistant: Asked."],
  ]);
  expect(seen.notifications[0]?.message).toContain("the question waits");
});

it.each(["/ask", "/steer", "/follow"])("%s without a text says how to use it", async (command) => {
  const { agent, seen, requests } = await embedded("send-user-message.ts", { answers: [] });
  await agent.prompt(command);
  expect(seen.notifications[0]?.message).toContain(`Usage: ${command} <`);
  expect(requests()).toEqual([]);
});
