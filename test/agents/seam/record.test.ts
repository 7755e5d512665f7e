import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AGENTS } from "../drive/agents/index.ts";
import { Stage } from "./test-kit/stage.ts";
import { until } from "./test-kit/until.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.remove());

it("records", async () => {
  for (const name of ["greet", "review"]) {
    const f = join(stage.cwd, AGENTS["claude-code"].skillFile(name));
    mkdirSync(dirname(f), { recursive: true });
    writeFileSync(f, `---\nname: ${name}\ndescription: x\n---\nSay ${name}.\n`);
  }
  stage.git("add", "-A");
  stage.git("commit", "-m", "Skills");
  await stage.prepare("claude-code");
  console.log(stage.seam("enable", "--agent", "claude-code"));
  const run = await stage.launch({
    agent: "claude-code",
    prompt: "please go",
    script: {
      turns: [
        { toolCalls: [{ do: "skill", name: "greet" }] },
        { toolCalls: [{ do: "subagent", prompt: "SMALL-PART of it" }] },
        { toolCalls: [{ do: "write", path: "ok.txt", content: "fine\n" }] },
        { toolCalls: [{ do: "shell", command: "git add ok.txt && git commit -m 'Agent commit'" }] },
        { toolCalls: [{ do: "skill", name: "review" }] },
        { toolCalls: [{ do: "write", path: "later.txt", content: "later\n" }] },
        { text: "Done." },
      ],
      subagents: [
        {
          prompt: "SMALL-PART",
          turns: [
            { toolCalls: [{ do: "write", path: "child.txt", content: "child\n" }] },
            { text: "Part done." },
          ],
        },
      ],
    },
  });
  expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
  const id = /Seam-Checkpoint: (\w+)/.exec(stage.git("log", "-1", "--format=%B"))?.[1] ?? "";
  const meta = () => stage.git("show", `refs/seam/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}/0/metadata.json`);
  await until(() => (JSON.parse(meta()).skill_events ?? []).length === 2);
  console.log(meta());
  console.log(stage.git("show", `refs/seam/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}/metadata.json`));
  console.log(stage.seam("show", "HEAD"));
  console.log(stage.seam("log"), stage.seam("log", "--json", "--turns"));
  console.log(stage.seam("status"));
  console.log(stage.ask("rewind", "HEAD", "--dry-run"), stage.ask("resume", "HEAD"));
  console.log(stage.git("fsck", "--strict"), stage.git("for-each-ref"), stage.git("status", "--porcelain"));
});
