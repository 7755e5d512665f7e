import { expect, test } from "vitest";
import type { AgentMessage } from "../../events/index.ts";
import { SessionTree } from "../session/index.ts";
import { Conversation } from "./conversation.ts";

const say = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

function begun() {
  const session = new SessionTree({ cwd: "/" });
  session.appendMessage(say("before"));
  return { session, conversation: new Conversation(session) };
}

test("it is what the session says, whoever added to it", () => {
  const { session, conversation } = begun();
  expect(conversation.messages).toEqual([say("before")]);
  conversation.append(say("own"));
  session.appendMessage(say("of somebody else"));
  conversation.append(say("own again"));
  session.appendCustomEntry("note", {});
  conversation.append(say("last"));
  expect(conversation.messages).toEqual(session.buildContext().messages);
  expect(conversation.messages).toHaveLength(5);
});

test("messages of extensions stand in it as the session has them", () => {
  const { session, conversation } = begun();
  conversation.append({
    role: "custom",
    customType: "rule",
    content: "Mind this.",
    display: false,
    timestamp: 1,
  });
  conversation.append(say("on"));
  expect(conversation.messages).toEqual(session.buildContext().messages);
});

test("a compaction and a step back in the tree are seen", () => {
  const { session, conversation } = begun();
  const first = conversation.append(say("first"));
  conversation.append(say("second"));
  session.moveTo(first);
  expect(conversation.messages).toEqual([say("before"), say("first")]);
  session.appendCompaction(
    { summary: "All of it.", firstKeptEntryId: first, tokensBefore: 9 },
    false,
  );
  conversation.append(say("third"));
  expect(conversation.messages).toEqual(session.buildContext().messages);
  expect(conversation.messages.map(({ role }) => role)).toEqual([
    "compactionSummary",
    "user",
    "user",
  ]);
});

test("appending does not read the session again", () => {
  const { session, conversation } = begun();
  let reads = 0;
  const buildContext = session.buildContext;
  session.buildContext = () => {
    reads++;
    return buildContext();
  };
  for (let i = 0; i < 10; i++) {
    conversation.append(say(`${i}`));
    expect(conversation.messages).toHaveLength(i + 2);
  }
  expect(reads).toBe(1);
});
