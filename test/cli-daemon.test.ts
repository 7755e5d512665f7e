import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Place, place } from "./cli/seam.ts";
import { inFull } from "./setup/sample.ts";

const MAIN = join(import.meta.dirname, "../dist/bin/seam.js");

/** A place whose daemon does not outlive the test. */
function daemonPlace(): Place {
  const made = place();
  onTestFinished(async () => {
    await made.seam("daemon", "stop");
  });
  return made;
}

/** A hook of Claude Code, given to the daemon without a client. */
async function tell({ home, project }: Place, hook: string, more: object): Promise<void> {
  const port = readFileSync(join(home, "run/port"), "utf8").trim();
  const token = readFileSync(join(home, "run/token"), "utf8");
  const url = `http://127.0.0.1:${port}/v1/hook?agent=claude-code&hook=${hook}`;
  const payload = { session_id: "0123456789", cwd: project, hook_event_name: hook, ...more };
  const body = JSON.stringify(payload);
  const response = await fetch(url, { method: "POST", headers: { "x-seam-token": token }, body });
  expect(response.status).toBe(200);
}

const BASH = { tool_name: "Bash", tool_input: { command: "ls -la" }, tool_use_id: "t1" };

it("is started, asked and stopped", async () => {
  const made = daemonPlace();
  const before = await made.seam("daemon", "status");
  expect([before.code, before.stdout]).toEqual([1, expect.stringContaining("does not run")]);
  expect((await made.seam("daemon", "status", "--json")).json()).toMatchObject({ running: false });
  expect((await made.seam("daemon", "reload")).stdout).toContain("does not run");

  const started = (await made.seam("daemon", "start", "--json")).json<{ pid: number }>();
  expect((await made.seam("daemon", "start", "--json")).json()).toMatchObject({ pid: started.pid });
  const status = await made.seam("daemon", "status");
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining(`${started.pid}`)]);
  expect((await made.seam("daemon", "reload", "--json")).json()).toEqual({ reloaded: true });

  await tell(made, "PreToolUse", BASH);
  const logs = await made.seam("daemon", "logs", "--number", "1", "--json");
  expect(logs.json()).toMatchObject({ level: "info", text: expect.stringContaining("runs") });
  expect((await made.seam("daemon", "logs")).stdout).toContain("the daemon runs");
  expect((await made.seam("daemon", "logs", "--number", "many")).code).toBe(2);

  expect((await made.seam("daemon", "stop")).stdout).toContain("has ended");
  expect((await made.seam("daemon", "stop", "--json")).json()).toEqual({
    stopped: false,
    killed: false,
  });
  expect(existsSync(join(made.home, "run/daemon.sock"))).toBe(false);
}, 60_000);

inFull(
  "says that it hangs, and kills it when it is to stop",
  async () => {
    const made = daemonPlace();
    await made.seam("enable", "--agent", "gemini");
    const { pid } = (await made.seam("daemon", "start", "--json")).json<{ pid: number }>();
    process.kill(pid, "SIGSTOP");
    const [status, all, doctor] = await Promise.all([
      made.seam("daemon", "status"),
      made.seam("status"),
      made.seam("doctor"),
    ]);
    expect([status.code, status.stdout]).toEqual([1, expect.stringContaining(`${pid} hangs`)]);
    expect(all.stdout).toContain("seam daemon stop");
    expect(doctor.stdout).toContain(`process ${pid}, hangs`);
    expect((await made.seam("daemon", "stop", "--json")).json()).toEqual({
      stopped: true,
      killed: true,
    });
    expect((await made.seam("daemon", "start")).code).toBe(0);
  },
  60_000,
);

inFull(
  "shows what agents do, also if it is started before the daemon",
  async () => {
    const made = daemonPlace();
    const follow = (...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: made.home, SEAM_HOME: made.home };
      const child = spawn(process.execPath, [MAIN, "events", ...args], { env });
      onTestFinished(() => void child.kill());
      return child;
    };
    const text = follow();
    const json = follow("--json", "--event", "tool_call");
    const [warning] = await once(text.stderr, "data");
    expect(String(warning)).toContain("Waiting for the first hook");
    const { pid } = (await made.seam("daemon", "start", "--json")).json<{ pid: number }>();
    expect(pid).toBeGreaterThan(0);
    for (;;) {
      const { listeners } = (await made.seam("daemon", "status", "--json")).json<{
        listeners: number;
      }>();
      if (listeners === 2) break;
    }
    const heard = Promise.all([once(text.stdout, "data"), once(json.stdout, "data")]);
    await tell(made, "PreToolUse", BASH);
    const [[line], [object]] = await heard;
    expect(String(line)).toMatch(/claude-code {2}01234567 {2}tool_call {2}bash {2}ls -la/);
    expect(JSON.parse(String(object))).toMatchObject({
      agent: "claude-code",
      session: "0123456789",
      event: "tool_call",
      hook: "PreToolUse",
      tool: "bash",
      target: "ls -la",
    });
  },
  60_000,
);

it("misses nothing: the hook that starts the daemon is shown too", async () => {
  const made = daemonPlace();
  await made.seam("enable", "--agent", "claude");
  const env = { PATH: process.env.PATH, HOME: made.home, SEAM_HOME: made.home };
  const child = spawn(process.execPath, [MAIN, "events", "--json"], { env });
  onTestFinished(() => void child.kill());
  await once(child.stderr, "data");
  expect((await made.seam("daemon", "status", "--json")).json()).not.toHaveProperty("pid");
  let shown = "";
  child.stdout.on("data", (chunk) => {
    shown += String(chunk);
  });
  for (const hook of ["UserPromptSubmit", "PreToolUse"]) {
    const payload = {
      session_id: "s",
      cwd: made.project,
      hook_event_name: hook,
      prompt: "go",
      ...BASH,
    };
    const client = spawn(join(made.home, "bin/hook"), ["claude-code", hook], { env });
    client.stdin.end(JSON.stringify(payload));
    await once(client, "exit");
  }
  const events = () =>
    shown
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).event);
  await expect.poll(events, { timeout: 20_000 }).toContain("tool_call");
  expect(events()).toEqual([
    "input",
    "before_agent_start",
    "agent_start",
    "tool_call",
    "tool_execution_start",
  ]);
}, 60_000);

inFull(
  "a daemon that the system starts again says so when it is stopped; disable --all ends that",
  async () => {
    const made = daemonPlace();
    const unit =
      process.platform === "darwin"
        ? join(made.home, "Library/LaunchAgents/dev.agentseam.daemon.plist")
        : join(made.home, ".config/systemd/user/agentseam.service");
    const ended = () => made.seam("daemon", "stop");
    expect((await ended()).stdout).not.toContain("again");
    mkdirSync(dirname(unit), { recursive: true });
    writeFileSync(unit, "# agentseam: written by seam daemon install\n");
    expect((await ended()).stdout).toMatch(/starts it again[\s\S]*seam daemon uninstall/);
    expect((await made.seam("disable", "--yes")).stdout).not.toContain("login");
    expect(existsSync(unit)).toBe(true);
    expect((await made.seam("disable", "--all", "--yes")).stdout).toContain(
      "does not start at login any more",
    );
    expect(existsSync(unit)).toBe(false);
  },
  60_000,
);
