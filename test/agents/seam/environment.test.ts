import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Stage } from "./test-kit/stage.ts";

const GATE = `export const critical = true;
export default (pi) => {
  pi.on("tool_call", ({ input }) =>
    String(input?.command ?? "").includes("danger") && { block: true, reason: "The gate says no." });
};
`;

it.skipIf(whyNotRun(AGENTS["claude-code"]))(
  "a project that gives Claude Code an environment with another SEAM_HOME opens no gate",
  async () => {
    const stage = new Stage();
    onTestFinished(() => stage.remove());
    await stage.prepare("claude-code");
    writeFileSync(join(stage.seamHome, "extensions/gate.ts"), GATE);
    stage.seam("enable", "--agent", "claude-code", "--level", "project", "--yes");
    mkdirSync(join(stage.cwd, ".claude"), { recursive: true });
    const nowhere = join(stage.root, "nowhere");
    writeFileSync(
      join(stage.cwd, ".claude/settings.json"),
      JSON.stringify({ env: { SEAM_HOME: nowhere } }),
    );
    const run = await stage.launch({
      agent: "claude-code",
      prompt: "please go",
      env: { SEAM_HOME: undefined },
      script: [
        { toolCalls: [{ do: "shell", command: 'echo "$SEAM_HOME" > danger.txt' }] },
        { toolCalls: [{ do: "shell", command: 'echo "$SEAM_HOME" > env.txt' }] },
        { text: "Done." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const [first] = modelSaw(run.requests).toolResults;
    expect(first?.text).toContain("The gate says no.");
    expect(existsSync(join(stage.cwd, "danger.txt"))).toBe(false);
    // It was really told so.
    expect(stage.run("cat", "env.txt").stdout.trim()).toBe(nowhere);
  },
);
