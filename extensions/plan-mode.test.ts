import { describe, expect, it } from "vitest";
import { isReadOnly } from "./plan-mode/read-only.ts";
import { listed, markDone, stepsIn } from "./plan-mode/steps.ts";
import { embedded, toolResults } from "./test-kit/embedded.ts";

const PLAN = { text: "I looked around.\n\nPlan:\n1. Write the cache\n2. Test it" };
const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
const write = { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "a" } }] };
const INSTRUCTIONS = "You are in plan mode";

type Options = NonNullable<Parameters<typeof embedded>[1]>;
async function start(options: Options = {}) {
  const started = await embedded("plan-mode/index.ts", { flags: { plan: true }, ...options });
  const { requests, seen } = started;
  return {
    ...started,
    tools: () => requests().map(({ tools }) => tools.map(({ name }) => name)),
    asked: () => requests().map(({ messages }) => JSON.stringify(messages)),
    status: () => seen.statuses.get("plan-mode"),
    widget: () => seen.widgets.get("plan-mode"),
  };
}

describe("while planning", () => {
  it("there are only tools that read, and nothing is changed", async () => {
    const { agent, tools, all, problems } = await start({
      turns: [write, bash("rm -rf ."), bash("echo hi > a.txt"), bash("ls -a"), PLAN],
    });
    await agent.prompt("Add a cache");
    expect(tools()[0]?.toSorted()).toEqual(
      expect.arrayContaining(["bash", "find", "grep", "ls", "read"]),
    );
    expect(tools().flat()).not.toContain("write");
    expect(tools().flat()).not.toContain("edit");
    expect(toolResults(agent).map(({ isError }) => isError)).toEqual([true, true, true, false]);
    expect(toolResults(agent)[1]?.text).toContain("plan mode");
    expect(all("tool_call").length).toBe(3);
    expect(problems()).toEqual([]);
  });

  it("a tool that comes later is blocked as well", async () => {
    const { agent } = await start({
      turns: [{ toolCalls: [{ name: "late", arguments: {} }] }, PLAN],
      also: [
        {
          name: "late",
          factory: (pi) => {
            pi.on("turn_start", () => pi.setActiveTools([...pi.getActiveTools(), "late"]));
            pi.registerTool({
              name: "late",
              description: "Changes something",
              parameters: { type: "object", properties: {} },
              execute: async () => ({ content: [{ type: "text", text: "changed" }] }),
            });
          },
        },
      ],
    });
    await agent.prompt("Go");
    expect(toolResults(agent)[0]).toMatchObject({ toolName: "late", isError: true });
    expect(toolResults(agent)[0]?.text).toContain("plan mode");
  });

  it("the model is told so, once per request", async () => {
    const { agent, asked } = await start({ turns: [{ text: "Where?" }, PLAN] });
    await agent.prompt("Add a cache");
    await agent.prompt("In memory");
    expect(asked().map((text) => text.split(INSTRUCTIONS).length - 1)).toEqual([1, 1]);
  });

  it("the plan is shown", async () => {
    const { agent, widget, status } = await start({ turns: [PLAN], answers: [undefined] });
    expect(status()).toBe("planning");
    expect(widget()).toBeUndefined();
    await agent.prompt("Add a cache");
    expect(widget()).toEqual(["☐ 1. Write the cache", "☐ 2. Test it"]);
  });
});

