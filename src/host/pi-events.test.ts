import { expect, it } from "vitest";
import { hosted } from "./test-kit/index.ts";

it("a handler that has the model asked once more is heard, and what it adds is in the session", async () => {
  let times = 0;
  const { agent, requests } = await hosted({
    turns: [{ text: "One" }, { text: "Two" }],
    on: {
      agent_before_settle: () =>
        times++ === 0
          ? {
              continue: true,
              entries: [{ type: "custom_message", customType: "more", content: "Go on." }],
            }
          : undefined,
    },
  });
  await agent.prompt("go");
  expect(requests).toHaveLength(2);
  expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain("Go on.");
});

it("a round's end can add entries of all kinds, and have the model asked once more", async () => {
  const seen: unknown[] = [];
  const { agent, requests } = await hosted({
    turns: [{ text: "One" }, { text: "Two" }],
    on: {
      turn_end: (event) => {
        seen.push([event.outcome, event.context?.canContinue, event.messageEntryId !== undefined]);
        if (event.turnIndex > 0) return undefined;
        return {
          continue: true,
          entries: [
            { type: "custom", customType: "state", data: { n: 1 } },
            { type: "context_edit", targetId: event.messageEntryId ?? "", replacement: null },
            { type: "custom_message", customType: "more", content: "Go on." },
          ],
        };
      },
    },
  });
  await agent.prompt("go");
  expect(requests).toHaveLength(2);
  const asked = JSON.stringify(requests[1]?.messages);
  expect(asked).toContain("Go on.");
  expect(asked).not.toContain("One");
  expect(agent.session.getEntries().map(({ type }) => type)).toContain("custom");
  expect(seen).toEqual([
    ["completed", false, true],
    ["completed", false, true],
  ]);
});

it("a round's end cannot have the model asked where there is nothing to answer", async () => {
  const { agent, requests } = await hosted({
    turns: [{ text: "One" }],
    on: { turn_end: () => ({ continue: true }) },
  });
  await agent.prompt("go");
  expect(requests).toHaveLength(1);
});

it("entries of a round's end that concern what is not there are all left out", async () => {
  const { agent } = await hosted({
    turns: [{ text: "One" }],
    on: {
      turn_end: () => ({
        entries: [
          { type: "custom", customType: "state" },
          { type: "context_edit", targetId: "nowhere", replacement: null },
        ],
      }),
    },
  });
  await agent.prompt("go");
  expect(agent.session.getEntries().filter(({ type }) => type === "custom")).toEqual([]);
});

it("a stop that is refused tells the model why", async () => {
  const { agent, requests, of } = await hosted({
    turns: [{ text: "One" }, { text: "Two" }],
    on: {
      session_stop: (event) =>
        event.stop_hook_active ? undefined : { decision: "block", reason: "Tests fail." },
    },
  });
  await agent.prompt("go");
  expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain("Tests fail.");
  expect(of("session_stop").map(({ stop_hook_active }) => stop_hook_active)).toEqual([false, true]);
});

it("the system prompt can be changed together with the messages", async () => {
  const { agent, requests } = await hosted({
    turns: [{ text: "One" }],
    on: {
      context_with_system: (event) => ({
        messages: event.messages.map((message) =>
          Object.assign({ ...message }, message === event.messages[0] && { content: "Be brief." }),
        ),
      }),
    },
  });
  await agent.prompt("go");
  expect(requests[0]?.systemPrompt).toBe("Be brief.");
  expect(requests[0]?.messages).toHaveLength(1);
});

it("a message of an idle agent is told of", async () => {
  const { pi, of, agent } = await hosted({});
  pi.sendMessage({ customType: "note", content: "hello", display: true });
  await agent.extensions.dispatcher.settled();
  expect(of("message_start").map(({ message }) => message.role)).toEqual(["custom"]);
  expect(agent.session.getEntries()).toMatchObject([{ type: "custom_message", content: "hello" }]);
});

it("rounds and calls say where they are stored and how long they took", async () => {
  const { agent, of } = await hosted({
    turns: [{ toolCalls: [{ name: "ls", arguments: {} }] }, { text: "ok" }],
  });
  await agent.prompt("go");
  const [round] = of("turn_end");
  expect(agent.session.getEntry(round?.messageEntryId ?? "")).toMatchObject({
    message: { role: "assistant" },
  });
  expect(agent.session.getEntry(round?.toolResultEntryIds?.[0] ?? "")).toMatchObject({
    message: { role: "toolResult" },
  });
  expect(round?.outcome).toBe("completed");
  expect(of("tool_execution_end")[0]?.durationMs).toBeGreaterThanOrEqual(0);
});
