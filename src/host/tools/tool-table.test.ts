import { describe, expect, it } from "vitest";
import {
  addTool,
  type HostedOptions,
  hosted,
  resultTexts,
  storedResults,
  testProject,
  text,
} from "../test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });
const toolNames = (request: { tools?: { name: string }[] } | undefined) =>
  (request?.tools ?? []).map(({ name }) => name);
const LS = { name: "ls", arguments: {} };

describe("the tools a model is offered", () => {
  it("are the built-in ones and those of extensions", async () => {
    const { agent, requests } = await run({
      turns: [{ text: "ok" }],
      extend: (pi) => addTool(pi, "mine", async () => text("ok")),
    });
    await agent.prompt("go");
    const builtin = ["read", "bash", "edit", "write", "grep", "find", "ls", "todo", "Skill"];
    expect(toolNames(requests[0]).sort()).toEqual([...builtin, "mine"].sort());
  });

  it("can be narrowed down by whoever runs the agent", async () => {
    const { agent, requests } = await run({ turns: [{ text: "ok" }], tools: ["read", "ls"] });
    await agent.prompt("go");
    expect(toolNames(requests[0]).sort()).toEqual(["ls", "read"]);
  });

  it("stand in the system prompt with their snippets and guidelines while they are active", async () => {
    const { agent, requests, pi } = await run({
      turns: [{ text: "ok" }, { text: "ok" }],
      extend: (pi) =>
        addTool(pi, "mine", async () => text("ok"), {
          promptSnippet: "does what I say",
          promptGuidelines: ["Use mine with care"],
        }),
    });
    await agent.prompt("go");
    expect(requests[0]?.systemPrompt).toContain("does what I say");
    expect(requests[0]?.systemPrompt).toContain("Use mine with care");
    pi.setActiveTools(["ls"]);
    await agent.prompt("go");
    expect(requests[1]?.systemPrompt).not.toContain("does what I say");
    expect(requests[1]?.systemPrompt).not.toContain("Use mine with care");
  });
});

describe("a tool that is switched off", () => {
  it("is neither offered nor callable", async () => {
    const { agent, requests, pi, of } = await run({
      turns: [{ toolCalls: [LS] }, { text: "ok" }],
    });
    pi.setActiveTools(["read"]);
    expect(pi.getActiveTools()).toEqual(["read"]);
    await agent.prompt("go");
    expect(toolNames(requests[0])).toEqual(["read"]);
    expect(resultTexts(agent)[0]).toContain('no tool "ls"');
    expect(of("tool_call")).toEqual([]);
    expect(pi.getAllTools().map(({ name }) => name)).toContain("ls");
  });

  it("takes effect in the middle of a turn", async () => {
    const { agent, requests, pi } = await run({
      turns: [{ toolCalls: [LS] }, { text: "ok" }],
      on: { tool_result: () => void pi.setActiveTools(["read"]) },
    });
    await agent.prompt("go");
    expect(toolNames(requests[0])).toContain("ls");
    expect(toolNames(requests[1])).toEqual(["read"]);
  });
});

describe("a tool that is registered later", () => {
  it("is offered with the next model call", async () => {
    const { agent, requests, pi } = await run({
      turns: [{ toolCalls: [LS] }, { toolCalls: [{ name: "late" }] }, { text: "ok" }],
      on: { tool_result: () => addTool(pi, "late", async () => text("here I am")) },
    });
    await agent.prompt("go");
    expect(toolNames(requests[0])).not.toContain("late");
    expect(toolNames(requests[1])).toContain("late");
    expect(resultTexts(agent)[1]).toBe("here I am");
  });

  it("is active also when others were switched off before", async () => {
    const { agent, requests, pi } = await run({ turns: [{ text: "ok" }] });
    pi.setActiveTools(["read"]);
    addTool(pi, "late", async () => text("here I am"));
    await agent.prompt("go");
    expect(toolNames(requests[0]).sort()).toEqual(["late", "read"]);
  });
});

describe("a built-in tool", () => {
  it("can be overridden", async () => {
    const { agent, requests, pi } = await run({
      turns: [{ toolCalls: [LS] }, { text: "ok" }],
      extend: (pi) => addTool(pi, "ls", async () => text("nothing to see")),
    });
    await agent.prompt("go");
    expect(resultTexts(agent)).toEqual(["nothing to see"]);
    expect(toolNames(requests[0]).filter((name) => name === "ls")).toEqual(["ls"]);
    const [info] = pi.getAllTools().filter(({ name }) => name === "ls");
    expect(info?.description).toBe("The tool ls");
  });

  it("works on the folder of the agent", async () => {
    project.write("here.txt", "hello");
    const { agent } = await run({
      turns: [
        { toolCalls: [LS, { name: "read", arguments: { path: "here.txt" } }] },
        { text: "ok" },
      ],
    });
    await agent.prompt("go");
    const [listed, read] = resultTexts(agent);
    expect(listed).toContain("here.txt");
    expect(read).toContain("hello");
    expect(storedResults(agent).map(({ isError }) => isError)).toEqual([false, false]);
  });
});

describe("an extension's tool", () => {
  it("gets a context of its own, progress is told, and a dialog finds nobody", async () => {
    const { agent, of } = await run({
      turns: [{ toolCalls: [{ name: "mine" }] }, { text: "ok" }],
      extend: (pi) =>
        addTool(pi, "mine", async (id, _params, signal, onUpdate, ctx) => {
          onUpdate?.(text("half way"));
          const yes = await ctx.ui.confirm("Really?", "");
          return text(`${id} ${ctx.cwd === project.root} ${signal?.aborted} ${yes}`);
        }),
    });
    await agent.prompt("go");
    expect(resultTexts(agent)).toEqual(["call_1 true false false"]);
    expect(of("tool_execution_update")).toMatchObject([
      { toolName: "mine", partialResult: { content: [{ text: "half way" }] } },
    ]);
  });
});
