import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENTS, ALL_AGENTS, disable, enable } from "../../agents/index.ts";
import { alerts, byTheUser } from "../../protection/index.ts";
import { runHook, startHook, testDaemon, testPlace, until } from "../test-kit/setup.ts";

const claude = AGENTS.find(({ name }) => name === "claude-code");

async function setUp() {
  const place = testPlace();
  const home = dirname(place.home);
  const setting = { place: { project: place.project, home, env: {} }, store: place.home };
  if (!claude) throw new Error("There is no such agent.");
  const target = { agent: claude, level: "project" } as const;
  const transcript = join(home, "transcript.jsonl");
  mkdirSync(join(place.project, ".git"));
  writeFileSync(transcript, "");
  place.write({ "settings.json": "{}" });
  enable([target], setting);
  await testDaemon(place, { agents: ALL_AGENTS });
  /** A hook of Claude Code; gives what the user is shown. */
  const hook = async (name: string, more: object = {}): Promise<string> => {
    const payload = {
      session_id: "s1",
      hook_event_name: name,
      cwd: place.project,
      transcript_path: transcript,
      ...more,
    };
    const { stdout } = await runHook(place, name, payload, { agent: "claude-code" });
    return stdout === "" ? "" : (JSON.parse(stdout).systemMessage ?? "");
  };
  const prompt = () => hook("UserPromptSubmit", { prompt: "please" });
  /** A hook whose answer can show the user something. */
  const shown = (id: string) =>
    hook("PreToolUse", { tool_name: "Bash", tool_use_id: id, tool_input: { command: "ls" } });
  const told = () => alerts(place.home).map(({ text }) => text);
  /** What the daemon has written down of it, after its answer. */
  const known = () => {
    const path = join(place.run, "known.json");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const file = join(place.project, ".claude", "settings.local.json");
  return { place, setting, target, transcript, prompt, shown, told, known, file };
}

describe("what Seam relies on is changed behind its back", () => {
  it("hooks that are gone are told at the next event: to the user, in the log, for status", async () => {
    const { place, prompt, shown, told, file } = await setUp();
    await prompt();
    writeFileSync(file, "{}");
    await prompt();
    await until(() => told().length === 1);
    expect(told()[0]).toContain(`hooks for Claude Code are gone from ${file}`);
    expect(await shown("c1")).toContain("are gone from");
    expect(place.logged()).toContain("are gone from");
    // Once is enough.
    expect(await shown("c2")).toBe("");
  });

  it("hooks that are switched off, and changed ones, are told as well", async () => {
    const { prompt, told, known, file } = await setUp();
    await prompt();
    await until(() => known().includes("settings"));
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, whole.replace("{", '{ "disableAllHooks": true,'));
    await prompt();
    await until(() => told().some((text) => text.includes("disableAllHooks")));
    writeFileSync(file, whole.replaceAll("exec ", "true "));
    await prompt();
    await until(() => told().some((text) => text.includes("were changed in")));
  });

  it("settings that something else changed are told, also if the note about them is gone", async () => {
    const { place, prompt, told, known } = await setUp();
    await prompt();
    await until(() => known().includes("settings"));
    rmSync(join(place.run, "known.json"));
    place.write({ "settings.json": '{ "protectSeam": "allow" }' });
    await prompt();
    await until(() => told().length === 1);
    expect(told()[0]).toContain("settings.json was changed, and not by a seam command");
  });

  it("a critical extension of the user that is gone is told, a new one and an ordinary one are not", async () => {
    const { place, prompt, told, known } = await setUp();
    place.write({
      "extensions/gate.ts": "export const critical = true;\nexport default () => {};\n",
      "extensions/other.ts": "export default () => {};\n",
    });
    await prompt();
    await until(() => known().includes("gate.ts"));
    expect(told()).toEqual([]);
    for (const name of ["gate", "other"]) rmSync(join(place.home, `extensions/${name}.ts`));
    await prompt();
    await until(() => told().length > 0);
    await prompt();
    expect(told()).toEqual([
      expect.stringContaining("gate.ts, an extension that must not be missing, is gone"),
    ]);
  });

  it("what the user does with seam's own commands is nobody's attack", async () => {
    const { place, setting, target, prompt, told, known, file } = await setUp();
    await prompt();
    await until(() => known().includes("settings"));
    await byTheUser(place.home, async () => {
      disable([target], setting);
      place.write({ "trust.json": "{}" });
      // The daemon may look while the command is at it.
      await prompt();
    });
    await prompt();
    await byTheUser(place.home, async () => void enable([target], setting));
    appendFileSync(file, "\n");
    await prompt();
    writeFileSync(file, "{}");
    await prompt();
    await until(() => told().length > 0);
    expect(told()).toEqual([expect.stringContaining("are gone from")]);
  });
});

