import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import xterm from "@xterm/headless";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sendHook } from "../src/daemon/connection.ts";
import { daemonPaths, launchDaemon } from "../src/daemon/index.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";

/** `seam run` on a terminal on which a shell goes on when it ends. */
function running(
  turns?: readonly object[],
  programs: Readonly<Record<string, string>> = {},
  { args = [], env = {} }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
) {
  const home = mkdtempSync(join(tmpdir(), "seam-terminal-"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(home, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const script = join(home, "turns.json");
  if (turns) writeFileSync(script, JSON.stringify(turns));
  const model = turns ? ["--model", `scripted:${script}`] : [];
  const terminal = new Terminal(["run", ...model, ...args], {
    cwd: home,
    env: {
      PATH: `${home}:${process.env.PATH}`,
      HOME: home,
      SEAM_HOME: join(home, ".seam"),
      ...env,
    },
    around: ["echo before", "read line; echo after; sleep 30"],
  });
  return Object.assign(terminal, { home });
}

/** What such a terminal is like after all that was written to it. */
async function stateAfter(raw: string) {
  const screen = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  await new Promise<void>((done) => screen.write(raw, done));
  const { active } = screen.buffer;
  const lines = Array.from({ length: 24 }, (_, row) =>
    active.getLine(row)?.translateToString(true),
  );
  return { type: active.type, modes: screen.modes, text: lines.join("\n") };
}

describe.skipIf(whyNoTerminal !== undefined)("the terminal of seam run", () => {
  it("is as it was after seam was killed, although it could do nothing about it", async () => {
    const terminal = running([{ text: "word ".repeat(5000), chunkSize: 5, delayMs: 5 }]);
    await terminal.shows("all keys");
    expect((await stateAfter(terminal.raw)).modes.mouseTrackingMode).toBe("vt200");
    terminal.type("go\r");
    await terminal.shows("word word");
    process.kill(terminal.pid, "SIGKILL");
    await vi.waitFor(() => expect(terminal.raw).toContain("\x1b[?1049l"), { timeout: 30_000 });
    terminal.type("\n");
    await terminal.shows("after");
    const { type, modes, text } = await stateAfter(terminal.raw);
    expect(type).toBe("normal");
    expect(modes).toMatchObject({ mouseTrackingMode: "none", bracketedPasteMode: false });
    expect(text).toMatch(/^before\npid=\d+\n(?:Killed\n)?after\n/);
    expect(terminal.raw.lastIndexOf("\x1b[?25h")).toBeGreaterThan(
      terminal.raw.lastIndexOf("\x1b[?25l"),
    );
  });

  it("is as it was on its own screen too: the shell goes on below what was said, in place of the editor", async () => {
    const terminal = running(
      [{ text: "The loom is threaded." }],
      {},
      {
        args: ["--no-fullscreen"],
      },
    );
    await terminal.stands("all keys");
    terminal.type("thread it\r");
    await terminal.stands(/The loom is threaded\.\n\n─/);
    process.kill(terminal.pid, "SIGKILL");
    await vi.waitFor(() => expect(terminal.raw).toContain("\x1b[23;2t"), { timeout: 30_000 });
    terminal.type("\n");
    await terminal.shows("after");
    const { type, modes, text } = await stateAfter(terminal.raw);
    expect(type).toBe("normal");
    expect(modes).toMatchObject({ bracketedPasteMode: false });
    expect(text).toMatch(/The loom is threaded\.\n\n─+\n(?:Killed)?\s*after\n*$/);
    expect(terminal.raw.lastIndexOf("\x1b[?25h")).toBeGreaterThan(
      terminal.raw.lastIndexOf("\x1b[?25l"),
    );
  });

  it("keeps what was said when seam is left, however that comes, with the command that goes on", async () => {
    for (const leave of ["\x04", "SIGTERM"] as const) {
      const terminal = running([{ text: "The loom is threaded." }]);
      await terminal.shows("all keys");
      terminal.type("thread it\r");
      await terminal.shows("The loom is threaded.");
      if (leave === "SIGTERM") process.kill(terminal.pid, leave);
      else terminal.type(leave);
      await vi.waitFor(() => expect(terminal.raw).toContain("To go on"), { timeout: 30_000 });
      terminal.type("\n");
      await terminal.shows("after");
      const { type, text } = await stateAfter(terminal.raw);
      expect(type).toBe("normal");
      expect(text).toMatch(
        /^before\npid=\d+\n\n▌ thread it\n\nThe loom is threaded\.\n\nTo go on: seam run --resume [0-9a-f]{8}\n/,
      );
    }
  });

  it("gets nothing but lines if it is dumb, and nothing but ASCII if its locale knows no more", async () => {
    const turns = [{ text: "The loom is threaded ✓ – all of it." }];
    const dumb = running(turns, {}, { env: { TERM: "dumb" } });
    await dumb.shows("> ");
    dumb.type("thread it\n");
    await dumb.shows("The loom is threaded");
    expect(dumb.raw).not.toContain("\x1b");
    for (const args of [[], ["--no-fullscreen"]]) {
      const plain = running(turns, {}, { args, env: { LANG: "C" } });
      await plain.stands("all keys");
      plain.type("thread it\r");
      await plain.stands(/The loom is threaded[\s\S]*---/);
      plain.type("\x04");
      await plain.shows("To go on");
      expect([...plain.raw].filter((letter) => letter > "~")).toEqual([]);
    }
  });

  it("ends seam when it is closed, and the session is kept", async () => {
    for (const args of [[], ["--no-fullscreen"]]) {
      const terminal = running([{ text: "The loom is threaded." }], {}, { args });
      await terminal.stands("all keys");
      terminal.type("thread it\r");
      await terminal.stands("The loom is threaded.");
      const { home, pid } = terminal;
      terminal.close();
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 30_000);
      const [folder = ""] = readdirSync(join(home, ".seam/sessions"));
      const [session = ""] = readdirSync(join(home, ".seam/sessions", folder));
      const kept = readFileSync(join(home, ".seam/sessions", folder, session), "utf8");
      expect(kept).toContain("The loom is threaded.");
    }
  });

  it("lists another agent's session first if it is the latest, and shows why its agent did not start", async () => {
    const terminal = running([{ text: "hi" }], { claude: "echo 'no login here'; exit 3" });
    const { home } = terminal;
    const paths = daemonPaths(join(home, ".seam"));
    const session = "11111111-2222-4333-8444-555555555555";
    const transcript_path = join(home, "session.jsonl");
    writeFileSync(transcript_path, "");
    const common = { session_id: session, transcript_path, cwd: home };
    const tell = (hook: string, more: object = {}) =>
      sendHook(paths, {
        agent: "claude-code",
        hook,
        pid: process.pid,
        payload: { hook_event_name: hook, ...common, ...more },
      });
    await launchDaemon(paths);
    onTestFinished(() => {
      process.kill(Number.parseInt(readFileSync(paths.pid, "utf8"), 10), "SIGTERM");
    });
    await terminal.stands("all keys");
    terminal.type("my own\r");
    await terminal.stands("hi");
    terminal.type("/new\r");
    await vi.waitFor(async () => expect(await terminal.screen()).not.toContain("my own"));
    await tell("SessionStart", { source: "startup" });
    await tell("UserPromptSubmit", { prompt: "weave it" });
    await tell("Stop");
    terminal.type("/resume\r");
    await terminal.stands(/→ weave it.*Claude Code[\s\S]*my own/);
    terminal.type("\r");
    await terminal.stands(
      /no login here\n[\s\S]*claude did not end well. Enter goes back to Seam./,
    );
    terminal.type("\n");
    await terminal.stands(new RegExp(`claude --resume ${session}\\s+did not end well \\(3\\)`));
  });

  it("says at a first start without a key what is possible, and nothing that is not", async () => {
    const terminal = running();
    await terminal.shows("There is no model yet.");
    await terminal.shows("/login, once an extension offers a login");
    await terminal.shows("ANTHROPIC_API_KEY");
    await terminal.shows("--model scripted:turns.json");
  });
});
