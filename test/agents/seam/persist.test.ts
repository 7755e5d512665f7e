import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sampled } from "../../setup/sample.ts";
import type { AgentName } from "../drive/agent.ts";
import { newestOf } from "../drive/agents/index.ts";
import { labelOf, whyNotRun } from "../drive/installed.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Stage } from "./test-kit/stage.ts";
import { until } from "./test-kit/until.ts";

/** Stops one command, hides what others say, and notes what it is told about their places. */
const NOTES = (file: string) => `import { appendFileSync } from "node:fs";
export default (pi) => {
  const isStopped = (input) => String(input?.command ?? "").includes("rm -rf");
  pi.on("tool_call", (event) => isStopped(event.input) && { block: true, reason: "Not here." });
  pi.on("tool_result", () => ({ content: [{ type: "text", text: "hidden by Seam" }] }));
  for (const type of ["before_tool_call_persist", "after_tool_call_persist"])
    pi.on(type, (event) => {
      const { content, isError } = event.toolResult ?? {};
      const said = { type, id: event.toolCallId, stopped: isStopped(event.toolInput) };
      appendFileSync(${JSON.stringify(file)}, JSON.stringify({ ...said, text: content?.[0]?.text, isError }) + "\\n");
    });
};
`;

interface Noted {
  readonly type: string;
  readonly id: string;
  readonly stopped: boolean;
  readonly text?: string;
  readonly isError?: boolean;
}

/** What the second call is known to have said: another result where the agent can be told one. */
const HIDDEN = "hidden by Seam";
const OPEN = "in the open";

const SAID: readonly (readonly [AgentName, string])[] = [
  ["claude-code", HIDDEN],
  ["codex", HIDDEN],
  ["gemini", HIDDEN],
  ["copilot-cli", HIDDEN],
  ["opencode", HIDDEN],
  ["pi", HIDDEN],
  ["factoryai-droid", OPEN],
];

it.each(
  sampled(SAID, "claude-code", "codex", "gemini", "pi", "factoryai-droid").flatMap(([name, said]) =>
    newestOf(name).map((release) => [labelOf(release), release, said] as const),
  ),
)(
  "on %s the persist pair comes for a stopped call too, and with the result as it was replaced",
  async (_, release, said) => {
    expect(whyNotRun(release)).toBeUndefined();
    const stage = new Stage(release);
    onTestFinished(() => stage.remove());
    const agent = release.name;
    await stage.prepare(agent);
    const file = join(stage.seamHome, "noted");
    writeFileSync(join(stage.seamHome, "extensions/notes.ts"), NOTES(file));
    stage.seam("enable", "--agent", agent, "--level", "user");
    const run = await stage.launch({
      agent,
      prompt: "clean up",
      script: [
        { toolCalls: [{ do: "shell", command: "rm -rf keep" }] },
        { toolCalls: [{ do: "shell", command: "echo in the open" }] },
        { text: "I could not." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const [, second] = modelSaw(run.requests).toolResults;
    expect(second?.text).toContain(said);
    const noted = (): Noted[] => {
      try {
        const lines = readFileSync(file, "utf8").trim().split("\n");
        return lines.map((line) => JSON.parse(line) as Noted);
      } catch {
        return [];
      }
    };
    await until(() => noted().length >= 4);
    // All that is still to come has come when the daemon has ended.
    stage.seam("daemon", "stop");
    const [stopped, ran] = [true, false].map((is) => noted().filter((one) => one.stopped === is));
    expect(stopped).toMatchObject([
      { type: "before_tool_call_persist" },
      { type: "after_tool_call_persist", text: "Not here.", isError: true },
    ]);
    expect(ran).toMatchObject([
      { type: "before_tool_call_persist" },
      { type: "after_tool_call_persist", text: expect.stringContaining(said) },
    ]);
    for (const pair of [stopped, ran]) expect(new Set(pair?.map(({ id }) => id)).size).toBe(1);
  },
);