describe("a tool call in the transcript", () => {
  const call = (id: string, at = new Date(Date.now() + 1000)) =>
    line("assistant", at, { type: "tool_use", id, name: "Bash", input: { command: "ls" } });
  const result = (id: string, more: object = {}) =>
    line("user", new Date(), { type: "tool_result", tool_use_id: id, content: "ok", ...more });
  const line = (role: string, at: Date, block: object) =>
    `${JSON.stringify({ type: role, sessionId: "s1", uuid: `${Math.random()}`, timestamp: at.toISOString(), message: { role, content: [block] } })}\n`;

  it("without its hook is told at the next event", async () => {
    const { transcript, shown, prompt, told } = await setUp();
    await prompt();
    await shown("heard");
    appendFileSync(transcript, call("heard") + call("unheard") + result("heard"));
    await prompt();
    expect(told()).toEqual([]);
    appendFileSync(transcript, result("unheard"));
    await prompt();
    await until(() => told().length === 1);
    expect(told()[0]).toContain("Claude Code ran a tool call that Seam was never asked about");
    expect(told()[0]).toContain("Bash; unheard");
    expect(await shown("next")).toContain("never asked about");
  });

  it("whose hook client was killed while Seam decided is told at the next event", async () => {
    const { place, transcript, prompt, told } = await setUp();
    place.write({
      "extensions/slow.ts": `import { appendFileSync } from "node:fs";
export default (pi) => pi.on("tool_call", async (event) => {
  if (event.toolCallId !== "pending") return;
  appendFileSync(${JSON.stringify(join(place.home, "asked"))}, "asked");
  await new Promise((done) => setTimeout(done, 500));
  return { block: true, reason: "not that" };
});`,
    });
    await prompt();
    const { child, ended } = startHook(place, "PreToolUse", { agent: "claude-code" });
    const tool = { tool_name: "Bash", tool_use_id: "pending", tool_input: { command: "ls" } };
    const payload = { session_id: "s1", cwd: place.project, transcript_path: transcript, ...tool };
    child.stdin?.end(JSON.stringify(payload));
    await until(() => existsSync(join(place.home, "asked")));
    child.kill("SIGKILL");
    await ended;
    await until(() => place.logged().includes("ended before it could be told no (not that)"));
    appendFileSync(transcript, call("pending") + result("pending"));
    await prompt();
    await until(() => told().length === 1);
    expect(told()[0]).toContain(
      "ran a tool call without waiting for Seam's answer (Bash; pending)",
    );
  });

  it("is no reason for an alarm if it is older, failed, or its hook came late", async () => {
    const { place, transcript, prompt, told } = await setUp();
    appendFileSync(transcript, call("before the first hook") + result("before the first hook"));
    await prompt();
    const old = new Date(Date.now() - 60_000);
    appendFileSync(transcript, call("old", old) + result("old"));
    appendFileSync(transcript, call("refused") + result("refused", { is_error: true }));
    appendFileSync(transcript, call("not done yet"));
    appendFileSync(transcript, result("a call from before"));
    await prompt();
    const late = { session_id: "s1", cwd: place.project, transcript_path: transcript };
    const tool = { tool_name: "Bash", tool_use_id: "late", tool_input: { command: "ls" } };
    const file = join(place.spool, "claude-code~PreToolUse~1~999999999~1");
    writeFileSync(file, JSON.stringify({ ...late, ...tool }));
    appendFileSync(transcript, call("late") + result("late"));
    await prompt();
    appendFileSync(transcript, call("unheard") + result("unheard"));
    await prompt();
    await until(() => told().length > 0);
    expect(told()).toEqual([expect.stringContaining("Bash; unheard")]);
  });
});
