import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Stage } from "./test-kit/stage.ts";

const GATE = ".seam/extensions/gate.ts";
const REASON = "the-gate-said-no";
const FORBIDDEN = "forbidden.txt";

const AGENTS_UNDER_TEST = (["claude-code"] satisfies AgentName[]).filter(
  (agent) => whyNotRun(AGENTS[agent]) === undefined,
);

it.each(AGENTS_UNDER_TEST)(
  "%s in a linked work tree meets the critical gate of its project, also after the agent deleted it there",
  async (agent) => {
    const stage = new Stage();
    onTestFinished(() => stage.remove());
    mkdirSync(join(stage.cwd, ".seam/extensions"), { recursive: true });
    writeFileSync(
      join(stage.cwd, GATE),
      `export const critical = true;
export default (pi) => {
  pi.on("tool_call", ({ input }) => {
    if (JSON.stringify(input).includes("${FORBIDDEN}")) return { block: true, reason: "${REASON}" };
  });
};
`,
    );
    stage.git("init", "-q");
    stage.git("add", "-A");
    stage.git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "one");
    const tree = join(stage.root, "tree");
    stage.git("worktree", "add", "-q", tree);
    await stage.prepare(agent);
    stage.seam("enable", "--agent", agent, "--level", "user", "--yes");
    stage.seam("trust", "--yes");
    const tries = async () => {
      const write = { do: "write" as const, path: FORBIDDEN, content: "done\n" };
      const { requests } = await stage.launch({
        agent,
        prompt: "Write it.",
        script: [{ toolCalls: [write] }, { text: "I tried." }],
        consent: { hooks: false },
        cwd: tree,
      });
      return modelSaw(requests)
        .toolResults.map(({ text }) => text)
        .join("\n");
    };
    expect(await tries()).toContain(REASON);
    rmSync(join(tree, ".seam"), { recursive: true });
    expect(await tries()).toContain(REASON);
    expect(existsSync(join(tree, FORBIDDEN))).toBe(false);
    expect(stage.log()).toContain("is missing, you trusted it in");
  },
);
