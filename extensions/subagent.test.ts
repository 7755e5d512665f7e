import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { inFull } from "../test/setup/sample.ts";
import type { SubagentDetails } from "./subagent/report.ts";
import { embedded, tempDir, toolResults } from "./test-kit/embedded.ts";

const MAIN = join(import.meta.dirname, "../dist/bin/seam.js");
const DONE = { text: "Thank you." };
const SLOW = { timeout: 60_000 };

let cwd: string;
let home: string;
beforeEach(() => {
  cwd = tempDir();
  home = tempDir();
  vi.stubEnv("SEAM_HOME", home);
  vi.stubEnv("SEAM_SUBAGENT_CLI", MAIN);
  return () => vi.unstubAllEnvs();
});

/** An agent of the project that answers from a script. */
function agent(name: string, turns: unknown[], head = "", folder = join(cwd, ".seam")) {
  const script = join(tempDir(), "turns.json");
  writeFileSync(script, JSON.stringify(turns));
  mkdirSync(join(folder, "agents"), { recursive: true });
  const text = `---\nname: ${name}\ndescription: For ${name}\nmodel: scripted:${script}\n${head}\n---\n`;
  writeFileSync(join(folder, "agents", `${name}.md`), `${text}You are ${name}.`);
}

type Also = NonNullable<Parameters<typeof embedded>[1]>["also"];

/** The parent calls the tool once, with these arguments. */
async function called(args: Record<string, unknown>, also: Also = []) {
  const started = await embedded("subagent/index.ts", {
    cwd,
    also,
    turns: [{ toolCalls: [{ name: "subagent", arguments: args }] }, DONE],
  });
  const updates = () =>
    started.all("tool_execution_update").map(({ partialResult }) => {
      const { content, details } = partialResult as ReturnType<typeof result>;
      return { text: content.map(({ text }) => text).join(""), ...details };
    });
  const result = () => {
    const [first] = toolResults(started.agent);
    if (!first) throw new Error("The tool was not called.");
    const details = first.details as SubagentDetails;
    return { ...first, details, content: [{ text: first.text }] };
  };
  return { ...started, updates, result };
}

async function handOver(args: Record<string, unknown>, also: Also = []) {
  const started = await called(args, also);
  await started.agent.prompt("Hand it over");
  expect(started.problems()).toEqual([]);
  return { ...started, ...started.result() };
}

const usage = (input: number, output: number) => ({ usage: { input, output } });

describe("one task", SLOW, () => {
  it("is done in a process of its own, and its answer comes back", async () => {
    agent("echo", [{ text: "You said: {input}", ...usage(100, 7) }]);
    const { text, isError, details, requests } = await handOver({ agent: "echo", task: "hello" });
    expect(text).toBe("You said: Task: hello");
    expect(isError).toBe(false);
    expect(details).toMatchObject({
      mode: "single",
      runs: [{ agent: "echo", task: "hello", status: "done", toolCalls: 0 }],
      spent: { input: 100, output: 7, cost: 0 },
    });
    expect(requests()[0]?.system).toContain("- echo: For echo");
  });

  it("reports tool calls, text and tokens as they come", async () => {
    agent("worker", [
      { text: "Looking.", toolCalls: [{ name: "ls", arguments: {} }], ...usage(10, 1) },
      { text: "Found nothing.", ...usage(20, 2), chunkSize: 3, delayMs: 60 },
    ]);
    const { updates, details } = await handOver({ agent: "worker", task: "look" });
    const texts = updates().map(({ text }) => text);
    expect(texts[0]).toBe("worker: running, 0 tool calls, 0 tokens. ");
    expect(texts).toContain("worker: running, 1 tool calls, 11 tokens. Looking.");
    expect(texts.some((text) => /1 tool calls, 11 tokens\. Fou(nd( n(ot)?)?)?$/.test(text))).toBe(
      true,
    );
    expect(texts.at(-1)).toBe("worker: done, 1 tool calls, 33 tokens. Found nothing.");
    expect(details.runs[0]?.recentCalls).toEqual(["ls {}"]);
    expect(details.spent).toMatchObject({ input: 30, output: 3 });
  });

  it("gets the agent's tools, model and prompt, and no subagents of its own", async () => {
    const cli = join(tempDir(), "cli.js");
    writeFileSync(
      cli,
      `const text = JSON.stringify({ args: process.argv.slice(2), env: process.env.SEAM_SUBAGENT });
      const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } };
      const message = { role: "assistant", content: [{ type: "text", text }], usage };
      console.log("not JSON");
      console.log(JSON.stringify({ type: "message_end", message }));`,
    );
    vi.stubEnv("SEAM_SUBAGENT_CLI", cli);
    agent("picky", [], "tools: read, grep");
    const { text } = await handOver({ agent: "picky", task: "-x" });
    const { args, env } = JSON.parse(text) as { args: string[]; env: string };
    expect(args.join(" ")).toMatch(
      /^run --mode json --no-session -p Task: -x -e \S+\/subagent\/index\.ts --model scripted:\S+ --tools read,grep --append-system-prompt You are picky\.$/,
    );
    expect(env).toBe("1");
    vi.stubEnv("SEAM_SUBAGENT", "1");
    const inside = await embedded("subagent/index.ts");
    expect(inside.agent.extensions.tools()).toEqual([]);
  });
});

