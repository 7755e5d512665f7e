import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Question } from "../src/daemon/index.ts";
import { newPlace, type Place } from "./cli/seam.ts";

const MAIN = join(import.meta.dirname, "../dist/bin/seam.js");

const GATE = `export default (pi) => {
  pi.on("tool_call", async (event, ctx) => {
    if (event.input.command?.includes("ask")) return { ask: true, reason: "It asks." };
    if (!ctx.hasUI) return { block: true, reason: "nobody" };
    const name = await ctx.ui.input("Whose?", "a name");
    return { block: true, reason: "It is " + name + "'s." };
  });
};`;

const TURNS = [
  { toolCalls: [{ name: "bash", arguments: { command: "echo ask" } }] },
  { toolCalls: [{ name: "bash", arguments: { command: "ls" } }] },
  { text: "Done." },
];

describe("with somebody at the inbox", () => {
  let here: Place;
  let watcher: ChildProcess;
  let watched = "";

  beforeAll(async () => {
    here = newPlace();
    writeFileSync(join(here.project, "turns.json"), JSON.stringify(TURNS));
    writeFileSync(join(here.project, "gate.ts"), GATE);
    const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home, NO_COLOR: "1" };
    watcher = spawn(process.execPath, [MAIN, "inbox", "--watch"], { cwd: here.project, env });
    watcher.stdout?.on("data", (data) => {
      watched += data;
    });
    await until(() => watched.includes("Attached"));
    await until(async () => (await here.seam("inbox", "--json")).code === 0);
  }, 60_000);
  afterAll(async () => {
    watcher.kill();
    await here.seam("daemon", "stop");
    here.remove();
  }, 60_000);

  const questions = async () =>
    (await here.seam("inbox", "--json")).json<{ questions: Question[] }>().questions;
  const asked = async (): Promise<Question> => {
    let found: Question | undefined;
    await until(async () => {
      [found] = await questions();
      return found !== undefined;
    });
    if (!found) throw new Error("Nothing was asked.");
    return found;
  };

  it("says that nothing waits, and what is wrong with an answer to nothing", async () => {
    expect((await here.seam("inbox")).stdout).toBe("Nothing waits for you.\n");
    const none = await here.seam("inbox", "answer", "abc", "yes");
    expect(none.code).toBe(1);
    expect(none.stderr).toContain("No question abc waits for an answer.");
    expect((await here.seam("inbox", "answer", "abc")).stderr).toContain("The answer is missing.");
    const wrong = await here.seam("inbox", "answer", "abc", "yes", "--remember", "word");
    expect(wrong.stderr).toContain('An answer cannot be remembered for "word".');
    expect((await here.seam("rules")).stdout).toBe("There are no rules for this project.\n");
    expect((await here.seam("hold", "nobody")).stderr).toContain("No session that spoke lately");
  }, 60_000);

  it("a run without a terminal asks there: gates and dialogs, and answers for good become rules", async () => {
    const run = here.seam(
      "run",
      "-p",
      "go",
      "--mode",
      "json",
      "--model",
      "scripted:turns.json",
      "-e",
      "./gate.ts",
    );
    const first = await asked();
    expect(first).toMatchObject({ agent: "seam", by: "gate", title: "Run bash?" });
    const shown = (await here.seam("inbox")).stdout;
    expect(shown).toContain("echo ask");
    expect(shown).toContain(`seam inbox answer ${first.id} <answer>`);
    const refused = await here.seam("inbox", "answer", first.id, "perhaps");
    expect(refused.stderr).toContain("It takes one of these: yes, no");
    const given = await here.seam("inbox", "answer", first.id, "yes", "--remember", "command");
    expect(given.stdout).toContain("Remembered. To see or remove it: seam rules");
    const second = await asked();
    expect(second).toMatchObject({ method: "input", title: "Whose?", placeholder: "a name" });
    await here.seam("inbox", "answer", second.id, "Ada Lovelace");
    expect((await run).stdout).toContain("It is Ada Lovelace's.");
    expect(watched).toContain('seam inbox answered "Ada Lovelace"');
    expect(watched).toContain("To take it back: seam rules remove");
    const rules = await here.seam("rules");
    expect(rules.stdout).toMatch(/yes {2}bash {2}echo ask/);
    const [rule] = (await here.seam("rules", "--json")).json<{ rules: { id: string }[] }>().rules;
    expect((await here.seam("rules", "remove", rule?.id ?? "")).stdout).toContain("Removed.");
    expect((await here.seam("rules", "remove", rule?.id ?? "")).stderr).toContain("no rule");
  }, 60_000);
});

it("with nobody there a run has nobody to ask", async () => {
  const here = newPlace();
  writeFileSync(join(here.project, "turns.json"), JSON.stringify(TURNS));
  writeFileSync(join(here.project, "gate.ts"), GATE);
  const asks = ["--mode", "json", "--model", "scripted:turns.json", "-e", "./gate.ts"];
  const { stdout } = await here.seam("run", "-p", "go", ...asks);
  expect(stdout).toContain("nobody");
  here.remove();
});

async function until(isSo: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  for (const deadline = Date.now() + ms; !(await isSo()); ) {
    if (Date.now() > deadline) throw new Error("It did not happen.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
