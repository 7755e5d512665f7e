import { describe, expect, it, onTestFinished } from "vitest";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { list, parse, record } from "../model-server/json.ts";
import { Checkpoint } from "./test-kit/checkpoint.ts";
import { Stage } from "./test-kit/stage.ts";

async function prepared(): Promise<Stage> {
  const stage = new Stage();
  onTestFinished(() => stage.remove());
  await stage.prepare("claude-code");
  stage.seam("enable", "--agent", "claude-code", "--yes");
  return stage;
}

describe.skipIf(whyNotRun(AGENTS["claude-code"]))("the record of Claude Code", () => {
  it("has what a command made in a turn that was killed, when a person commits it", async () => {
    const stage = await prepared();
    const run = await stage.launch({
      agent: "claude-code",
      prompt: "please go",
      script: [
        {
          toolCalls: [
            // The agent has the time to write down what the model said.
            {
              do: "shell",
              command: "echo 'made by a command' > made.txt; sleep 1; kill -9 $PPID",
            },
          ],
        },
        { text: "Never said." },
      ],
    });
    expect(run.signal).toBe("SIGKILL");
    stage.git("add", "made.txt");
    stage.git("commit", "-m", "What it made");
    const checkpoint = new Checkpoint(stage);
    await expect.poll(() => stage.run("git", "show", "refs/seam/checkpoints/v1").code).toBe(0);
    expect(checkpoint.session).toMatchObject({
      session_id: expect.any(String),
      files_touched: ["made.txt"],
      token_usage: { api_call_count: 1 },
    });
    expect(checkpoint.read("0/prompt.txt")).toBe("please go");
    const turns = list(parse(stage.seam("log", "--json"))).map(record);
    expect(turns.find(({ type }) => type === "turn")).toMatchObject({
      files: ["made.txt"],
      cut_off: "agent",
    });
    for (const what of [["log"], ["show"]]) {
      expect(stage.seam(...what)).toContain("cut off: its agent ended");
    }
  });

  it("has both files of a commit that it amends with one more", async () => {
    const stage = await prepared();
    const run = await stage.launch({
      agent: "claude-code",
      prompt: "please go",
      script: [
        { toolCalls: [{ do: "write", path: "ok.txt", content: "fine\n" }] },
        { toolCalls: [{ do: "shell", command: "git add ok.txt && git commit -m 'One file'" }] },
        { toolCalls: [{ do: "shell", command: "echo 'one more' > more.txt && git add more.txt" }] },
        { toolCalls: [{ do: "shell", command: "git commit --amend --no-edit" }] },
        { text: "Done." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const checkpoint = new Checkpoint(stage);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session).toMatchObject({
      files_touched: ["more.txt", "ok.txt"],
      token_usage: { api_call_count: 5 },
    });
  });
});