describe("when the plan is there", () => {
  it("it is carried out and ticked off, with all tools and without the old instructions", async () => {
    const { agent, seen, status, widget, asked, tools, problems } = await start({
      turns: [
        PLAN,
        write,
        { text: "Written. [DONE:1]", ...bash("echo ok > b.txt") },
        { text: "Tested. [DONE:2]", delayMs: 300 },
        { text: "You are welcome." },
      ],
      answers: ["Carry it out"],
    });
    await agent.prompt("Add a cache");
    await expect.poll(status).toBe("plan 1/2");
    expect(widget()).toEqual(["☑ 1. Write the cache", "☐ 2. Test it"]);
    await agent.waitForIdle();
    await expect.poll(() => seen.notifications.length).toBe(1);
    expect([status(), widget()]).toEqual([undefined, undefined]);
    expect(toolResults(agent).map(({ isError }) => isError)).toEqual([false, false]);
    expect(tools()[1]).toContain("write");
    expect(asked()[1]).not.toContain(INSTRUCTIONS);
    expect(asked()[1]).toContain("☐ 1. Write the cache");

    await agent.prompt("Thanks");
    expect(asked().at(-1)).not.toContain(INSTRUCTIONS);
    expect(asked().at(-1)).not.toContain("☐ 1. Write the cache");
    expect(problems()).toEqual([]);
  });

  it("it can be changed", async () => {
    const other = { text: "Plan:\n1. Only this" };
    const { agent, widget, seen, asked } = await start({
      turns: [PLAN, other],
      answers: ["Change it", "Make it shorter", "Stay in plan mode"],
    });
    await agent.prompt("Add a cache");
    await expect.poll(() => seen.questions.length).toBe(3);
    expect(widget()).toEqual(["☐ 1. Only this"]);
    expect(asked()[1]).toContain("Make it shorter");
  });

  it("it can wait: an answer without a new plan asks nothing", async () => {
    const { agent, seen, tools } = await start({
      turns: [PLAN, { text: "Because." }],
      answers: ["Stay in plan mode"],
    });
    await agent.prompt("Add a cache");
    await agent.prompt("Why?");
    expect(seen.questions).toHaveLength(1);
    expect(tools()[1]).not.toContain("write");
  });

  it("an aborted answer asks nothing", async () => {
    const { agent, seen, all } = await start({
      turns: [{ ...PLAN, ...bash("tail -f /dev/null") }],
      answers: ["Carry it out"],
    });
    const work = agent.prompt("Add a cache");
    await expect.poll(() => all("tool_execution_start").length).toBe(1);
    await agent.abort();
    await work;
    expect(seen.questions).toEqual([]);
  });

  it("with nobody to ask it waits for /plan go", async () => {
    const { agent, tools } = await start({ turns: [PLAN, { text: "[DONE:1] [DONE:2]" }] });
    await agent.prompt("Add a cache");
    await agent.prompt("/plan go");
    await agent.waitForIdle();
    expect(tools()[0]).not.toContain("write");
    expect(tools()[1]).toContain("write");
  });
});

describe("switching", () => {
  it("the command and the shortcut turn it on and off", async () => {
    const { agent, status, seen } = await start({ flags: {}, answers: [] });
    expect(status()).toBeUndefined();
    await agent.prompt("/plan");
    expect(status()).toBe("planning");
    agent.extensions
      .shortcuts()
      .find(({ key }) => key === "ctrl+alt+p")
      ?.run();
    expect(status()).toBeUndefined();
    await agent.prompt("/plan go");
    expect(seen.notifications[0]?.message).toBe("There is no plan yet.");
  });

  it("a new session has all tools again", async () => {
    const { agent, tools } = await start({ turns: [{ text: "Hi." }, { text: "Hi again." }] });
    await agent.prompt("Hi");
    await agent.newSession();
    await agent.prompt("Hi");
    expect(tools()[0]).not.toContain("write");
    expect(tools()[1]).toContain("write");
  });

  it("when the session ends, the tools are as they were before", async () => {
    let atTheEnd: string[] = [];
    const { agent } = await start({
      also: [
        {
          name: "witness",
          factory: (pi) =>
            pi.on("session_shutdown", () => {
              atTheEnd = pi.getActiveTools();
            }),
        },
      ],
    });
    await agent.dispose();
    expect(atTheEnd).toContain("write");
  });

  it("moving back to before the plan gives the tools back", async () => {
    const { agent, tools } = await start({
      flags: {},
      turns: [{ text: "Hi." }, PLAN, { text: "Back." }],
    });
    await agent.prompt("Hi");
    const before = agent.session.getLeafId() ?? "";
    await agent.prompt("/plan");
    await agent.prompt("Add a cache");
    await agent.navigateTree(before);
    await agent.prompt("Go on");
    expect(tools().map((names) => names.includes("write"))).toEqual([true, false, true]);
  });
});

