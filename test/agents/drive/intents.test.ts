import { describe, expect, it } from "vitest";
import { AGENT_NAMES } from "./agent.ts";
import { AGENTS } from "./agents/index.ts";
import { inNativeWords } from "./intents.ts";

const tools = {
  read: ({ path }: { path: string }) => ({ name: "open", input: { path } }),
  subagent: ({ prompt }: { prompt: string }) => [
    { name: "spawn", input: { prompt } },
    { name: "wait", input: {} },
  ],
};

describe("an intent", () => {
  it("becomes the call of the agent, with an absolute path", () => {
    const turns = [{ toolCalls: [{ do: "read", path: "a.txt" } as const], text: "look" }];
    expect(inNativeWords({ turns }, { tools }, "/app").turns).toEqual([
      { text: "look", toolCalls: [{ name: "open", input: { path: "/app/a.txt" } }] },
    ]);
  });

  it("that takes several calls takes several turns, beside calls in the agent's own words", () => {
    const other = { name: "other", input: {} };
    const turns = [{ toolCalls: [{ do: "subagent", prompt: "go" } as const, other] }];
    expect(inNativeWords({ turns }, { tools }, "/app").turns).toEqual([
      { toolCalls: [{ name: "spawn", input: { prompt: "go" } }, other] },
      { toolCalls: [{ name: "wait", input: {} }] },
    ]);
  });

  it("for which the agent has no tool fails the test that has it", () => {
    const turns = [{ toolCalls: [{ do: "skill", name: "greet" } as const] }];
    expect(() => inNativeWords({ turns }, { tools }, "/app")).toThrow('no tool for "skill"');
  });

  it("ends a subagent the way its agent wants it", () => {
    const words = {
      tools,
      endOfSubagent: (result: string) => ({ name: "end", input: { result } }),
    };
    const subagents = [{ prompt: "go", turns: [{ text: "half" }, { text: "whole" }] }];
    expect(inNativeWords({ turns: [], subagents }, words, "/app").subagents).toEqual([
      {
        prompt: "go",
        turns: [{ text: "half" }, { toolCalls: [{ name: "end", input: { result: "whole" } }] }],
      },
    ]);
  });
});

it.each(AGENT_NAMES)("%s can run a command, read, write and edit", (name) => {
  const { tools } = AGENTS[name];
  const path = "/app/a.txt";
  const calls = [
    tools.shell?.({ do: "shell", command: "ls MARK" }),
    tools.read?.({ do: "read", path: `${path}-MARK` }),
    tools.write?.({ do: "write", path, content: "MARK" }),
    tools.edit?.({ do: "edit", path, before: "old", after: "MARK" }),
  ];
  for (const call of calls) expect(JSON.stringify(call)).toContain("MARK");
});
