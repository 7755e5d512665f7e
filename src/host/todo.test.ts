import { describe, expect, it } from "vitest";
import type { ScriptedTurn } from "./models/index.ts";
import { SessionFile } from "./session/index.ts";
import { type HostedOptions, hosted, testProject, textsOf } from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });
const todos = (...list: [string, string][]): ScriptedTurn => ({
  toolCalls: [
    {
      name: "todo",
      arguments: { todos: list.map(([content, status]) => ({ content, status })) },
    },
  ],
});
const stop = (text: string): ScriptedTurn => ({ text });

describe("an agent that stops with open todos", () => {
  it("is reminded of them, up to the limit", async () => {
    const host = await run({
      maxTodoReminders: 2,
      turns: [
        todos(["plan", "completed"], ["build", "pending"]),
        stop("a"),
        stop("b"),
        stop("c"),
        stop("never"),
      ],
    });
    await host.agent.prompt("go");
    const open = [{ content: "build", status: "pending" }];
    expect(host.of("todo_reminder")).toMatchObject([
      { todos: open, attempt: 1, maxAttempts: 2 },
      { todos: open, attempt: 2, maxAttempts: 2 },
    ]);
    expect(host.requests).toHaveLength(4);
    expect(textsOf(host.requests[2]?.messages).at(-1)).toContain("reminder 1 of 2");
    expect(host.agent.session.getEntries()).toContainEqual(
      expect.objectContaining({
        type: "custom_message",
        customType: "todo_reminder",
        display: false,
      }),
    );
    expect(host.of("agent_settled")).toHaveLength(1);
  });

  it("is left alone once they are done", async () => {
    const host = await run({
      turns: [todos(["build", "pending"]), stop("a"), todos(["build", "completed"]), stop("b")],
    });
    await host.agent.prompt("go");
    expect(host.of("todo_reminder")).toHaveLength(1);
    expect(host.agent.todos).toEqual([{ content: "build", status: "completed" }]);
  });

  it("is reminded again in the next turn", async () => {
    const host = await run({
      maxTodoReminders: 1,
      turns: [todos(["build", "pending"]), stop("a"), stop("b"), stop("c"), stop("d")],
    });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("todo_reminder").map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it("is not reminded when nobody wants that, nor after an error", async () => {
    const silent = await run({
      maxTodoReminders: 0,
      turns: [todos(["build", "pending"]), stop("a")],
    });
    await silent.agent.prompt("go");
    expect(silent.of("todo_reminder")).toEqual([]);
    const broken = await run({
      turns: [todos(["build", "pending"]), { error: { message: "no", status: 400 } }],
    });
    await broken.agent.prompt("go");
    expect(broken.of("todo_reminder")).toEqual([]);
  });
});

describe("the list", () => {
  it("is that of the branch the session stands on, also after it is opened again", async () => {
    const session = SessionFile.create({ cwd: project.root, dir: project.home });
    const host = await run({
      session,
      maxTodoReminders: 0,
      turns: [todos(["build", "pending"]), stop("a")],
    });
    await host.agent.prompt("go");
    const [first] = session.getEntries();
    const leaf = session.getLeafId() ?? "";
    await host.agent.navigateTree(first?.id ?? "");
    expect(host.agent.todos).toEqual([]);
    await host.agent.navigateTree(leaf);
    expect(host.agent.todos).toHaveLength(1);
    await host.agent.dispose();
    const again = await run({ session: SessionFile.open(session.getSessionFile() ?? "").session });
    expect(again.agent.todos).toEqual([{ content: "build", status: "pending" }]);
  });
});
