import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createAgent,
  readSession,
  type SessionPlace,
  SessionStore,
  savedSessions,
  scriptedModels,
} from "./index.ts";
import { textsOf } from "./test-kit/index.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "seam-saved-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What an embedder has at hand: the package's own exports. */
async function talk(sessions: SessionPlace, session = sessions.create()) {
  const models = scriptedModels([{ text: "one" }, { text: "two" }], { env: {} });
  const agent = await createAgent({ models, session, sessions });
  onTestFinished(() => agent.dispose());
  return agent;
}

describe("saved sessions", () => {
  it("are taken up again where they ended, by another agent", async () => {
    const dir = folder();
    const sessions = savedSessions({ cwd: dir, dir: join(dir, "sessions") });
    const first = await talk(sessions);
    await first.prompt("hello");
    const file = first.session.getSessionFile() ?? "";
    expect(dirname(file)).toBe(join(dir, "sessions"));
    await first.dispose();
    const second = await talk(sessions, sessions.open(file));
    await second.prompt("again");
    const { session } = readSession(file);
    expect(textsOf(session.buildContext().messages)).toEqual(["hello", "one", "again", "one"]);
  });

  it("are where the command line looks for them, unless another folder is given", async () => {
    const cwd = folder();
    vi.stubEnv("SEAM_HOME", folder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const agent = await talk(savedSessions({ cwd }));
    await agent.prompt("hello");
    expect(new SessionStore().list(cwd)).toMatchObject([
      { path: agent.session.getSessionFile(), firstMessage: "hello" },
    ]);
  });

  it("are used for further sessions too", async () => {
    const dir = folder();
    const agent = await talk(savedSessions({ cwd: dir, dir }));
    await agent.prompt("hello");
    const before = agent.session.getSessionFile() ?? "";
    await agent.newSession();
    await agent.prompt("anew");
    expect(agent.session.getSessionFile()).not.toBe(before);
    await agent.switchSession(before);
    expect(agent.session.getSessionFile()).toBe(before);
    expect(readFileSync(before, "utf8")).toContain("hello");
  });

  it("tell what of a file could not be used", async () => {
    const dir = folder();
    const told: string[] = [];
    const onProblem = ({ kind }: { kind: string }, file: string) => told.push(`${kind} ${file}`);
    const sessions = savedSessions({ cwd: dir, dir, onProblem });
    const agent = await talk(sessions);
    await agent.prompt("hello");
    const file = agent.session.getSessionFile() ?? "";
    await agent.dispose();
    appendFileSync(file, '{"type":"mess');
    const again = await talk(sessions, sessions.open(file));
    expect(new Set(told)).toEqual(new Set([`torn ${file}`]));
    expect(textsOf(again.session.buildContext().messages)).toEqual(["hello", "one"]);
  });
});
