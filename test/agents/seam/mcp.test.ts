import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Level } from "../../../src/agents/index.ts";
import { sampled } from "../../setup/sample.ts";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import type { Launched } from "../drive/launch.ts";
import { modelSaw } from "../model-server/saw.ts";
import type { ToolCall } from "../model-server/script.ts";
import { contentsOf } from "./test-kit/folders.ts";
import { Stage } from "./test-kit/stage.ts";

/** A tool that says in which session it runs, and a gate that stops one call of it. */
const GREET = `import { Type } from "typebox";
export default (pi) => {
  pi.registerTool({
    name: "greet",
    description: "Greets someone by name",
    parameters: Type.Object({ name: Type.String() }),
    async execute(_id, { name }, _signal, _update, ctx) {
      const session = ctx.sessionManager.getSessionId();
      return { content: [{ type: "text", text: \`Hello, \${name}! Said in \${session}.\` }] };
    },
  });
  pi.on("tool_call", (event) => {
    if (event.toolName === "greet" && event.input.name === "Mallory")
      return { block: true, reason: "Not to Mallory." };
  });
};
`;

interface Case {
  readonly agent: AgentName;
  readonly level: Level;
  /** How the agent calls the tool. */
  readonly call: Omit<ToolCall, "input">;
  /** What the user does where the agent asks before it starts a project's server. */
  readonly agree?: (stage: Stage) => void;
}

const CASES: readonly Case[] = [
  { agent: "claude-code", level: "user", call: { name: "mcp__seam__greet" } },
  {
    agent: "claude-code",
    level: "project",
    call: { name: "mcp__seam__greet" },
    agree: ({ home }) => {
      const file = join(home, ".claude/settings.json");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ enabledMcpjsonServers: ["seam"] }));
    },
  },
  { agent: "codex", level: "user", call: { name: "greet", namespace: "mcp__seam" } },
  { agent: "gemini", level: "user", call: { name: "mcp_seam_greet" } },
  { agent: "gemini", level: "project", call: { name: "mcp_seam_greet" } },
  { agent: "copilot-cli", level: "user", call: { name: "seam-greet" } },
  { agent: "factoryai-droid", level: "user", call: { name: "seam___greet" } },
  { agent: "opencode", level: "user", call: { name: "seam_greet" } },
];

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.remove());

const TRIED = sampled(
  CASES.map((one) => [`${one.agent}, at ${one.level} level`, one] as const),
  ...["claude-code, at project level", "codex, at user level", "gemini, at project level"],
  ...["copilot-cli, at user level", "factoryai-droid, at user level"],
);

describe.each(TRIED)("a tool of an extension on %s", (_, one) => {
  const { agent, level, call, agree } = one;
  const reason = whyNotRun(AGENTS[agent]);
  it.skipIf(reason !== undefined)(
    "is called through MCP in the agent's own session, and its gate is asked once",
    async () => {
      await stage.prepare(agent);
      agree?.(stage);
      writeFileSync(join(stage.seamHome, "extensions/greet.ts"), GREET);
      stage.use("all-events");
      stage.seam("enable", "--agent", agent, "--level", level, "--mcp");
      const run = await stage.launch({
        agent,
        prompt: "greet them",
        script: [
          // Codex does not wait for a server before its first answer.
          { toolCalls: [{ do: "shell", command: "sleep 2" }] },
          { toolCalls: [{ ...call, input: { name: "Alice" } }] },
          { toolCalls: [{ ...call, input: { name: "Mallory" } }] },
          { text: "Done." },
        ],
      });
      expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      const [, alice, mallory] = modelSaw(run.requests).toolResults;
      expect(alice?.text).toContain(`Hello, Alice! Said in ${run.sessionId}.`);
      expect(mallory?.text).toContain("Not to Mallory.");
      expect(asked(stage, run)).toEqual([
        ["tool_call", "Alice"],
        ["tool_result", "Alice"],
        ["tool_call", "Mallory"],
      ]);
      const enabled = written(stage);
      stage.seam("disable", "--agent", agent, "--level", level);

      expect(JSON.stringify([...written(stage)])).not.toContain("agentseam");
      expect(JSON.stringify([...enabled])).toContain("agentseam-mcp");
    },
  );
});

/** What handlers were asked about the tool, in order, and about whom. */
function asked(at: Stage, { sessionId }: Launched): unknown[] {
  return at
    .seen()
    .filter(({ type, toolName }) => /^tool_(call|result)$/.test(type) && toolName === "greet")
    .filter((event) => event.sessionId === sessionId)
    .map(({ type, input }) => [type, (input as { name?: string }).name]);
}

/** What agents read, in the home and in the project, but for what they write there themselves. */
function written({ home, cwd }: Stage): Map<string, string> {
  const except =
    /(^|\/)(\.seam|\.git|sessions|projects|history|logs?|tmp|cache|\.cache|backups|trusted_hooks.json)(\/|$)/;
  return new Map([...contentsOf(home, except), ...contentsOf(cwd, except)]);
}
