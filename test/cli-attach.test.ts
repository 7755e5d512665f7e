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
