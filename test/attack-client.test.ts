import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gate, type Victim, victim } from "./attacks/agent.ts";
import { killDaemon } from "./record/machine.ts";

interface Entries {
  readonly hooks: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
}

/** The commands that Claude Code runs, as they stand in its settings. */
function entriesIn(folder: string, file = "settings.json"): (hook: string) => string {
  const { hooks } = JSON.parse(readFileSync(join(folder, ".claude", file), "utf8")) as Entries;
  return (hook) => hooks[hook]?.[0]?.hooks[0]?.command ?? "";
}

/** Runs the entry of a hook, as Claude Code does. */
function runs(at: Victim, command: string, payload: object = {}, path = process.env.PATH) {
  const { status, stdout } = spawnSync("/bin/sh", ["-c", command], {
    cwd: at.project,
    env: { PATH: path, HOME: at.home, SEAM_HOME: at.home },
    input: JSON.stringify({ session_id: "s", cwd: at.project, ...payload }),
    encoding: "utf8",
  });
  return { status, stdout };
}

const FORBIDDEN = {
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "forbidden" },
  tool_use_id: "t1",
};
const ALLOWED = { ...FORBIDDEN, tool_input: { command: "ls" }, tool_use_id: "t2" };

describe("the folder of the hook client is deleted", () => {
  const without = async () => {
    const at = await victim({}, { "extensions/gate.ts": gate() });
    expect(await at.wantsToRun("forbidden")).toContain("the gate says no");
    return { at, entry: entriesIn(at.home) };
  };
  const isBack = async (at: Victim) => {
    await expect.poll(() => existsSync(join(at.home, "bin/hook")), { timeout: 30_000 }).toBe(true);
    const said = (await at.seam("doctor")).stdout;
    expect(said).toContain("changed or removed");
  };

  it("and the gates hold, while the daemon writes it again and says so in the agent", async () => {
    const { at, entry } = await without();
    rmSync(join(at.home, "bin"), { recursive: true });
    expect(runs(at, entry("PreToolUse"), FORBIDDEN).stdout).toContain("the gate says no");
    await isBack(at);
    const tells = () => runs(at, entry("PreToolUse"), ALLOWED).stdout;
    await expect
      .poll(tells, { timeout: 30_000 })
      .toContain("the hook client was changed or removed");
  }, 120_000);

  it("and the gates hold where no daemon runs: the spare starts it, and it writes the client", async () => {
    const { at, entry } = await without();
    await killDaemon(at.home);
    rmSync(join(at.home, "bin"), { recursive: true });
    expect(runs(at, entry("PreToolUse"), FORBIDDEN).stdout).toContain("the gate says no");
    await isBack(at);
  }, 120_000);

  it("with its spare: critical gates are closed, and say how to take the hooks out", async () => {
    const { at, entry } = await without();
    await killDaemon(at.home);
    for (const name of ["bin", "spare"]) rmSync(join(at.home, name), { recursive: true });
    // Not even a program is needed.
    const closed = runs(at, entry("PreToolUse"), ALLOWED, "/nowhere");
    expect(closed.status).toBe(0);
    expect(JSON.parse(closed.stdout)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringContaining("npx agentseam disable --all"),
      },
    });
    expect(runs(at, entry("PostToolUse"), ALLOWED)).toEqual({ status: 0, stdout: "" });
    // Where no gate has to close, calls go their way.
    writeFileSync(join(at.home, "run/block"), `${at.project}/elsewhere\n`);
    expect(runs(at, entry("PreToolUse"), ALLOWED)).toEqual({ status: 0, stdout: "" });
    writeFileSync(join(at.home, "run/block"), `${at.project}/elsewhere\n${at.project}\n`);
    expect(runs(at, entry("PreToolUse"), ALLOWED).stdout).toContain("deny");
  }, 120_000);

  it("with all of Seam's folder: the next session begins with a message", async () => {
    const { at, entry } = await without();
    await killDaemon(at.home);
    for (const name of ["bin", "spare", "run"]) rmSync(join(at.home, name), { recursive: true });
    const start = runs(at, entry("SessionStart"));
    expect(start.status).toBe(0);
    expect(JSON.parse(start.stdout)).toMatchObject({
      systemMessage: expect.stringContaining("no gate holds"),
    });
    expect(runs(at, entry("PreToolUse"), FORBIDDEN)).toEqual({ status: 0, stdout: "" });
  }, 120_000);

  it("and hooks that everybody gets stay silent where Seam never was", async () => {
    const at = await victim();
    execFileSync("git", ["init", "-q"], { cwd: at.project });
    await at.seam("disable", "--level", "user", "--agent", "claude-code");
    await at.seam("enable", "--shared", "--agent", "claude-code");
    const entry = entriesIn(at.project);
    await killDaemon(at.home);
    for (const name of ["bin", "spare", "run"]) rmSync(join(at.home, name), { recursive: true });
    expect(runs(at, entry("SessionStart"))).toEqual({ status: 0, stdout: "" });
  }, 120_000);
});
