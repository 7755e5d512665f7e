import { describe, expect, it } from "vitest";
import { skillFile } from "./resources/test-kit.ts";
import {
  addTool,
  type HostedOptions,
  hosted,
  returns,
  storedMessages,
  testProject,
  text,
  textsOf,
  until,
} from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });

/** An agent that is in the middle of a tool call, and how to let it go on. */
async function busy(options: HostedOptions = {}) {
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const host = await run({
    turns: [{ toolCalls: [{ name: "hold" }] }, { text: "two" }, { text: "three" }],
    extend: (pi) =>
      addTool(pi, "hold", async () => {
        await gate;
        return text("held");
      }),
    ...options,
  });
  const prompting = host.agent.prompt("go");
  await until("the tool runs", () => host.of("tool_admit").length === 1);
  return { ...host, host, prompting, release };
}

const said = (messages: Parameters<typeof textsOf>[0]) => textsOf(messages);

describe("a message that waits", () => {
  it("has an id, is listed, can be edited and cancelled", async () => {
    const { agent, prompting, release } = await busy();
    const first = (await agent.steer("one")) ?? "";
    const second = (await agent.followUp("two")) ?? "";
    expect(first).not.toBe(second);
    const says = (text: string) => ({ role: "user", content: [{ type: "text", text }] });
    expect(agent.queue.list()).toMatchObject([
      { id: first, kind: "steer", message: says("one") },
      { id: second, kind: "followUp", message: says("two") },
    ]);
    expect(agent.queue.edit(first, "changed")).toBe(true);
    expect(agent.queue.list()[0]).toMatchObject({ id: first, message: { content: "changed" } });
    expect(agent.queue.cancel(second)).toBe(true);
    expect(agent.queue.list().map(({ id }) => id)).toEqual([first]);
    expect(agent.queue.cancel(second)).toBe(false);
    expect(agent.queue.edit(second, "x")).toBe(false);
    release();
    await prompting;
  });

  it("is used as edited, and not at all when cancelled", async () => {
    const { agent, requests, prompting, release } = await busy();
    const kept = await agent.steer("draft");
    const gone = await agent.steer("never mind");
    agent.queue.edit(kept ?? "", "final");
    agent.queue.cancel(gone ?? "");
    release();
    await prompting;
    expect(said(requests[1]?.messages).at(-1)).toBe("final");
    expect(JSON.stringify(storedMessages(agent))).not.toContain("never mind");
  });

  it("is not carried over into another session", async () => {
    const { agent, requests, prompting } = await busy();
    await agent.followUp("meant for the old one");
    await agent.newSession();
    await prompting;
    await agent.prompt("hello");
    expect(said(requests.at(-1)?.messages)).toEqual(["hello"]);
    expect(agent.queue.size).toBe(0);
  });
});

describe("steering", () => {
  it("comes after the tools of this round and before the next model call", async () => {
    const { agent, requests, prompting, release } = await busy();
    await agent.steer("look left");
    release();
    await prompting;
    expect(said(requests[1]?.messages)).toEqual(["go", "", "held", "look left"]);
    expect(requests).toHaveLength(2);
  });

  it("keeps an agent going that would have stopped", async () => {
    const { agent, requests } = await run({
      turns: [{ text: "one", chunkSize: 1 }, { text: "two" }],
      on: {
        message_start: ({ message }) => {
          if (message.role === "assistant" && agent.queue.size === 0 && requests.length === 1) {
            void agent.steer("wait");
          }
        },
      },
    });
    await agent.prompt("go");
    await agent.waitForIdle();
    expect(said(storedMessages(agent))).toEqual(["go", "one", "wait", "two"]);
  });
});

describe("a follow-up", () => {
  it("waits until the agent would stop", async () => {
    const { agent, requests, prompting, release } = await busy();
    await agent.followUp("then this");
    release();
    await prompting;
    expect(said(requests[1]?.messages)).toEqual(["go", "", "held"]);
    expect(said(requests[2]?.messages)).toEqual(["go", "", "held", "two", "then this"]);
  });
});

describe.each(["steer", "followUp"] as const)("what is said with %s", (kind) => {
  it("goes through input, and its prompts and skills are expanded", async () => {
    project.write(".seam/skills/review/SKILL.md", skillFile("review", "Look closely."));
    project.write(".seam/prompts/greet.md", "Greet $1 warmly");
    const { agent, of, prompting, release } = await busy({
      on: { input: ({ text }) => (text === "hide me" ? { action: "handled" } : undefined) },
    });
    await agent[kind]("/skill:review this", { source: "rpc" });
    await agent[kind]("/greet Ada");
    expect(await agent[kind]("hide me")).toBeUndefined();
    const [skill, prompt, ...more] = agent.queue.list().map(({ message }) => message);
    expect(said(skill && [skill])[0]).toContain("Look closely.");
    expect(said(prompt && [prompt])).toEqual(["Greet Ada warmly"]);
    expect(more).toEqual([]);
    expect(of("skill_invoked")).toMatchObject([{ skillEvent: { skill: { name: "review" } } }]);
    expect(of("input").map(({ text, source }) => `${source} ${text}`)).toEqual([
      "interactive go",
      "rpc /skill:review this",
      "interactive /greet Ada",
      "interactive hide me",
    ]);
    release();
    await prompting;
  });

  it("may not be a command: those run at once", async () => {
    const ran: string[] = [];
    const { agent } = await run({
      extend: (pi) => pi.registerCommand("do", { handler: (args) => void ran.push(args) }),
    });
    await expect(agent[kind]("/do it")).rejects.toMatchObject({ code: "SEAM_COMMAND_QUEUED" });
    expect(agent.queue.size).toBe(0);
    expect(ran).toEqual([]);
  });

  it("is worked on at once by an agent that is idle", async () => {
    const { agent, of } = await run({ turns: [{ text: "one" }] });
    expect(await agent[kind]("go")).toBeUndefined();
    expect(agent.isIdle).toBe(false);
    await agent.waitForIdle();
    expect(said(storedMessages(agent))).toEqual(["go", "one"]);
    expect(of("agent_settled")).toHaveLength(1);
  });
});

