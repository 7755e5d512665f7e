import { existsSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import {
  addTool,
  type HostedOptions,
  hosted,
  resultTexts,
  storedMessages,
  storedResults,
  testProject,
  text,
} from "./test-kit/index.ts";

const project = testProject();

/** A model that calls `echo` once, and what the tool was really run with. */
async function echo(options: HostedOptions) {
  const ran: unknown[] = [];
  const host = await hosted({
    cwd: project.root,
    turns: [{ toolCalls: [{ name: "echo", arguments: { say: "hi" } }] }, { text: "done" }],
    extend: (pi) =>
      addTool(
        pi,
        "echo",
        async (_id, params) => {
          ran.push(params);
          return text("echoed", { details: { secret: true } });
        },
        { parameters: Type.Object({ say: Type.String() }) },
      ),
    ...options,
  });
  await host.agent.prompt("go");
  return { ...host, ran };
}

describe("what handlers of tool_call return", () => {
  it("stops the call: nothing runs and the model is told why", async () => {
    const { agent, ran, requests, of } = await echo({
      on: { tool_call: () => ({ block: true, reason: "Not on my watch" }) },
    });
    expect(ran).toEqual([]);
    expect(storedResults(agent)).toMatchObject([{ isError: true, toolName: "echo" }]);
    expect(resultTexts(agent)).toEqual(["Not on my watch"]);
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: "toolResult", isError: true });
    expect(of("tool_result")).toEqual([]);
    expect(of("tool_execution_end")).toMatchObject([{ isError: true }]);
  });

  it.each([
    ["returned", () => ({ input: { say: "changed" } })],
    [
      "changed in place",
      ({ input }: { input: Record<string, unknown> }) => {
        input.say = "changed";
        return undefined;
      },
    ],
  ])("an input that is %s is what runs; the stored call keeps the original", async (_, handler) => {
    const { agent, ran, of } = await echo({ on: { tool_call: handler } });
    expect(ran).toEqual([{ say: "changed" }]);
    expect(of("tool_result")[0]?.input).toEqual({ say: "changed" });
    expect(of("tool_execution_start")[0]?.args).toEqual({ say: "hi" });
    const call = { type: "toolCall", name: "echo", arguments: { say: "hi" } };
    expect(storedMessages(agent)[1]).toMatchObject({ content: [call] });
  });

  it("is checked again: an input the tool cannot take is not run", async () => {
    const { agent, ran } = await echo({ on: { tool_call: () => ({ input: { say: 5 } }) } });
    expect(ran).toEqual([]);
    expect(resultTexts(agent)[0]).toContain("tested");
    expect(storedResults(agent)[0]?.isError).toBe(true);
  });

  it("can tell the model something beside the result", async () => {
    const { agent, requests } = await echo({
      on: { tool_call: () => ({ additionalContext: "Remember the budget" }) },
    });
    const content = [
      { type: "text", text: "echoed" },
      { type: "text", text: "Remember the budget" },
    ];
    expect(storedResults(agent)[0]?.content).toEqual(content);
    expect(requests[1]?.messages.at(-1)).toMatchObject({ content });
  });

  it("a throw blocks the call and names the extension", async () => {
    const { agent, ran } = await echo({
      on: {
        tool_call: () => {
          throw new Error("broken gate");
        },
      },
    });
    expect(ran).toEqual([]);
    expect(resultTexts(agent)[0]).toMatch(/tested.*broken gate/);
  });
});

describe("what handlers of tool_admit return", () => {
  it("stops the call that was about to run, after all changes", async () => {
    const inputs: unknown[] = [];
    const { agent, ran } = await echo({
      on: {
        tool_call: () => ({ input: { say: "changed" } }),
        tool_admit: ({ input, originalInput, changedBy }) => {
          inputs.push({ input, originalInput, changedBy });
          return { block: true, reason: "Not this one" };
        },
      },
    });
    expect(inputs).toEqual([
      { input: { say: "changed" }, originalInput: { say: "hi" }, changedBy: ["tested"] },
    ]);
    expect(ran).toEqual([]);
    expect(resultTexts(agent)).toEqual(["Not this one"]);
  });
});

describe("what handlers of tool_result return", () => {
  it("takes the place of the result, field by field", async () => {
    const { agent, requests, of } = await echo({
      on: {
        tool_result: () => ({ content: [{ type: "text", text: "[redacted]" }], isError: true }),
      },
    });
    expect(storedResults(agent)).toMatchObject([
      { content: [{ type: "text", text: "[redacted]" }], isError: true, details: { secret: true } },
    ]);
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ type: "text", text: "[redacted]" }],
    });
    expect(of("tool_execution_end")).toMatchObject([{ isError: true }]);
  });

  it("also sees what a tool threw, and may turn it into a success", async () => {
    const { agent, of } = await echo({
      extend: (pi) =>
        addTool(pi, "echo", () => {
          throw new Error("boom");
        }),
      on: { tool_result: () => ({ isError: false }) },
    });
    expect(of("tool_result")).toMatchObject([{ isError: true, content: [{ text: "boom" }] }]);
    expect(storedResults(agent)[0]?.isError).toBe(false);
  });

  it("of a critical extension that fails: the result is withheld", async () => {
    const { agent } = await echo({
      extensions: [
        {
          name: "redactor",
          critical: true,
          factory: (pi) => {
            pi.on("tool_result", () => {
              throw new Error("cannot look");
            });
          },
        },
      ],
    });
    expect(resultTexts(agent)[0]).toContain("withheld");
    expect(JSON.stringify(agent.session.getEntries())).not.toContain("echoed");
    expect(JSON.stringify(agent.session.getEntries())).not.toContain("secret");
  });
});

describe("a blocked built-in tool", () => {
  it("leaves the file system as it was", async () => {
    const { agent } = await hosted({
      cwd: project.root,
      turns: [
        { toolCalls: [{ name: "write", arguments: { path: ".env", content: "x" } }] },
        { text: "done" },
      ],
      on: { tool_call: () => ({ block: true, reason: "protected" }) },
    });
    await agent.prompt("go");
    expect(existsSync(join(project.root, ".env"))).toBe(false);
    expect(resultTexts(agent)).toEqual(["protected"]);
  });
});