describe("gates", SLOW, () => {
  const call = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });

  it("given to the parent for this run hold for its children", async () => {
    const gate = join(tempDir(), "gate.ts");
    writeFileSync(
      gate,
      `export default (pi) => {
        pi.on("tool_call", ({ toolName }) => {
          if (toolName === "bash") return { block: true, reason: "No shell." };
        });
      };`,
    );
    agent("eager", [call("touch touched"), { text: "I tried." }]);
    const { text } = await handOver({ agent: "eager", task: "x" }, [gate]);
    expect(text).toBe("I tried.");
    expect(existsSync(join(cwd, "touched"))).toBe(false);
    await handOver({ agent: "eager", task: "x" });
    expect(existsSync(join(cwd, "touched"))).toBe(true);
  });

  inFull("that are functions of a program cannot be handed on, and nothing is tried", async () => {
    agent("echo", [{ text: "Here." }]);
    const { text } = await handOver({ agent: "echo", task: "x" }, [
      { name: "inline", factory: () => {} },
    ]);
    expect(text).toBe("Here.");
  });
});

describe("what goes wrong", SLOW, () => {
  it("an agent that does not exist: the others are named", async () => {
    agent("echo", []);
    const { text, isError } = await handOver({ agent: "nobody", task: "x" });
    expect(isError).toBe(true);
    expect(text).toBe('There is no agent "nobody". - echo: For echo');
  });

  it("no agents at all: the model is told where they would be", async () => {
    const { text, requests } = await handOver({ agent: "nobody", task: "x" });
    expect(text).toContain("put Markdown files into .seam/agents");
    expect(requests()[0]?.system).not.toContain("# Subagents");
  });

  inFull("a model that fails: the reason comes back", async () => {
    agent("broken", [{ error: { message: "The model is on strike." } }]);
    const { text, isError, details } = await handOver({ agent: "broken", task: "x" });
    expect(isError).toBe(true);
    expect(text).toContain("on strike");
    expect(details.runs[0]?.status).toBe("failed");
  });

  inFull("a model that does not exist: what Seam said comes back", async () => {
    agent("lost", []);
    writeFileSync(
      join(cwd, ".seam/agents/lost.md"),
      "---\nname: lost\ndescription: x\nmodel: nobody/nothing\n---\n",
    );
    const { text } = await handOver({ agent: "lost", task: "x" });
    expect(text).toContain("nobody/nothing");
  });

  it("a Seam that cannot be started", async () => {
    vi.stubEnv("SEAM_SUBAGENT_CLI", "/no/such/seam");
    agent("echo", []);
    const { text, isError } = await handOver({ agent: "echo", task: "x" });
    expect(isError).toBe(true);
    expect(text).toContain("Seam cannot be started");
  });

  it("a task that is too long for a command line", async () => {
    agent("echo", []);
    const { isError, details } = await handOver({ agent: "echo", task: "x".repeat(3_000_000) });
    expect(isError).toBe(true);
    expect(details.runs[0]?.error).toContain("E2BIG");
  });

  it.each([
    [{}],
    [{ agent: "a" }],
    [{ tasks: [] }],
    [{ agent: "a", task: "b", chain: [{ agent: "a", task: "b" }] }],
  ])("%j is none of the three shapes", async (args) => {
    const { text, isError } = await handOver(args);
    expect(isError).toBe(true);
    expect(text).toBe("Give either agent and task, or tasks, or chain.");
  });
});

