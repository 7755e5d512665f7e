import { describe, expect, it } from "vitest";
import {
  type HostedOptions,
  hosted,
  storedMessages,
  testProject,
  textsOf,
} from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions = {}) =>
  hosted({ cwd: project.root, turns: [{ text: "ok" }, { text: "ok" }], ...options });

describe("a command of the user", () => {
  it("runs in the folder of the agent, is stored, and the model sees it", async () => {
    const { agent, requests, of } = await run();
    const result = await agent.bash("pwd; exit 3");
    expect(result).toMatchObject({
      role: "bashExecution",
      command: "pwd; exit 3",
      output: `${project.root}\n`,
      exitCode: 3,
      cancelled: false,
      truncated: false,
    });
    expect(storedMessages(agent)).toEqual([result]);
    expect(of("user_bash")).toMatchObject([
      { command: "pwd; exit 3", excludeFromContext: false, cwd: project.root },
    ]);
    await agent.prompt("go");
    expect(textsOf(requests[0]?.messages)[0]).toContain(project.root);
  });

  it("that is excluded is stored and not sent", async () => {
    const { agent, requests } = await run();
    await agent.bash("echo secret", { excludeFromContext: true });
    expect(storedMessages(agent)).toMatchObject([{ excludeFromContext: true }]);
    await agent.prompt("go");
    expect(textsOf(requests[0]?.messages)).toEqual(["go"]);
  });

  it("is answered by the first extension that has a result; nothing runs here", async () => {
    const asked: string[] = [];
    const answer = (output: string) => ({
      result: { output, exitCode: 0, cancelled: false, truncated: false },
    });
    const { agent } = await run({
      on: { user_bash: () => answer("from afar") },
      extensions: [
        {
          name: "second",
          factory: (pi) => {
            pi.on("user_bash", ({ command }) => {
              asked.push(command);
              return answer("too late");
            });
          },
        },
      ],
    });
    const result = await agent.bash("touch here");
    expect(result.output).toBe("from afar");
    expect(asked).toEqual([]);
    expect((await agent.bash("echo x")).output).toBe("from afar");
  });

  it("runs where an extension's operations run it", async () => {
    const ran: unknown[] = [];
    const { agent } = await run({
      on: {
        user_bash: () => ({
          operations: {
            exec: async (
              command: string,
              cwd: string,
              { onData }: { onData: (data: Buffer) => void },
            ) => {
              ran.push([command, cwd]);
              onData(Buffer.from("over "));
              onData(Buffer.from("there"));
              return { exitCode: 0 };
            },
          },
        }),
      },
    });
    expect(await agent.bash("uname")).toMatchObject({ output: "over there", exitCode: 0 });
    expect(ran).toEqual([["uname", project.root]]);
  });

  it("between a tool call and its result does not come between them for the model", async () => {
    let bash: () => Promise<unknown> = async () => {};
    const { agent, requests } = await run({
      turns: [{ toolCalls: [{ name: "ls" }] }, { text: "ok" }],
      on: { tool_result: () => bash().then(() => undefined) },
    });
    bash = () => agent.bash("echo meanwhile");
    await agent.prompt("go");
    expect(storedMessages(agent).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "bashExecution",
      "toolResult",
      "assistant",
    ]);
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "user",
    ]);
  });
});
