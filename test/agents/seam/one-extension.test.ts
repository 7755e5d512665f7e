import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Stage } from "./test-kit/stage.ts";

/** The one of the README. */
const NO_RM = `export default (pi) => {
  pi.on("tool_call", (event) => {
    if (event.toolName === "bash" && event.input.command.includes("rm -rf"))
      return { block: true, reason: "Not here." };
  });
};
`;

/** The first finds a fresh machine; its plugin is another way to the daemon than the hooks of the rest. */
const ALL: readonly AgentName[] = ["pi", "claude-code", "codex"];

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.remove());

it.skipIf(ALL.some((agent) => whyNotRun(AGENTS[agent])))(
  "one extension stops different agents",
  async () => {
    await stage.prepare(...ALL);
    writeFileSync(join(stage.seamHome, "extensions/no-rm.ts"), NO_RM);
    mkdirSync(join(stage.cwd, "keep"));
    stage.seam("enable", "--agent", ...ALL, "--level", "user");
    for (const agent of ALL) {
      const run = await stage.launch({
        agent,
        prompt: "clean up",
        script: [
          { toolCalls: [{ do: "shell", command: "rm -rf keep" }] },
          { toolCalls: [{ do: "shell", command: `echo ${agent} > ran.txt` }] },
          { text: "I could not." },
        ],
      });
      expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      expect(modelSaw(run.requests).toolResults[0]?.text).toContain("Not here.");
      expect(readFileSync(join(stage.cwd, "ran.txt"), "utf8")).toBe(`${agent}\n`);
    }
    expect(existsSync(join(stage.cwd, "keep"))).toBe(true);
  },
);