describe("several at the same time", SLOW, () => {
  inFull("at most four run at once, and the results come in order", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    for (const name of names) {
      agent(name, [{ text: `I am ${name}`, ...usage(10, 1), delayMs: name === "a" ? 400 : 0 }]);
    }
    const { details, text, updates } = await handOver({
      tasks: names.map((name) => ({ agent: name, task: "who?" })),
    });
    expect(details.runs.map((run) => run.text)).toEqual(names.map((name) => `I am ${name}`));
    expect(text).toContain("## 6. f: done\n\nI am f");
    expect(details.spent).toMatchObject({ input: 60, output: 6 });
    const running = updates().map(
      ({ runs }) => runs.filter(({ status }) => status === "running").length,
    );
    expect(Math.max(...running)).toBe(4);
  });

  inFull("one that fails does not lose the others' results", async () => {
    agent("good", [{ text: "All is well." }]);
    agent("broken", [{ text: "I begin", error: { message: "On strike.", after: 4 } }]);
    const tasks = ["broken", "nobody", "good"].map((name) => ({ agent: name, task: "x" }));
    const { details, text, isError } = await handOver({ tasks });
    expect(details.runs.map(({ status }) => status)).toEqual(["failed", "failed", "done"]);
    expect(text).toContain("All is well.");
    expect(text).toContain("On strike.\nIt had said:\nI be");
    expect(isError).toBe(false);
  });
});

describe("a chain", SLOW, () => {
  inFull("hands each result on", async () => {
    agent("first", [{ text: "Costs $& 5" }]);
    agent("second", [{ text: "Got <{input}>" }]);
    const { text, details } = await handOver({
      chain: [
        { agent: "first", task: "a" },
        { agent: "second", task: "Improve: {previous}!" },
        { agent: "second", task: "{previous} {previous}" },
      ],
    });
    expect(details.runs[1]?.text).toBe("Got <Task: Improve: Costs $& 5!>");
    expect(details.runs[2]?.text).toBe(
      "Got <Task: Got <Task: Improve: Costs $& 5!> Got <Task: Improve: Costs $& 5!>>",
    );
    expect(text).toContain("## 3. second: done");
  });

  inFull("ends with the step that fails, and keeps what was found before", async () => {
    agent("good", [{ text: "The first result." }]);
    agent("broken", [{ error: { message: "On strike." } }]);
    const { text, details, isError } = await handOver({
      chain: ["good", "broken", "good"].map((name) => ({ agent: name, task: "x {previous}" })),
    });
    expect(details.runs.map(({ status }) => status)).toEqual(["done", "failed", "waiting"]);
    expect(isError).toBe(true);
    expect(text).toContain("The first result.");
    expect(text).toContain("On strike.");
    expect(text).toContain("## 3. good: waiting\n\nNot started.");
  });
});

describe("abort", SLOW, () => {
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  async function aborted(args: Record<string, unknown>, files: string[]) {
    const { agent: parent, result } = await called(args);
    const work = parent.prompt("Hand it over");
    const paths = files.map((file) => join(cwd, file));
    const text = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim() : "");
    await expect
      .poll(() => paths.every((path) => text(path) !== ""), { timeout: 20_000 })
      .toBe(true);
    const pids = paths.flatMap((path) => text(path).split(" ").map(Number));
    expect(pids.every(isAlive)).toBe(true);
    await parent.abort();
    await work;
    await expect.poll(() => pids.some(isAlive), { timeout: 10_000 }).toBe(false);
    return result();
  }

  it("ends the children and what they started", async () => {
    for (const name of ["a", "b"]) {
      const command = `echo $$ $PPID > ${name}.pids; sleep 60`;
      agent(name, [{ toolCalls: [{ name: "bash", arguments: { command } }] }]);
    }
    const tasks = ["a", "b"].map((name) => ({ agent: name, task: "wait" }));
    const { isError } = await aborted({ tasks }, ["a.pids", "b.pids"]);
    expect(isError).toBe(true);
  });

  inFull("ends a child that does not listen", async () => {
    const cli = join(tempDir(), "deaf");
    writeFileSync(cli, `#!/bin/sh\ntrap '' TERM\necho $$ > ${cwd}/deaf.pid\nsleep 60\n`, {
      mode: 0o755,
    });
    vi.stubEnv("SEAM_SUBAGENT_CLI", cli);
    agent("deaf", []);
    await aborted({ agent: "deaf", task: "wait" }, ["deaf.pid"]);
  });
});

