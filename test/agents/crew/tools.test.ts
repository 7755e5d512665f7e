import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, onTestFinished } from "vitest";
import type { RunReport } from "../../../src/crew/index.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { scene } from "../drive/launch.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Stage } from "../seam/test-kit/stage.ts";
import { programsFor } from "./test-kit/programs.ts";

const missing = whyNotRun(AGENTS["claude-code"]);
const usage = { input: 900, cached: 100, output: 20 };

const stage = new Stage();
let env: NodeJS.ProcessEnv = {};
afterAll(() => stage.remove());

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Not the stage's own: that one waits, and the model is in this process. */
function seam(...args: string[]): Promise<string> {
  const [program, ...rest] = stage.command;
  return new Promise((resolve, reject) => {
    execFile(program, [...rest, ...args], { cwd: stage.cwd, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}

const WORKFLOW = `---
name: talk
---

## look
role: looker
agent: claude-code
expects: result

Look.

## wait
role: looker
agent: seam:scripted:none
dependsOn: look
approve: true

Wait.
`;

const ROLE = `---
name: looker
description: Looks.
access: read
---
Look.
`;

it.skipIf(missing !== undefined)(
  "Claude Code sees its crew, speaks to it, asks a person and hands over its result through MCP",
  async () => {
    const call = (name: string, input: object) => ({
      name: `mcp__seam__${name}`,
      input: { ...input },
    });
    write(join(stage.seamHome, "crew/agents/looker.md"), ROLE);
    write(join(stage.seamHome, "crew/workflows/talk.workflow.md"), WORKFLOW);
    writeFileSync(join(stage.cwd, "README.md"), "# app\n");
    stage.git("add", "--all");
    stage.git("commit", "--quiet", "--allow-empty", "--message=Start");
    const { play, env: own } = await scene({
      ...stage,
      agent: "claude-code",
      prompt: "",
      script: [
        { toolCalls: [call("crew_status", {})], usage },
        { toolCalls: [call("crew_send", { to: "wait", text: "Mind the gap." })], usage },
        { toolCalls: [call("crew_send", { to: "nobody", text: "Hello?" })], usage },
        { toolCalls: [call("crew_ask", { text: "Which colour?" })], usage },
        { text: "I wait for the colour.", usage },
        { toolCalls: [call("crew_result", { value: { colour: "blue" } })], usage },
        { text: "Blue it is.", usage },
      ],
    });
    env = { ...own, ...stage.env, PATH: `${programsFor(stage.root, ["claude-code"])}:${own.PATH}` };
    const started = await seam("crew", "run", "talk", "Look.", "--detach", "--agree", "--json");
    const { id } = (JSON.parse(started) as { run: { id: string } }).run;
    const shown = async (): Promise<RunReport> =>
      JSON.parse(await seam("crew", "show", id, "--json"));
    const until = async (isSo: (now: RunReport) => boolean) => {
      for (let tries = 0; ; tries++) {
        const now = await shown();
        if (isSo(now)) return now;
        if (now.run.endedAt !== undefined || tries > 600)
          throw new Error(JSON.stringify(modelSaw(play.requests).toolResults));
        await sleep(200);
      }
    };
    const { questions } = await until((now) => now.questions.some(({ kind }) => kind === "ask"));
    const asked = questions.find(({ kind }) => kind === "ask");
    expect(asked?.message).toBe("Which colour?");
    await seam("crew", "answer", asked?.id ?? "", "blue");
    const { tasks } = await until(({ tasks: all }) => all[0]?.state === "done");
    expect(tasks[0]?.result).toEqual({ colour: "blue" });

    const results = modelSaw(play.requests).toolResults.map(({ text }) => text);
    expect(results[0]).toContain("look (you): running");
    expect(results[1]).toContain("Sent to wait.");
    expect(results[2]).toContain("nobody");
    expect(results[3]).toContain("with a person now");
    expect(JSON.stringify(play.requests)).toContain("The answer: blue");
    expect(results.at(-1)).toContain("Your result is kept.");
    const said = await seam("crew", "messages", "--run", id);
    expect(said).toContain("look to wait (unread): Mind the gap.");
    await seam("crew", "cancel", id);
  },
);

it.skipIf(missing !== undefined)(
  "Claude Code, which is in no crew, leads one through MCP",
  async () => {
    const led = new Stage();
    onTestFinished(() => led.remove());
    const script = join(led.root, "quick.json");
    write(script, JSON.stringify([{ text: "It is in a.js." }]));
    const flow = `---\nname: quick\n---\n\n## look\nrole: looker\nagent: seam:scripted:${script}\n\nLook.\n`;
    write(join(led.seamHome, "crew/agents/looker.md"), ROLE);
    write(join(led.seamHome, "crew/workflows/quick.workflow.md"), flow);
    led.seam("enable", "--agent", "claude-code", "--mcp", "--yes");
    const call = (input: object) => ({ name: "mcp__seam__crew", input: { ...input } });
    const wait = { do: "shell", command: "sleep 10" } as const;
    const run = await led.launch({
      agent: "claude-code",
      prompt: "Lead a crew.",
      script: [
        { toolCalls: [call({ action: "start", workflow: "quick", goal: "Find it." })], usage },
        { toolCalls: [wait], usage },
        { toolCalls: [call({ action: "status" })], usage },
        { toolCalls: [call({ action: "cancel" })], usage },
        { text: "Led.", usage },
      ],
    });
    const results = modelSaw(run.requests).toolResults.map(({ text }) => text);
    expect(results[0]).toContain("has begun. Look at it with the action status.");
    expect(results[2]).toContain("done: Find it.");
    expect(results[2]).toContain("It is in a.js.");
    expect(results[3]).toContain("the run is done");
  },
);
