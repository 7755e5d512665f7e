/** Examples that bring providers, and the one that starts other agents. */
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { anthropicAnswer, json, openaiAnswer, pretendNetwork } from "./network.ts";
import { prove, unproven } from "./proofs.ts";
import { folder, isAbout, onSeam, projectDir, put, setEnv, textOf } from "./stage.ts";

prove(
  "C",
  "custom-provider-anthropic",
  "its models are listed; with a key its own stream answers, calls a tool, counts the cost",
  async () => {
    const answers = [
      anthropicAnswer({ text: "Looking." }, { name: "ls", input: { path: "." } }),
      anthropicAnswer({ text: "One file." }),
    ];
    const calls = pretendNetwork(({ url }) =>
      url.startsWith("https://api.anthropic.com/") ? answers.shift() : undefined,
    );
    const stage = await onSeam("custom-provider-anthropic", { files: { "a.txt": "" } });
    const ids = stage.models
      .getAll()
      .filter(({ provider }) => provider === "custom-anthropic")
      .map(({ id }) => id);
    expect(ids).toEqual(["claude-opus-4-5", "claude-sonnet-4-5"]);
    const model = stage.models.resolve("custom-anthropic/claude-sonnet-4-5");
    expect(await stage.agent.setModel(model)).toBe(false);
    setEnv({ CUSTOM_ANTHROPIC_API_KEY: "sk-test" });
    expect(await stage.agent.setModel(model)).toBe(true);
    await stage.prompt("What is here?");
    expect(calls.map(({ headers }) => headers.get("x-api-key"))).toEqual(["sk-test", "sk-test"]);
    expect(textOf(stage.results()[0]?.content)).toContain("a.txt");
    const last = stage.agent.session.buildContext().messages.at(-1);
    expect(last).toMatchObject({
      role: "assistant",
      provider: "custom-anthropic",
      content: [{ type: "text", text: "One file." }],
    });
    expect(last?.role === "assistant" && last.usage.cost.total).toBeCloseTo(0.00315);
    const deltas = stage.events.filter(({ type }) => type === "message_update");
    expect(deltas.length).toBeGreaterThan(3);
    return stage;
  },
);

prove(
  "C",
  "custom-provider-anthropic",
  "login through its OAuth, request with the token, refresh when it is over",
  async () => {
    let issued = 0;
    const calls = pretendNetwork(({ url }) => {
      if (!url.includes("/oauth/token")) return anthropicAnswer({ text: "Hi." });
      issued++;
      return json({
        access_token: `sk-ant-oat-${issued}`,
        refresh_token: "again",
        expires_in: issued === 1 ? 1 : 3600,
      });
    });
    const stage = await onSeam("custom-provider-anthropic");
    const urls: string[] = [];
    await stage.models.login("custom-anthropic", {
      onAuth: ({ url }) => void urls.push(url),
      onPrompt: async () => "code#state",
    });
    expect(urls[0]).toContain("https://claude.ai/oauth/authorize?");
    const model = stage.models.resolve("custom-anthropic/claude-sonnet-4-5");
    expect(stage.models.isUsingOAuth(model)).toBe(true);
    await stage.agent.setModel(model);
    await stage.prompt("Hello.");
    expect(issued).toBe(2);
    expect(calls.at(-1)?.headers.get("authorization")).toBe("Bearer sk-ant-oat-2");
    expect(calls.at(-1)?.body).toContain("You are Claude Code");
    return stage;
  },
);

prove(
  "C",
  "custom-provider-gitlab-duo",
  "its models are listed; Claude and GPT answer through Seam's own protocols at its address",
  async () => {
    const calls = pretendNetwork(({ url }) => {
      if (url.includes("direct_access"))
        return json({ token: "direct", headers: { "X-Duo": "1" } });
      return url.includes("/anthropic/")
        ? anthropicAnswer({ text: "Claude." })
        : openaiAnswer("GPT.");
    });
    setEnv({ GITLAB_TOKEN: "glpat-test" });
    const stage = await onSeam("custom-provider-gitlab-duo");
    const listed = stage.models.getAll().filter(({ provider }) => provider === "gitlab-duo");
    expect(listed).toHaveLength(isAbout("0.74.2") ? 6 : 9);
    await stage.agent.setModel(stage.models.resolve("gitlab-duo/claude-sonnet-4-5-20250929"));
    await stage.prompt("Hello.");
    await stage.agent.setModel(stage.models.resolve("gitlab-duo/gpt-5-codex"));
    await stage.prompt("Hello again.");
    expect(calls.map(({ url }) => url)).toEqual([
      "https://gitlab.com/api/v4/ai/third_party_agents/direct_access",
      "https://cloud.gitlab.com/ai/v1/proxy/anthropic/v1/messages",
      "https://cloud.gitlab.com/ai/v1/proxy/openai/v1/responses",
    ]);
    expect(calls[0]?.headers.get("authorization")).toBe("Bearer glpat-test");
    for (const { headers } of calls.slice(1)) {
      expect(headers.get("authorization")).toBe("Bearer direct");
      expect(headers.get("x-duo")).toBe("1");
    }
    const answers = stage.agent.session
      .buildContext()
      .messages.flatMap((one) => (one.role === "assistant" ? [textOf(one.content)] : []));
    expect(answers).toEqual(["Claude.", "GPT."]);
    return stage;
  },
);
for (const example of ["custom-provider-anthropic", "custom-provider-gitlab-duo"]) {
  unproven("C", example, "the real service: no credentials here, the network is played");
}