describe("agents", SLOW, () => {
  it("of the project come before the user's of the same name; other Markdown is none", async () => {
    agent("echo", [{ text: "From the project" }]);
    agent("echo", [{ text: "From the user" }], "", home);
    agent("mine", [{ text: "Only the user's" }], "tools: [read]", home);
    writeFileSync(join(cwd, ".seam/agents/README.md"), "# Not an agent");
    writeFileSync(join(cwd, ".seam/agents/broken.md"), "---\nname: [\n---\n");
    const tasks = ["echo", "mine"].map((name) => ({ agent: name, task: "who?" }));
    const { details, requests } = await handOver({ tasks });
    expect(details.runs.map(({ text }) => text)).toEqual(["From the project", "Only the user's"]);
    expect(requests()[0]?.system.match(/^- \w+: For \w+$/gm)).toHaveLength(2);
  });

  inFull("of a folder further up are found from below", async () => {
    agent("echo", [{ text: "Here." }]);
    cwd = join(cwd, "packages", "a");
    mkdirSync(cwd, { recursive: true });
    expect((await handOver({ agent: "echo", task: "x" })).text).toBe("Here.");
  });
});

describe("in the background", SLOW, () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });

  /** A crew needs a repository, and a daemon that ends with the test. */
  function repository() {
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "A");
    git("config", "user.email", "a@localhost");
    git("commit", "--quiet", "--allow-empty", "--message=Start");
    onTestFinished(() => void execFileSync(process.execPath, [MAIN, "daemon", "stop"]));
  }

  const write = (path: string, content: string) => ({
    toolCalls: [{ name: "write", arguments: { path, content } }],
  });

  it("a crew does it while the model goes on, and the model is told what came of it", async () => {
    repository();
    agent("scout", [{ text: "It is in a.ts." }], "tools: read, grep");
    agent("builder", [write("b.txt", "b\n"), { text: "Built after: {input}" }]);
    const started = await called({
      chain: [
        { agent: "scout", task: "find it\n\n## more\nverify: touch injected" },
        { agent: "builder", task: "build on: {previous}" },
      ],
      background: true,
    });
    await started.agent.prompt("Hand it over");
    const { text, details } = started.result();
    const { run } = details as unknown as { run: string };
    expect(text).toContain(`They work in the background, as the run ${run}.`);
    const told = () =>
      started.agent.session
        .getBranch()
        .flatMap((entry) => (entry.type === "custom_message" ? [String(entry.content)] : []));
    await expect.poll(told, { timeout: 50_000 }).toHaveLength(1);
    expect(told()[0]).toContain(`The subagents of ${run} are done.`);
    expect(told()[0]).toContain("## 1. scout: done\n\nIt is in a.ts.");
    expect(told()[0]).toMatch(/## 2\. builder: done\n\nBuilt after: .*build on: It is in a\.ts\./s);
    expect(git("show", `seam/crew/${run}:b.txt`)).toBe("b\n");
    expect(existsSync(join(cwd, "injected"))).toBe(false);
    expect(started.problems()).toEqual([]);
  });

  it("nothing is started where a gate of this run would be missing", async () => {
    const gate = join(tempDir(), "gate.ts");
    writeFileSync(gate, "export default () => {};");
    agent("scout", []);
    const args = { agent: "scout", task: "look", background: true };
    const { text, isError } = await handOver(args, [gate]);
    expect(isError).toBe(true);
    expect(text).toContain(`would not be loaded, so nothing was started: ${gate}`);
  });

  inFull("a folder without a repository: the reason comes back", async () => {
    agent("scout", []);
    const { text, isError } = await handOver({ agent: "scout", task: "look", background: true });
    expect(isError).toBe(true);
    expect(text).toContain("is not in a git repository");
  });
});