describe("a session that is taken up again", () => {
  async function resumed(turns: Options["turns"], prompts: string[], again: Options = {}) {
    const first = await start({ ...(turns && { turns }) });
    for (const prompt of prompts) await first.agent.prompt(prompt);
    await first.agent.waitForIdle();
    await first.agent.dispose();
    return start({ flags: {}, answers: [], session: first.agent.session, ...again });
  }

  it("goes on planning", async () => {
    const { agent, status, widget, tools } = await resumed([PLAN], ["Add a cache"], {
      turns: [{ text: "Well." }],
    });
    expect(status()).toBe("planning");
    expect(widget()).toEqual(["☐ 1. Write the cache", "☐ 2. Test it"]);
    await agent.prompt("And?");
    expect(tools()[0]).not.toContain("write");
    await agent.prompt("/plan");
    expect(status()).toBeUndefined();
  });

  it("goes on where the plan was, with all tools", async () => {
    const { agent, status, tools } = await resumed(
      [PLAN, { text: "[DONE:1]" }],
      ["Add a cache", "/plan go"],
      { turns: [{ text: "[DONE:2]" }] },
    );
    expect(status()).toBe("plan 1/2");
    await agent.prompt("Go on");
    expect(status()).toBeUndefined();
    expect(tools()[0]).toContain("write");
  });

  it("with damaged state starts without a plan", async () => {
    const first = await start({ flags: {} });
    first.agent.session.appendCustomEntry("plan-mode", { mode: 7 });
    await first.agent.dispose();
    const { status, problems } = await start({
      flags: {},
      answers: [],
      session: first.agent.session,
    });
    expect(status()).toBeUndefined();
    expect(problems()).toEqual([]);
  });
});

describe("steps", () => {
  const texts = (answer: string) => stepsIn(answer).map(({ text }) => text);

  it.each([
    ["Plan:\n1. a\n2. b", ["a", "b"]],
    ["## Plan\n\n1) **a**: first\n   more about it\n   1. inside\n2) b", ["a: first", "b"]],
    ["**Plan:**\n1. a\n\nNotes:\n1. not a step", ["a"]],
    ["Plan:\n1. old\n\nBetter:\n\nPlan:\n1. new", ["new"]],
    ["1. a\n2. b", []],
    ["My plan is good.\n1. a", []],
    ["Plan:\nnothing", []],
  ])("%j", (answer, expected) => {
    expect(texts(answer)).toEqual(expected);
  });

  it("are ticked off once, in any order; others are ignored", () => {
    const steps = stepsIn("Plan:\n1. a\n2. b");
    const after = markDone(steps, "done [done: 2] and [DONE:9]");
    expect(listed(after)).toEqual(["☐ 1. a", "☑ 2. b"]);
    expect(markDone(after, "[DONE:2]")).toBe(after);
  });
});

describe("commands", () => {
  it.each([
    "ls -la",
    "cat a.txt | grep -n 'x; rm y' | head -5",
    "cd src && git log --oneline -p -- a.ts",
    'rg "foo|bar" src 2>/dev/null',
    "find . -name '*.ts' -not -path './x/*' | wc -l",
    "git diff HEAD~1 2>&1 | sort -rn; pwd",
    'grep "price in $" a.txt',
    "",
  ])("%s only looks", (command) => {
    expect(isReadOnly(command)).toBe(true);
  });

  it.each([
    "rm a.txt",
    "ls; rm a.txt",
    "ls\nrm a.txt",
    "ls & rm a.txt",
    "ls && npm install",
    "echo a > b.txt",
    "echo a >> b.txt",
    "echo a > /dev/null-not",
    "echo $(rm a.txt)",
    'echo "$(rm a.txt)"',
    "echo `rm a.txt`",
    "cat <(rm a.txt)",
    "find . -delete",
    'find . "-delete"',
    "find . -del\\ete",
    "find . -{exec,x} rm {} +",
    "git push",
    "git branch -D main",
    "git -c core.pager=rm log",
    "git diff --output=a.txt",
    "git log --outp a.txt",
    "sort -o a.txt b.txt",
    "sort -ro a.txt b.txt",
    "rg --pre rm x",
    "sudo ls",
    "X=1 rm a.txt",
    '"rm" a.txt',
    "r\\m a.txt",
    "echo \\' ; rm a.txt ; echo \\'",
    "echo $'\\'' ; rm a.txt ; echo ''",
    "ls # it's\nrm a.txt # it's",
    "ls \\\n; rm a.txt",
    "echo 'open",
    "sh -c ls",
    "xargs rm",
    "toString",
  ])("%s is blocked", (command) => {
    expect(isReadOnly(command)).toBe(false);
  });
});