describe("a prompt while the agent works", () => {
  it.each([
    ["followUp", undefined],
    ["steer", "steer"],
  ] as const)("is queued as %s and returns at once", async (kind, deliverAs) => {
    const { agent, prompting, release, of } = await busy();
    const options = deliverAs ? { deliverAs } : {};
    await returns("the second prompt", agent.prompt("me too", options));
    expect(agent.queue.list()).toMatchObject([{ kind }]);
    expect(of("input")).toHaveLength(2);
    release();
    await prompting;
    expect(said(storedMessages(agent))).toContain("me too");
    expect(of("agent_settled")).toHaveLength(1);
  });

  it("of two at the same time the second is queued, and none is lost", async () => {
    const { agent } = await run({ turns: [{ text: "one" }, { text: "two" }] });
    await Promise.all([agent.prompt("a"), agent.prompt("b")]);
    await agent.waitForIdle();
    expect(said(storedMessages(agent))).toEqual(["a", "one", "b", "two"]);
  });
});

describe("sendUserMessage of an extension", () => {
  it("starts a turn when the agent is idle", async () => {
    const { agent, pi, of } = await run({ turns: [{ text: "one" }] });
    pi.sendUserMessage("from afar");
    await agent.waitForIdle();
    expect(said(storedMessages(agent))).toEqual(["from afar", "one"]);
    expect(of("agent_start")).toMatchObject([{ prompt: "from afar" }]);
  });

  it.each(["steer", "followUp"] as const)("waits as %s when the agent works", async (deliverAs) => {
    const { agent, host, prompting, release } = await busy();
    host.pi.sendUserMessage([{ type: "text", text: "hey" }], { deliverAs });
    // The kit listens to `input`, which looks at it first.
    await expect.poll(() => agent.queue.list()).toMatchObject([{ kind: deliverAs }]);
    release();
    await prompting;
    expect(said(storedMessages(agent))).toContain("hey");
  });

  it.each([
    ["at once", () => {}],
    ["after a while", () => new Promise((resolve) => setTimeout(resolve, 5))],
  ])(
    "from an agent_end handler, %s, is not lost and is part of the same prompt",
    async (_, wait) => {
      let sent = false;
      const host = await run({
        turns: [{ text: "one" }, { text: "two" }],
        on: {
          agent_end: async () => {
            if (sent) return;
            sent = true;
            await wait();
            host.pi.sendUserMessage("one more thing", { deliverAs: "followUp" });
          },
        },
      });
      await host.agent.prompt("go");
      expect(said(storedMessages(host.agent))).toEqual(["go", "one", "one more thing", "two"]);
      expect(host.of("agent_settled")).toHaveLength(1);
    },
  );

  it("from an agent_settled handler starts another turn", async () => {
    let sent = false;
    const host = await run({
      turns: [{ text: "one" }, { text: "two" }],
      on: {
        agent_settled: () => {
          if (!sent) host.pi.sendUserMessage("again");
          sent = true;
        },
      },
    });
    await host.agent.prompt("go");
    await host.agent.waitForIdle();
    expect(said(storedMessages(host.agent))).toEqual(["go", "one", "again", "two"]);
    expect(host.of("agent_settled")).toHaveLength(2);
  });
});

describe("sendMessage of an extension", () => {
  const note = { customType: "note", content: "psst", display: true, details: { n: 1 } };

  it("is kept in the session of an idle agent and sent with the next prompt", async () => {
    const { agent, pi, requests } = await run({ turns: [{ text: "one" }] });
    pi.sendMessage(note);
    expect(agent.isIdle).toBe(true);
    expect(agent.session.getEntries()).toMatchObject([{ type: "custom_message", ...note }]);
    await agent.prompt("go");
    expect(said(requests[0]?.messages)).toEqual(["psst", "go"]);
  });

  it("starts a turn if it is to", async () => {
    const { agent, pi, requests } = await run({ turns: [{ text: "one" }] });
    pi.sendMessage(note, { triggerTurn: true });
    await agent.waitForIdle();
    expect(said(requests[0]?.messages)).toEqual(["psst"]);
    expect(agent.session.getEntries()).toMatchObject([
      { type: "custom_message", ...note },
      { type: "message" },
    ]);
  });

  it("steers an agent that works", async () => {
    const { host, requests, prompting, release } = await busy();
    host.pi.sendMessage(note);
    release();
    await prompting;
    expect(said(requests[1]?.messages).at(-1)).toBe("psst");
  });

  it("waits for the next prompt with nextTurn, and does not start anything", async () => {
    const { agent, host, requests, prompting, release } = await busy();
    host.pi.sendMessage(note, { deliverAs: "nextTurn" });
    release();
    await prompting;
    expect(requests).toHaveLength(2);
    expect(agent.queue.list()).toMatchObject([{ kind: "nextTurn" }]);
    await agent.prompt("next");
    expect(said(requests[2]?.messages).slice(-2)).toEqual(["next", "psst"]);
  });
});
