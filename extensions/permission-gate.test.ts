import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost, type TestHostOptions } from "../src/testing/index.ts";
import { embedded, tempDir, toolResults } from "./test-kit/embedded.ts";

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
  "rm -f -r build",
  "rm build -r",
  "cd x && rm -fR y",
  "sudo ls",
  "git push --force",
  "git push origin main -f",
  "git push -uf origin main",
  "git push origin +main",
  "git reset --hard HEAD~1",
  "git clean -fd",
  "chmod 777 .",
  "mkfs.ext4 /dev/sda1",
  "dd if=a.img of=/dev/sda",
];

const HARMLESS = [
  "ls",
  "rm one-file",
  "rm a && ls -r",
  "git push",
  "git push --follow-tags",
  "git push; tail -f log",
  "dd if=a of=b",
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

it.each([
  { answers: [undefined], stays: true, says: "The user said no." },
  { answers: ["Yes"], stays: false, says: "" },
])("on the agent: $answers", async ({ answers, stays, says }) => {
  const cwd = tempDir();
  mkdirSync(join(cwd, "build"));
  const { agent, seen } = await embedded("permission-gate.ts", {
    cwd,
    answers,
    turns: [
      { toolCalls: [{ name: "bash", arguments: { command: "rm -rf build" } }] },
      { text: "All right." },
    ],
  });
  await agent.prompt("Clean up");
  expect(existsSync(join(cwd, "build"))).toBe(stays);
  expect(toolResults(agent)).toMatchObject([{ toolName: "bash", isError: stays }]);
  expect(toolResults(agent)[0]?.text).toContain(says);
  expect(seen.questions).toHaveLength(1);
});
