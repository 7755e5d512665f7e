import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Question } from "../../../src/daemon/index.ts";
import { readText } from "../../../src/files/index.ts";
import { sampled } from "../../setup/sample.ts";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { parse, record } from "../model-server/json.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Stage } from "./test-kit/stage.ts";
import { until } from "./test-kit/until.ts";

let stage: Stage;
let watcher: ChildProcess | undefined;
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  watcher?.kill();
  await stage.remove();
});

/** Not the stage's own: that one waits, and the model of these tests is in this process. */
function seam(...args: string[]): Promise<string> {
  const [program, ...rest] = stage.command;
  const options = { cwd: stage.cwd, env: stage.env };
  return new Promise((resolve, reject) => {
    execFile(program, [...rest, ...args], options, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}

/** A person whose terminal is attached to the inbox. */
async function attach(): Promise<void> {
  const [program, ...rest] = stage.command;
  watcher = spawn(program, [...rest, "inbox", "--watch", "--json"], {
    cwd: stage.cwd,
    env: stage.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise((resolve) => watcher?.stdout?.once("data", resolve));
}

/** How many questions are kept on disk without an answer. */
function kept(): number {
  const folder = join(stage.seamHome, "run/inbox");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  // One that was answered may be gone by the time its file is read.
  const texts = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => readText(join(folder, name)) ?? "");
  const kept = texts.map((text) => record(parse(text)));
  return kept.filter(({ question, settled }) => question !== undefined && settled === undefined)
    .length;
}

async function waiting(count = 1): Promise<readonly Question[]> {
  let questions: readonly Question[] = [];
  const deadline = Date.now() + 60_000;
  while (questions.length < count && Date.now() < deadline) {
    // A command asked again and again would keep the processors from the agent that is to ask.
    await until(() => kept() >= count);
    ({ questions } = JSON.parse(await seam("inbox", "--json")));
  }
  expect(questions).toHaveLength(count);
  return questions;
}

const REMOVES = [
  { toolCalls: [{ do: "shell", command: "rm -rf keep" } as const] },
  { text: "So be it." },
];

async function ready(...agents: readonly AgentName[]): Promise<void> {
  await stage.prepare(...agents);
  stage.use("permission-gate");
  mkdirSync(join(stage.cwd, "keep"));
  stage.seam("enable", "--agent", ...agents, "--level", "user");
  await attach();
}

/** All whose hooks wait for an answer. */
const ALL: readonly AgentName[] = [
  "claude-code",
  "codex",
  "gemini",
  "copilot-cli",
  "opencode",
  "factoryai-droid",
  "pi",
];

const HELD = sampled(ALL, "claude-code", "codex", "gemini", "opencode", "pi");

/** Those whose turn can be ended from outside; the others are refused their calls. */
const ENDS: ReadonlySet<AgentName> = new Set(["gemini", "opencode", "factoryai-droid", "pi"]);

/** The gate asks about it, and no agent has rules of its own about it. */
const OPENS = "chmod 777 keep";
const isOpen = () => (statSync(join(stage.cwd, "keep")).mode & 0o777) === 0o777;

describe.each(HELD.filter((agent) => !whyNotRun(AGENTS[agent])))("%s", (agent) => {
  it("is held and spoken to, and waits at a gate for an answer, over the death of the daemon", async () => {
    await ready(agent);
    const script = [
      { toolCalls: [{ do: "shell", command: OPENS } as const] },
      { toolCalls: [{ do: "shell", command: OPENS } as const] },
      { toolCalls: [{ do: "shell", command: "echo ran > ran.txt" } as const] },
      { text: "Done." },
    ];
    const run = stage.launch({ agent, prompt: "clean up", script });
    const [first] = await waiting();
    expect(first).toMatchObject({
      agent,
      by: "permission-gate",
      call: { tool: "bash", input: { command: expect.stringContaining(OPENS) } },
    });
    const session = first?.session ?? "";
    await seam("hold", session);
    const canSay = await seam("say", session, "Mind the words.").then(
      () => true,
      (error: Error) => {
        expect(error.message).toContain("cannot be told something while it works");
        return false;
      },
    );
    await seam("inbox", "answer", first?.id ?? "", "no");
    const [held] = await waiting();
    expect(held).toMatchObject({ title: "Held at this call", by: "seam" });
    await seam("hold", session, "--off");
    const [second] = await waiting();
    expect(second).toMatchObject({ by: "permission-gate" });
    expect(isOpen()).toBe(false);
    process.kill(stage.daemonPid ?? 0, "SIGKILL");
    const [again] = await waiting();
    expect(again?.id).toBe(second?.id);
    await seam("inbox", "answer", second?.id ?? "", "yes");
    const done = await run;
    expect(done, done.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    expect(modelSaw(done.requests).toolResults[0]?.text).toContain("The user said no.");
    expect(isOpen()).toBe(true);
    expect(readFileSync(join(stage.cwd, "ran.txt"), "utf8")).toBe("ran\n");
    const heard = JSON.stringify(done.requests.map((request) => request.heard));
    expect(heard.includes("Mind the words.")).toBe(canSay);
    expect(canSay).toBe(agent !== "opencode");
  });

  const INTERRUPTED = sampled(ALL, "claude-code", "gemini", "pi");
  it.runIf(INTERRUPTED.includes(agent))(
    "is interrupted while it waits: the call does not run, and the turn ends where the agent can",
    async () => {
      await ready(agent);
      const script = [
        { toolCalls: [{ do: "shell", command: OPENS } as const] },
        { text: "I stop here." },
      ];
      const run = stage.launch({ agent, prompt: "clean up", script });
      const [question] = await waiting();
      const { ends } = JSON.parse(await seam("interrupt", question?.session ?? "", "--json"));
      expect(ends).toBe(ENDS.has(agent) ? "next step" : "calls refused");
      const done = await run;
      expect(isOpen()).toBe(false);
      // Whose turn ends does not ask its model once more.
      expect([agent, done.unplayed]).toEqual([agent, ENDS.has(agent) ? 1 : 0]);
    },
  );
});

it.skipIf(whyNotRun(AGENTS["claude-code"]))(
  "Pi's own permission gate asks on Claude Code, unchanged, and its answer counts",
  async () => {
    const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));
    const example = join(modules, AGENTS.pi.package, "examples/extensions/permission-gate.ts");
    await stage.prepare("claude-code");
    copyFileSync(example, join(stage.seamHome, "extensions/pi-gate.ts"));
    mkdirSync(join(stage.cwd, "keep"));
    stage.seam("enable", "--agent", "claude-code", "--level", "user");
    await attach();
    for (const [answer, isThere] of [
      ["No", true],
      ["Yes", false],
    ] as const) {
      const run = stage.launch({ agent: "claude-code", prompt: "clean up", script: REMOVES });
      const [question] = await waiting();
      expect(question).toMatchObject({ method: "select", by: "pi-gate", choices: ["Yes", "No"] });
      await seam("inbox", "answer", question?.id ?? "", answer);
      expect((await run).code).toBe(0);
      expect(existsSync(join(stage.cwd, "keep"))).toBe(isThere);
    }
  },
);

it.each(["claude-code", "opencode", "pi"] as const)(
  "%s ends its turn after the command that runs when it is interrupted",
  async (agent) => {
    await ready(agent);
    const command = "touch started; until [ -e go ]; do sleep 0.1; done; touch ended";
    const script = [{ toolCalls: [{ do: "shell", command } as const] }, { text: "I would go on." }];
    const run = stage.launch({ agent, prompt: "work", script });
    await until(() => existsSync(join(stage.cwd, "started")));
    const { sessions } = JSON.parse(await seam("hold", "--json"));
    await seam("interrupt", sessions[0].session);
    writeFileSync(join(stage.cwd, "go"), "");
    const done = await run;
    expect([agent, done.unplayed]).toEqual([agent, 1]);
  },
);

it("a client that leaves gives the gate back to the agent", async () => {
  await ready("claude-code");
  watcher?.kill();
  await until(() => watcher?.signalCode !== null || watcher.exitCode !== null);
  const run = await stage.launch({ agent: "claude-code", prompt: "clean up", script: REMOVES });
  expect(existsSync(join(stage.cwd, "keep"))).toBe(true);
  expect(modelSaw(run.requests).toolResults[0]?.isError).toBe(true);
});
