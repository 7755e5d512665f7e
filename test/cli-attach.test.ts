import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sendHook } from "../src/daemon/connection.ts";
import { daemonPaths, launchDaemon } from "../src/daemon/index.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";
import { killDaemon } from "./record/machine.ts";

it.skipIf(whyNoTerminal !== undefined)(
  "seam attach says that the daemon was killed, and goes on with the next one",
  async () => {
    const home = mkdtempSync(join(tmpdir(), "seam-attach-"));
    const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: join(home, ".seam") };
    const cwd = mkdtempSync(join(tmpdir(), "seam-attach-project-"));
    execFileSync("git", ["init", "-q"], { cwd, env });
    const sessionId = "11111111-2222-4333-8444-555555555555";
    const sessionFile = join(home, "session.jsonl");
    const line = (value: object) => appendFileSync(sessionFile, `${JSON.stringify(value)}\n`);
    const timestamp = "2026-01-01T00:00:00.000Z";
    line({ type: "session", version: 3, id: sessionId, timestamp, cwd });
    const says = (id: string, parentId: string | null, content: string) =>
      line({
        type: "message",
        id,
        parentId,
        timestamp,
        message: { role: "user", content, timestamp: 1 },
      });
    const paths = daemonPaths(env.SEAM_HOME);
    onTestFinished(() => killDaemon(env.SEAM_HOME));
    const tell = (hook: string, event: object) =>
      sendHook(paths, {
        agent: "seam",
        hook,
        pid: process.pid,
        payload: { sessionId, sessionFile, cwd, event },
      });
    await launchDaemon(paths);
    await tell("session_start", { type: "session_start", reason: "startup" });
    says("00000001", null, "First words");
    await tell("agent_start", { prompt: "First words" });

    const terminal = new Terminal(["attach"], { cwd, env });
    await terminal.shows("First words");
    terminal.press("enter");
    await terminal.shows("First words");
    await killDaemon(env.SEAM_HOME);
    await terminal.shows("The daemon has ended.");
    await launchDaemon(paths);
    says("00000002", "00000001", "Second words");
    await tell("agent_start", { prompt: "Second words" });
    await terminal.shows("Second words");
    expect(terminal.text).not.toContain("fetch failed");
    terminal.press("escape");
  },
  90_000,
);

it.skipIf(whyNoTerminal !== undefined)(
  "while agents work, what is typed into the list of seam attach stays, and so does what is looked at",
  async () => {
    const home = mkdtempSync(join(tmpdir(), "seam-attach-"));
    const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: join(home, ".seam") };
    const cwd = mkdtempSync(join(tmpdir(), "seam-attach-project-"));
    const paths = daemonPaths(env.SEAM_HOME);
    onTestFinished(() => killDaemon(env.SEAM_HOME));
    const tell = (sessionId: string, prompt: string) =>
      sendHook(paths, {
        agent: "seam",
        hook: "agent_start",
        pid: process.pid,
        payload: { sessionId, cwd, event: { prompt } },
      });
    await launchDaemon(paths);
    await tell("11111111-0000-4000-8000-000000000000", "Spin the wool");
    await tell("22222222-0000-4000-8000-000000000000", "Weave the cloth");
    const terminal = new Terminal(["attach"], { cwd, env });
    await terminal.stands("Weave the cloth");
    terminal.type("Spin");
    await terminal.stands("> Spin");
    await tell("22222222-0000-4000-8000-000000000000", "Weave it again");
    await tell("33333333-0000-4000-8000-000000000000", "Dye it");
    const watching = new Terminal(["attach"], { cwd, env });
    await watching.stands("Dye it");
    terminal.press("enter");
    await terminal.stands("enter: say it, esc: all sessions");
    await terminal.stands("11111111");
  },
  90_000,
);
