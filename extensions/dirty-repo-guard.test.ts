import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Answer } from "../src/testing/index.ts";
import { embedded, tempDir } from "./test-kit/embedded.ts";

/** A repository with one commit. */
function repository(): string {
  const cwd = tempDir();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd });
  git("init", "-q");
  writeFileSync(join(cwd, "kept.txt"), "kept\n");
  git("add", ".");
  git("commit", "-qm", "First");
  return cwd;
}

async function start(cwd: string, answers?: readonly Answer[]) {
  const logged: string[] = [];
  const started = await embedded("dirty-repo-guard.ts", {
    cwd,
    turns: [{ text: "Hello." }],
    onLog: (_level, text) => logged.push(text),
    ...(answers && { answers }),
  });
  await started.agent.prompt("Hi");
  const first = started.agent.session.getBranch()[0]?.id ?? "";
  return { ...started, logged, fork: () => started.agent.fork(first) };
}

it("with nobody to ask, uncommitted changes keep the session, and the log says why", async () => {
  const cwd = repository();
  writeFileSync(join(cwd, "new.txt"), "new\n");
  const { agent, fork, logged } = await start(cwd);
  expect(await agent.newSession()).toEqual({ cancelled: true });
  expect(await fork()).toEqual({ cancelled: true });
  expect(logged[0]).toContain("?? new.txt");
});

it("a person decides, and sees a few of the files", async () => {
  const cwd = repository();
  for (let i = 1; i <= 7; i++) writeFileSync(join(cwd, `${i}.txt`), "");
  const { agent, fork, seen } = await start(cwd, [false, true]);
  expect(await agent.newSession()).toEqual({ cancelled: true });
  expect(await fork()).toMatchObject({ cancelled: false });
  expect(seen.questions[0]?.message).toContain("?? 5.txt\nand 2 more");
});

it("a clean tree asks nothing", async () => {
  const { agent, seen } = await start(repository(), [false]);
  expect(await agent.newSession()).toEqual({ cancelled: false });
  expect(seen.questions).toEqual([]);
});

it("outside of a repository it has no say", async () => {
  const { agent, problems } = await start(tempDir());
  expect(await agent.newSession()).toEqual({ cancelled: false });
  expect(problems()).toEqual([]);
});
