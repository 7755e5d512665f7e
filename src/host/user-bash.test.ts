import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../files/index.ts";
import {
  type HostedOptions,
  hosted,
  storedMessages,
  testProject,
  textsOf,
  until,
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

describe("output without end", () => {
  it("is kept in a file; the message has the end of it", async () => {
    const line = `${"x".repeat(99)}\n`;
    const { agent } = await run();
    const result = await agent.bash(`yes ${line.trim()} | head -n 30000; echo last`);
    onTestFinished(() => rmSync(result.fullOutputPath ?? "", { force: true }));
    expect(result.truncated).toBe(true);
    expect(result.output.length).toBeLessThanOrEqual(50 * 1024);
    expect(result.output.endsWith("last")).toBe(true);
    const whole = readFileSync(result.fullOutputPath ?? "", "utf8");
    expect(whole.length).toBe(30_000 * line.length + "last\n".length);
  });
});

describe("a command that does not end", () => {
  const pidOf = (file: string) => Number(readFileSync(join(project.root, file), "utf8"));
  const written = (file: string) => () => {
    const path = join(project.root, file);
    return existsSync(path) && readFileSync(path, "utf8").endsWith("\n");
  };

  it.each([
    ["abort", "a.pid"],
    ["abortBash", "b.pid"],
    ["dispose", "c.pid"],
  ] as const)("is ended by %s, with what it started, and stored", async (how, file) => {
    const { agent } = await run();
    const command = `echo begun; sleep 600 & echo $! > ${file}; wait`;
    const result = agent.bash(command);
    await until("it has begun", written(file));
    await agent[how]();
    expect(await result).toMatchObject({ output: "begun\n", exitCode: undefined, cancelled: true });
    expect(storedMessages(agent)).toMatchObject([{ command, cancelled: true }]);
    expect(isRunning(pidOf(file))).toBe(false);
  });

  it("is left alone by the end of another one", async () => {
    const { agent } = await run();
    const long = agent.bash("echo $$ > d.pid; sleep 600");
    await until("it has begun", written("d.pid"));
    expect((await agent.bash("echo short")).output).toBe("short\n");
    expect(isRunning(pidOf("d.pid"))).toBe(true);
    await agent.abortBash();
    expect((await long).cancelled).toBe(true);
  });

  it("is not begun when it is aborted while extensions are asked", async () => {
    const { agent, of } = await run({ on: { user_bash: () => new Promise(() => {}) } });
    const result = agent.bash("touch begun");
    await until("it is asked about", () => of("user_bash").length > 0);
    await agent.abort();
    expect((await result).cancelled).toBe(true);
    expect(existsSync(join(project.root, "begun"))).toBe(false);
  });

  it("somewhere else cannot hold back an abort, and what it still says is not kept", async () => {
    let say: (data: Buffer) => void = () => {};
    const exec = (_: string, __: string, { onData }: { onData: typeof say }) => {
      say = onData;
      onData(Buffer.from("far away"));
      return new Promise<{ exitCode: number }>(() => {});
    };
    const { agent } = await run({ on: { user_bash: () => ({ operations: { exec } }) } });
    const result = agent.bash("x");
    await until("it has begun", () => say.length > 0);
    await agent.abort();
    say(Buffer.from(" and gone on"));
    expect(await result).toMatchObject({ output: "far away", cancelled: true });
  });
});