// Says what it was asked, as Pi does in its JSON mode.
const PI_STAND_IN = `#!/usr/bin/env node
const args = process.argv.slice(2);
require("node:fs").appendFileSync(process.env.PI_CALLS, JSON.stringify(args) + "\\n");
const task = args.at(-1).replace("Task: ", "");
if (task === "fail") { console.error("no"); process.exit(3); }
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: { total: 0.5 } };
const message = { role: "assistant", content: [{ type: "text", text: "did " + task }], usage, stopReason: "stop", model: "m" };
console.log(JSON.stringify({ type: "agent_start" }));
console.log(JSON.stringify({ type: "message_end", message }));
`;
const SCOUT = "---\nname: scout\ndescription: Looks.\ntools: read, ls\nmodel: tiny\n---\nLook.\n";

async function withStandIn(turns: Parameters<typeof onSeam>[1]) {
  const bin = folder("bin");
  put(join(bin, "pi"), PI_STAND_IN);
  chmodSync(join(bin, "pi"), 0o755);
  const log = join(bin, "calls.jsonl");
  setEnv({ PATH: `${bin}:${process.env.PATH}`, PI_CALLS: log });
  // The example starts the program it runs in, if that is a script: here that is the test runner.
  const [, script] = process.argv;
  process.argv[1] = "";
  onTestFinished(() => {
    process.argv[1] = script ?? "";
  });
  const stage = await onSeam("subagent", turns);
  put(join(stage.home, ".seam/agents/scout.md"), SCOUT);
  const calls = () =>
    readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string[]);
  return { stage, calls };
}

prove(
  "C",
  "subagent",
  "single, parallel and chain with {previous}; usage adds up; progress streams (a stand-in for pi)",
  async () => {
    const task = (text: string) => ({ agent: "scout", task: text });
    const call = (input: Record<string, unknown>) => ({
      toolCalls: [{ name: "subagent", arguments: input }],
    });
    const { stage, calls } = await withStandIn({
      turns: [
        call(task("look")),
        call({ tasks: [task("left"), task("right")] }),
        call({ chain: [task("first"), task("after {previous}")] }),
        call(task("fail")),
        { text: "Done." },
      ],
    });
    await stage.prompt("Delegate.");
    const [single, parallel, chain, failed] = stage.results();
    expect(textOf(single?.content)).toBe("did look");
    expect(single?.details).toMatchObject({
      mode: "single",
      results: [{ usage: { input: 10, output: 5, cost: 0.5, turns: 1 }, exitCode: 0 }],
    });
    expect(textOf(parallel?.content)).toContain("Parallel: 2/2 succeeded");
    expect(textOf(chain?.content)).toBe("did after did first");
    expect(textOf(failed?.content)).toContain("no");
    expect(failed).toMatchObject({ isError: true });
    expect(calls()[0]).toEqual([
      ...["--mode", "json", "-p", "--no-session", "--model", "tiny", "--tools", "read,ls"],
      ...["--append-system-prompt", expect.stringContaining("prompt-scout.md"), "Task: look"],
    ]);
    const updates = stage.events.filter(({ type }) => type === "tool_execution_update");
    expect(updates.length).toBeGreaterThanOrEqual(5);
    return stage;
  },
);

prove("C", "subagent", "agents of the project run only after a yes", async () => {
  const input = { agent: "scout", task: "look", agentScope: "project" };
  const { stage } = await withStandIn({
    turns: [{ toolCalls: [{ name: "subagent", arguments: input }] }, { text: "Done." }],
    files: {
      [`${projectDir()}/agents/scout.md`]: SCOUT,
      // Nobody agreed to what this project wants to run.
      ".seam/extensions/unread.ts": "export default () => {};\n",
    },
    answers: [false],
  });
  await stage.prompt("Delegate.");
  expect(textOf(stage.results()[0]?.content)).toBe("Canceled: project-local agents not approved.");
  expect(stage.person.seen.questions[0]?.title).toBe("Run project-local agents?");
  return stage;
});
unproven(
  "C",
  "subagent",
  "a real child: inside `seam run` it fails, as it starts the program it is in with Pi's options",
);
