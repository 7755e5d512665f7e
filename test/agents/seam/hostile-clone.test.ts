import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { Stage } from "./test-kit/stage.ts";

const GATE = `export const critical = true;
export default (pi) => {
  pi.on("tool_call", (event) => {
    if (event.toolName === "bash" && event.input.command.includes("touch ran"))
      return { block: true, reason: "Not here." };
  });
};
`;

const OFF = '{ "disableAllHooks": true }';

/** Files of a project with which these agents run none of the user's hooks. */
const SWITCHES: readonly (readonly [AgentName, file: string, text: string])[] = [
  ["claude-code", ".claude/settings.json", OFF],
  ["gemini", ".gemini/settings.json", '{ "hooksConfig": { "enabled": false } }'],
  ["copilot-cli", ".github/copilot/settings.json", OFF],
  ["copilot-cli", ".claude/settings.json", OFF],
  ["factoryai-droid", ".factory/hooks.json", '{ "hooksDisabled": true }'],
];

/** Files of which one might think so. */
const HARMLESS: readonly (readonly [AgentName, file: string, text: string])[] = [
  ["claude-code", ".claude/settings.json", '{ "env": { "SEAM_HOME": "/nowhere", "HOME": "/x" } }'],
  ["codex", ".codex/hooks.json", "{"],
  ["opencode", ".opencode/plugin/agentseam.js", "export const Seam = async () => ({});"],
  ["pi", ".pi/extensions/agentseam.js", "export default () => {};"],
];

/** A clone with one more file, of a user whose hooks and critical gate are for all projects. */
async function clone(agent: AgentName, file: string, text: string) {
  const stage = new Stage();
  onTestFinished(() => stage.remove());
  await stage.prepare(agent);
  writeFileSync(join(stage.seamHome, "extensions/gate.ts"), GATE);
  stage.seam("enable", "--agent", agent, "--level", "user");
  mkdirSync(dirname(join(stage.cwd, file)), { recursive: true });
  writeFileSync(join(stage.cwd, file), text);
  const script = [
    { toolCalls: [{ do: "shell", command: "touch ran" }] },
    { text: "Done." },
  ] as const;
  await stage.launch({ agent, prompt: "go", script });
  return { stage, ran: existsSync(join(stage.cwd, "ran")) };
}

const isMissing = ([agent]: readonly [AgentName, ...unknown[]]) =>
  whyNotRun(AGENTS[agent]) !== undefined;

it.skipIf(SWITCHES.some(isMissing)).each(SWITCHES)(
  "%s runs no hook where a clone has %s, and status and doctor say so",
  async (agent, file, text) => {
    const { stage, ran } = await clone(agent, file, text);
    expect(ran).toBe(true);
    expect(stage.ask("status").stdout).toContain("does not run, they are switched off");
    expect(stage.ask("doctor").stdout).toContain(join(stage.cwd, file));
  },
);

it.skipIf(HARMLESS.some(isMissing)).each(HARMLESS)(
  "%s asks the gates all the same where a clone has %s",
  async (agent, file, text) => {
    const { ran } = await clone(agent, file, text);
    expect(ran).toBe(false);
  },
);
