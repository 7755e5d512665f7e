import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { AgentMessage, AssistantMessage, StopReason } from "../../events/index.ts";
import { modelMessages, toolCallsOf, toolResultMessage } from "./messages.ts";

const call = (id: string) => ({ type: "toolCall" as const, id, name: "t", arguments: {} });
const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });
const result = (id: string): AgentMessage => toolResultMessage(call(id), { content: [] });
const answer = (ids: readonly string[], stopReason: StopReason = "toolUse"): AssistantMessage => ({
  role: "assistant",
  content: ids.map(call),
  api: "a",
  provider: "p",
  model: "m",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason,
  timestamp: 0,
});

const shown = (messages: readonly AgentMessage[]) =>
  modelMessages(messages).map((message) => {
    if (message.role === "toolResult") return `result ${message.toolCallId}`;
    if (message.role === "user") return message.content;
    return `answer ${toolCallsOf(message).map(({ id }) => id)}`;
  });

describe("a result without its call is not sent", () => {
  it.each<[string, AgentMessage[], unknown[]]>([
    ["at the beginning", [result("1"), user("hi")], ["hi"]],
    ["after something the user said", [user("hi"), result("1")], ["hi"]],
    [
      "of a call on another branch",
      [user("hi"), answer([], "stop"), result("1"), answer([], "stop")],
      ["hi", "answer ", "answer "],
    ],
    ["of an answer that failed", [answer(["1"], "error"), result("1")], []],
    [
      "that came a second time",
      [answer(["1"]), result("1"), result("1")],
      ["answer 1", "result 1"],
    ],
    [
      "that comes after the next answer",
      [answer(["1"]), answer(["2"]), result("1"), result("2")],
      ["answer 1", "result 1", "answer 2", "result 2"],
    ],
  ])("%s", (_, messages, expected) => {
    expect(shown(messages)).toEqual(expected);
  });
});

it("what is said while tools run comes after their results", () => {
  expect(shown([answer(["1", "2"]), result("1"), user("wait"), result("2")])).toEqual([
    "answer 1,2",
    "result 1",
    "result 2",
    "wait",
  ]);
});

it("a conversation in order is sent as it is, without being put together anew", () => {
  const filter = vi.spyOn(Array.prototype, "filter");
  try {
    const messages = [
      user("hi"),
      answer(["1", "2"]),
      result("1"),
      result("2"),
      user("and?"),
      answer([], "stop"),
    ];
    const sent = modelMessages(messages);
    expect(filter).not.toHaveBeenCalled();
    expect(sent).toEqual(messages);
    // Whoever holds the list that was given must not be able to change what is sent.
    expect(sent).not.toBe(messages);
  } finally {
    filter.mockRestore();
  }
});

it("whatever the session holds, calls are followed by exactly their results", () => {
  const id = fc.constantFrom("1", "2", "3");
  const message = fc.oneof(
    fc.constant(user("hi")),
    id.map(result),
    fc
      .tuple(fc.uniqueArray(id), fc.constantFrom<StopReason>("toolUse", "error", "aborted"))
      .map(([ids, reason]) => answer(ids, reason)),
  );
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      let open: string[] = [];
      for (const sent of modelMessages(messages)) {
        if (sent.role === "toolResult") {
          expect(open).toContain(sent.toolCallId);
          open = open.filter((one) => one !== sent.toolCallId);
        } else {
          expect(open).toEqual([]);
          if (sent.role === "assistant") open = toolCallsOf(sent).map((one) => one.id);
        }
      }
      expect(open).toEqual([]);
    }),
  );
});
