import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import xterm from "@xterm/headless";
import { describe, expect, it, vi } from "vitest";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";

/** `seam run` on a terminal on which a shell goes on when it ends. */
function running(turns?: readonly object[]) {
  const home = mkdtempSync(join(tmpdir(), "seam-terminal-"));
  const script = join(home, "turns.json");
  if (turns) writeFileSync(script, JSON.stringify(turns));
  return new Terminal(["run", ...(turns ? ["--model", `scripted:${script}`] : [])], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, SEAM_HOME: join(home, ".seam") },
    around: ["echo before", "read line; echo after; sleep 30"],
  });
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

  it("says at a first start without a key what is possible, and nothing that is not", async () => {
    const terminal = running();
    await terminal.shows("There is no model yet.");
    await terminal.shows("/login, once an extension offers a login");
    await terminal.shows("ANTHROPIC_API_KEY");
    await terminal.shows("--model scripted:turns.json");
  });
});
