import { expect, it } from "vitest";
import type { AgentMessage } from "../../events/index.ts";
import { failedAnswer, toolResultMessage } from "../loop/messages.ts";
import { SessionTree } from "../session/index.ts";
import { closeCalls } from "./close-calls.ts";

const MODEL = {
  id: "m",
  name: "m",
  api: "a",
  provider: "p",
  baseUrl: "",
  reasoning: false,
  input: ["text" as const],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1,
  maxTokens: 1,
};
const call = (id: string) => ({ type: "toolCall" as const, id, name: "t", arguments: {} });
const answer = (...ids: string[]): AgentMessage => ({
  ...failedAnswer(MODEL, "error", ""),
  stopReason: "toolUse",
  content: ids.map(call),
});
const result = (id: string) => toolResultMessage(call(id), { content: [] });

it("answers the calls of the last answer that have no result, and no others", () => {
  const session = new SessionTree({ cwd: "/" });
  for (const message of [answer("1"), result("1"), answer("2", "3"), result("2")]) {
    session.appendMessage(message);
  }
  closeCalls(session, "it was stopped.");
  closeCalls(session, "again");
  const added = session.buildContext().messages.slice(4);
  expect(added).toMatchObject([
    {
      role: "toolResult",
      toolCallId: "3",
      isError: true,
      content: [{ type: "text", text: "The call was interrupted: it was stopped." }],
    },
  ]);
});
