import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { turns } from "./history/turns.ts";
import { turnsRef } from "./snapshot/take-snapshot.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { KEEPS_ALL, Workshop } from "./test-kit/workshop.ts";

async function turnsOf(shop: Workshop, session: string) {
  const { store } = await shop.record();
  return turns(store, { session });
}

describe("the story of a turn is in git with the snapshot of its end", () => {
  it("with what was said, done and stopped, the model and the tokens", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Tidy up");
    await claude.write("a.ts", "export const a = 1;\n");
    const block = { reason: "deletes whole folders.", by: "gate" };
    const stopped = await claude.tool("Bash", { command: "rm -rf ." }, () => {}, { block });
    await claude.skill("greet");
    await claude.stop();
    const [turn] = await turnsOf(shop, claude.id);
    expect(turn?.story).toMatchObject({
      model: "claude-test-1",
      token_usage: { input_tokens: 40, output_tokens: 20, api_call_count: 4 },
      blocked_calls: [{ tool: "bash", about: "rm -rf .", tool_use_id: stopped, ...block }],
      skill_events: [{ skill: { name: "greet" } }],
    });
    const told = turn?.story?.told.entries.map(({ kind, tool, text }) => [kind, tool ?? text]);
    expect(told).toEqual([
      ["prompt", "Tidy up"],
      ["call", "write"],
      ["call", "bash"],
      ["call", "skill"],
      ["answer", "Done."],
    ]);
  });

  it("whole, although a commit in its middle took up what was pending", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write and commit");
    const block = { reason: "no", by: "gate" };
    await claude.tool("Bash", { command: "rm -rf ." }, () => {}, { block });
    await claude.write("a.ts", "export const a = 1;\n");
    await claude.bash("git add -A && git commit -q -m Work");
    await claude.write("b.ts", "export const b = 1;\n");
    await claude.stop();
    const [turn] = await turnsOf(shop, claude.id);
    expect(turn?.story?.token_usage.api_call_count).toBe(5);
    expect(turn?.story?.blocked_calls).toHaveLength(1);
    expect(turn?.story?.told.entries.map(({ text = "" }) => text.split("/").at(-1))).toEqual([
      "Write and commit",
      "rm -rf .",
      "a.ts",
      "git add -A && git commit -q -m Work",
      "b.ts",
      "Done.",
    ]);
  });

  it("for each turn its own", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("First", () => claude.write("a.ts", "1\n"));
    await claude.turn("Second", () => {});
    const [second, first] = await turnsOf(shop, claude.id);
    expect(first?.story?.told.entries.map(({ text }) => text)).toContain("First");
    expect(second?.story?.told.entries.map(({ text }) => text)).toEqual(["Second", "Done."]);
    expect(second?.story?.token_usage.api_call_count).toBe(1);
  });

  it("without the history that a forked session brings along", async () => {
    const shop = await Workshop.open();
    const claude = new FakeClaude(shop);
    for (const text of ["Long ago", "Before"]) {
      claude.line({ type: "user", message: { role: "user", content: text }, uuid: text });
      claude.say([{ type: "text", text: `Answer to ${text}` }]);
    }
    await claude.start("resume");
    await claude.turn("Now", () => {});
    const [turn] = await turnsOf(shop, claude.id);
    expect(turn?.story?.told.entries.map(({ text }) => text)).toEqual(["Now", "Done."]);
  });

  it("without secrets, also where a text is cut", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const hide = (text: string) => text.replaceAll(secret, "[REDACTED]");
    const redactor = {
      ...KEEPS_ALL,
      document: async (bytes: Buffer) => ({
        bytes: Buffer.from(hide(bytes.toString())),
        redactions: [],
      }),
      text: async (text: string) => hide(text),
    };
    const shop = await Workshop.open({ redactor });
    const claude = await new FakeClaude(shop).start();
    await claude.prompt(`Use ${secret}`);
    await claude.tool("Bash", { command: `${"x".repeat(280)} ${secret}` }, () => {});
    const block = { reason: `It has ${secret} in it`, by: "gate" };
    await claude.tool("Bash", { command: `curl ${secret}` }, () => {}, { block });
    await claude.stop();
    const message = shop.git("log", "-1", "--format=%B", turnsRef(claude.id));
    expect(message).toContain("curl [REDACTED]");
    expect(message).not.toContain("ghp_");
  });

  it("of a bounded size, however much happened", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Work hard");
    for (let i = 0; i < 400; i++)
      claude.say([{ type: "text", text: `${i} ${"word ".repeat(500)}` }]);
    await claude.stop();
    const [turn] = await turnsOf(shop, claude.id);
    expect(turn?.story?.told.left_out).toBe(402 - 120);
    expect(turn?.story?.told.entries.at(-1)?.text).toBe("Done.");
    const message = shop.git("log", "-1", "--format=%B", turnsRef(claude.id));
    expect(message.length).toBeLessThan(64 * 1024);
  });

  it("with the linked work tree it was in", async () => {
    const shop = await Workshop.open();
    shop.git("worktree", "add", "-q", "-b", "side", join(shop.home, "side-of-it"));
    const claude = await new FakeClaude(shop, { cwd: join(shop.home, "side-of-it") }).start();
    await claude.turn("Work aside", () => claude.write("a.ts", "1\n"));
    const [turn] = await turnsOf(shop, claude.id);
    expect(turn).toMatchObject({ branch: "side", worktree: "side-of-it" });
  });
});
