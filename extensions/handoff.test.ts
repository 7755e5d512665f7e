import { expect, it } from "vitest";
import { SessionFile } from "../src/host/index.ts";
import type { ScriptedTurn } from "../src/host/models/index.ts";
import { embedded, tempDir } from "./test-kit/embedded.ts";

const PROMPT = "The parser is in parse.ts. Document it.";
// Asked for twice: for the conversation, and for the first part of the turn that is cut.
const SUMMARY = { text: "The summary." };
const SIZES = { keepRecentTokens: 5, reserveTokens: 100 };

async function talked(next: ScriptedTurn[], options: Parameters<typeof embedded>[1] = {}) {
  const cwd = tempDir();
  const dir = tempDir();
  const started = await embedded("handoff.ts", {
    cwd,
    session: SessionFile.create({ cwd, dir }),
    sessions: {
      create: (wanted = {}) => SessionFile.create({ cwd, dir, ...wanted }),
      open: (file) => SessionFile.open(file, { cwd }).session,
    },
    turns: [{ text: "It is in parse.ts." }, ...next],
    compaction: SIZES,
    ...options,
  });
  const { agent } = started;
  await agent.prompt("Where is the parser?");
  const said = () => JSON.stringify(agent.session.getBranch());
  return { ...started, said, before: agent.session.getSessionFile() };
}

it("the prompt waits in the editor of a new session that knows where it came from", async () => {
  const { agent, seen, said, before, problems } = await talked(
    [{ when: "document the parser", text: PROMPT }],
    { answers: [] },
  );
  await agent.prompt("/handoff document the parser");
  expect(seen.editorText).toBe(PROMPT);
  expect(agent.session.getSessionFile()).not.toBe(before);
  expect(agent.session.getHeader().parentSession).toBe(before);
  expect(said()).toBe("[]");
  expect(problems()).toEqual([]);
});

it("the model sees the conversation and the goal", async () => {
  const { agent, seen } = await talked(
    [{ when: "Where is the parser[^]*in parse\\.ts[^]*# The goal\\s+ship it", text: PROMPT }],
    { answers: [] },
  );
  await agent.prompt("/handoff ship it");
  expect(seen.editorText).toBe(PROMPT);
});

it("of a compacted conversation it sees the summary", async () => {
  const long = "A long answer that fills more than what is kept word for word. ".repeat(3);
  const { agent, seen } = await talked(
    [{ text: long }, SUMMARY, SUMMARY, { when: "The summary\\.[^]*ship it", text: PROMPT }],
    { answers: [] },
  );
  await agent.prompt("Go on");
  await agent.compact();
  await agent.prompt("/handoff ship it");
  expect(seen.editorText).toBe(PROMPT);
});

it("with nobody there, the prompt is sent", async () => {
  const { agent, said, before } = await talked([{ text: PROMPT }, { text: "Documented." }]);
  await agent.prompt("/handoff document the parser");
  await agent.waitForIdle();
  expect(agent.session.getSessionFile()).not.toBe(before);
  expect(said()).toContain(PROMPT);
  expect(said()).toContain("Documented.");
});

it("if another extension says no, the session stays", async () => {
  const { agent, seen, before } = await talked([{ text: PROMPT }], {
    answers: [],
    also: [
      {
        name: "keeper",
        factory: (pi) => pi.on("session_before_switch", () => ({ cancel: true })),
      },
    ],
  });
  await agent.prompt("/handoff document the parser");
  expect(agent.session.getSessionFile()).toBe(before);
  expect(seen.editorText).toBe("");
  expect(seen.notifications.at(-1)?.message).toBe("Staying in this session.");
});

it("a model that fails changes nothing, and that is reported", async () => {
  const { agent, before, problems } = await talked([{ error: { message: "It is closed." } }], {
    answers: [],
  });
  await agent.prompt("/handoff document the parser");
  expect(agent.session.getSessionFile()).toBe(before);
  expect(problems()[0]).toContain("It is closed.");
});

it("needs a goal and a conversation", async () => {
  const { agent, seen } = await embedded("handoff.ts", { answers: [] });
  await agent.prompt("/handoff");
  await agent.prompt("/handoff something");
  expect(seen.notifications.map(({ message }) => message)).toEqual([
    "Usage: /handoff <goal>",
    "There is nothing to hand over.",
  ]);
});
