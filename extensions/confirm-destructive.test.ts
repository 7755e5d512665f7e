import { expect, it } from "vitest";
import { SessionFile } from "../src/host/index.ts";
import type { Answer } from "../src/testing/index.ts";
import { embedded, tempDir } from "./test-kit/embedded.ts";

async function talked(answers?: readonly Answer[]) {
  const started = await embedded("confirm-destructive.ts", {
    turns: [{ text: "Hello." }],
    ...(answers && { answers }),
  });
  await started.agent.prompt("Hi");
  const { agent } = started;
  const first = agent.session.getBranch()[0]?.id ?? "";
  return { ...started, id: agent.session.getSessionId(), fork: () => agent.fork(first) };
}

it("no keeps the session, for new ones and for forks", async () => {
  const { agent, seen, id, fork } = await talked([false, undefined]);
  expect(await agent.newSession()).toEqual({ cancelled: true });
  expect(await fork()).toEqual({ cancelled: true });
  expect(agent.session.getSessionId()).toBe(id);
  expect(seen.questions.map(({ title }) => title)).toEqual([
    "Start a new session?",
    "Fork this session?",
  ]);
  expect(seen.questions[0]?.message).toContain("2 messages. It is in memory only");
});

it("yes lets it go", async () => {
  const { agent, id, fork } = await talked([true, true]);
  expect(await fork()).toMatchObject({ cancelled: false });
  expect(agent.session.getSessionId()).not.toBe(id);
});

it("an empty conversation is let go without a question", async () => {
  const { agent, seen } = await embedded("confirm-destructive.ts", { answers: [false] });
  expect(await agent.newSession()).toEqual({ cancelled: false });
  expect(seen.questions).toEqual([]);
});

it("with nobody to ask, nothing is held up", async () => {
  const { agent } = await talked();
  expect(await agent.newSession()).toEqual({ cancelled: false });
});

it("says where a session is kept", async () => {
  const cwd = tempDir();
  const session = SessionFile.create({ cwd, dir: tempDir() });
  const { agent, seen } = await embedded("confirm-destructive.ts", {
    cwd,
    session,
    turns: [{ text: "Hello." }],
    answers: [false],
  });
  await agent.prompt("Hi");
  await agent.newSession();
  expect(seen.questions[0]?.message).toContain(`It is kept in ${session.getSessionFile()}.`);
});
