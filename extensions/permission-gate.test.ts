import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost, type TestHostOptions } from "../src/testing/index.ts";

const PATH = join(import.meta.dirname, "permission-gate.ts");

async function gate(options: Partial<TestHostOptions> = {}) {
  const host = await createTestHost({ extensions: [PATH], ...options });
  onTestFinished(() => host.dispose());
  return host;
}

const DANGEROUS = [
  "rm -rf build",
  "rm -r build",
  "rm --recursive build",
  "cd x && rm -fR y",
  "sudo ls",
  "git push --force",
  "git push origin main -f",
  "git reset --hard HEAD~1",
  "git clean -fd",
  "chmod 777 .",
];

const HARMLESS = [
  "ls",
  "rm one-file",
  "git push",
  "git push --follow-tags",
  "git clean -n",
  "npm test",
];

describe("with nobody to ask", () => {
  it.each(DANGEROUS)("%s is blocked", async (command) => {
    const { blocked, by, reason } = await (await gate()).toolCall("bash", { command });
    expect({ blocked, by }).toEqual({ blocked: true, by: "permission-gate" });
    expect(reason).toContain(command);
  });

  it.each(HARMLESS)("%s goes through", async (command) => {
    expect(await (await gate()).toolCall("bash", { command })).toMatchObject({ blocked: false });
  });

  it("other tools are none of its business", async () => {
    const decision = await (await gate()).toolCall("write", { path: "x", content: "rm -rf /" });
    expect(decision.blocked).toBe(false);
  });

  it("a call without a command does not confuse it", async () => {
    expect(await (await gate()).toolCall("bash", {})).toMatchObject({ blocked: false });
  });
});

describe("with a person to ask", () => {
  const ask = async (answer: string | undefined) => {
    const host = await gate({ answers: [answer] });
    return { host, decision: await host.toolCall("bash", { command: "sudo ls" }) };
  };

  it("yes lets it run, and the question shows the command", async () => {
    const { host, decision } = await ask("Yes");
    expect(decision.blocked).toBe(false);
    expect(host.ui.questions).toMatchObject([{ kind: "select", options: ["Yes", "No"] }]);
    expect(host.ui.questions[0]?.title).toContain("sudo ls");
  });

  it.each([["No"], [undefined]])("%s blocks it", async (answer) => {
    const { decision } = await ask(answer);
    expect(decision).toMatchObject({ blocked: true, reason: "The user said no." });
  });

  it("harmless commands ask nothing", async () => {
    const host = await gate({ answers: ["No"] });
    expect((await host.toolCall("bash", { command: "ls" })).blocked).toBe(false);
    expect(host.ui.questions).toEqual([]);
  });
});
