import { describe, expect, it } from "vitest";
import type { ExtensionAPI, InlineExtension } from "../extensions/index.ts";
import type { EmbeddedAgent } from "./embedded-agent.ts";
import { SessionChanges } from "./session-changes.ts";
import {
  addTool,
  type Hosted,
  type HostedOptions,
  hosted,
  resultTexts,
  returns,
  storedMessages,
  testProject,
  text,
  textsOf,
  unansweredCalls,
  until,
} from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });
const said = ({ agent }: Hosted) => textsOf(storedMessages(agent));
const idOf = ({ agent }: Hosted, at: number) => agent.session.getEntries()[at]?.id ?? "";

/** Lets everything happen that is not held back. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 30));

function deferred() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** An extension that blocks all tool calls, and from its second time on loads when it may. */
function slowGate() {
  const may = deferred();
  let times = 0;
  const extension: InlineExtension = {
    name: "gate",
    factory: async (pi) => {
      if (times++ > 0) await may.promise;
      pi.on("tool_call", () => ({ block: true, reason: "no" }));
    },
  };
  return { extension, load: may.resolve, isLoading: () => times > 1 };
}

const CALL = { toolCalls: [{ name: "probe" }] };

async function gated(options: HostedOptions = {}) {
  const gate = slowGate();
  const ran: string[] = [];
  const host = await run({
    turns: [CALL, { text: "done" }, CALL, { text: "done" }],
    extensions: [gate.extension],
    extend: (pi) => addTool(pi, "probe", async () => text(String(ran.push("ran")))),
    ...options,
  });
  return { ...host, host, gate, ran };
}

const WORK: Record<string, (agent: EmbeddedAgent, pi: () => ExtensionAPI) => Promise<unknown>> = {
  prompt: (agent) => agent.prompt("go"),
  steer: async (agent) => {
    await agent.steer("go");
    await agent.waitForIdle();
  },
  followUp: async (agent) => {
    await agent.followUp("go");
    await agent.waitForIdle();
  },
};

const REPLACING: Record<string, (agent: EmbeddedAgent) => Promise<unknown>> = {
  reload: (agent) => agent.reload(),
  newSession: (agent) => agent.newSession(),
};

describe.each(Object.entries(REPLACING))("while %s loads the extensions", (_, replace) => {
  it.each(Object.entries(WORK))(
    "a %s waits for them, and its tool calls are looked at",
    async (_name, work) => {
      const { agent, gate, ran, requests, host } = await gated();
      const replacing = replace(agent);
      await until("they are being loaded", gate.isLoading);
      const working = work(agent, () => host.pi);
      await aWhile();
      expect(requests).toHaveLength(0);
      gate.load();
      await replacing;
      await returns("the work", working);
      expect(resultTexts(agent)).toEqual(["no"]);
      expect(ran).toEqual([]);
    },
  );

  it("a command of the user waits for them", async () => {
    const { agent, gate, of } = await gated();
    const replacing = replace(agent);
    await until("they are being loaded", gate.isLoading);
    const command = agent.bash("echo hi");
    await aWhile();
    expect(of("user_bash")).toEqual([]);
    gate.load();
    await replacing;
    expect(await command).toMatchObject({ output: "hi\n" });
    expect(of("user_bash")).toHaveLength(1);
  });

  it("a compaction waits for them", async () => {
    const { agent, gate } = await gated();
    const replacing = replace(agent);
    await until("they are being loaded", gate.isLoading);
    const order: string[] = [];
    const compacting = agent.compact().then(() => order.push("compacted"));
    await aWhile();
    order.push("loaded");
    gate.load();
    await replacing;
    await compacting;
    expect(order).toEqual(["loaded", "compacted"]);
  });
});

describe("a prompt that is on its way when a change begins", () => {
  it("is worked on after it, with the new extensions", async () => {
    const input = deferred();
    const { agent, gate, ran, of } = await gated({ on: { input: () => input.promise } });
    const prompting = agent.prompt("go");
    await until("it is asked about", () => of("input").length > 0);
    const reloading = agent.reload();
    await until("they are being loaded", gate.isLoading);
    input.resolve();
    await aWhile();
    gate.load();
    await reloading;
    await returns("prompt", prompting);
    expect(resultTexts(agent)).toEqual(["no"]);
    expect(ran).toEqual([]);
  });
});

describe("extensions that could not be loaded anew", () => {
  it("leave nobody who lets tool calls through", async () => {
    let times = 0;
    const host = await run({
      turns: [{ toolCalls: [{ name: "ls" }] }, { text: "done" }],
      flags: () => {
        if (times++ > 0) throw new Error("no flags");
        return {};
      },
    });
    await expect(host.agent.reload()).rejects.toThrow("no flags");
    await host.agent.prompt("go");
    expect(resultTexts(host.agent)).toEqual([expect.stringContaining("not loaded")]);
  });
});

describe("changes at the same time", () => {
  it("two reloads: one after the other, and every extension ends that was started", async () => {
    const lives: string[] = [];
    let count = 0;
    const extension: InlineExtension = {
      name: "life",
      factory: async (pi) => {
        const me = ++count;
        await aWhile();
        lives.push(`start ${me}`);
        pi.on("session_shutdown", () => void lives.push(`end ${me}`));
      },
    };
    const { agent } = await run({ extensions: [extension] });
    await Promise.all([agent.reload(), agent.reload()]);
    expect(lives).toEqual(["start 1", "end 1", "start 2", "end 2", "start 3"]);
    await agent.dispose();
    expect(lives.at(-1)).toBe("end 3");
  });

  it("whoever waits is asked about by the extensions that are there then", async () => {
    const asked: number[] = [];
    let count = 0;
    const extension: InlineExtension = {
      name: "judge",
      factory: (pi) => {
        const me = ++count;
        pi.on("session_before_switch", () => {
          asked.push(me);
          return me === 1 ? undefined : { cancel: true };
        });
      },
    };
    const { agent } = await run({ extensions: [extension] });
    const [first, second] = await Promise.all([agent.newSession(), agent.newSession()]);
    expect([first, second]).toEqual([{ cancelled: false }, { cancelled: true }]);
    expect(asked).toEqual([1, 1, 2]);
  });

  it("a prompt while the tree is summarised comes after it, on one branch", async () => {
    const host = await run({
      turns: [
        { text: "one" },
        { text: "two" },
        { text: "the summary", delayMs: 50 },
        CALL,
        { text: "end" },
      ],
      extend: (pi) => addTool(pi, "probe", async () => text("probed")),
    });
    const { agent } = host;
    await agent.prompt("first");
    await agent.prompt("second");
    const moving = agent.navigateTree(idOf(host, 1), { summarize: true });
    await until("the summary is asked for", () => host.requests.length === 3);
    await returns("prompt", agent.prompt("third"));
    await moving;
    expect(agent.session.buildContext().messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "branchSummary",
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    expect(unansweredCalls(agent)).toEqual([]);
  });

  it("an abort reaches the summary, and the prompt that waited comes next", async () => {
    const host = await run({
      turns: [{ text: "one" }, { text: "two" }, { text: "never", delayMs: 60_000 }, { text: "3" }],
    });
    const { agent } = host;
    await agent.prompt("first");
    await agent.prompt("second");
    const moving = agent.navigateTree(idOf(host, 1), { summarize: true });
    await until("the summary is asked for", () => host.requests.length === 3);
    const prompting = agent.prompt("third");
    await returns("abort", agent.abort());
    expect(await returns("moving", moving)).toEqual({ cancelled: true });
    await returns("prompt", prompting);
    expect(said(host)).toEqual(["first", "one", "second", "two", "third", "3"]);
  });
});

describe("an extension that changes the session and speaks", () => {
  it.each(["newSession", "reload"] as const)(
    "its command may call %s and prompt afterwards",
    async (change) => {
      const host = await run({
        turns: [{ text: "one" }],
        extend: (pi) =>
          pi.registerCommand("again", {
            handler: async (_args, ctx) => {
              await ctx[change]();
              await agent.prompt("and now");
            },
          }),
      });
      const { agent } = host;
      await returns("the command", agent.prompt("/again"));
      expect(said(host)).toEqual(["and now", "one"]);
      expect(agent.extensions.problems).toEqual([]);
    },
  );

  it("so may the setup of a new session", async () => {
    const host = await run({
      turns: [{ text: "one" }, { text: "two" }],
      extend: (pi) =>
        pi.registerCommand("again", {
          handler: (_args, ctx) =>
            ctx.newSession({
              setup: async (session) => {
                await ctx.reload();
                await host.agent.prompt("in the old one");
                session.appendCustomEntry("set-up");
              },
            }),
        }),
    });
    await returns("the command", host.agent.prompt("/again"));
    expect(host.agent.session.getEntries()).toMatchObject([{ customType: "set-up" }]);
    expect(host.of("session_start").map(({ reason }) => reason)).toEqual([
      "startup",
      "reload",
      "new",
    ]);
  });

  it("withSession may change it once more", async () => {
    const host = await run({
      turns: [{ text: "one" }],
      extend: (pi) =>
        pi.registerCommand("twice", {
          handler: (_args, ctx) =>
            ctx.newSession({
              withSession: async (fresh) => {
                await fresh.newSession({ withSession: (last) => last.sendUserMessage("here") });
              },
            }),
        }),
    });
    await returns("the command", host.agent.prompt("/twice"));
    expect(said(host)).toEqual(["here", "one"]);
    expect(host.of("session_start").map(({ reason }) => reason)).toEqual(["startup", "new", "new"]);
  });

  it("what it says at session_start is worked on when the session has begun", async () => {
    const host = await run({
      turns: [{ text: "one" }, { text: "two" }],
      extend: (pi) => pi.on("session_start", () => pi.sendUserMessage("good morning")),
    });
    await host.agent.waitForIdle();
    expect(said(host)).toEqual(["good morning", "one"]);
    const types = host.seen.map(({ type }) => type);
    expect(types.indexOf("resources_discover")).toBeLessThan(types.indexOf("agent_start"));
    await host.agent.newSession();
    await host.agent.waitForIdle();
    expect(said(host)).toEqual(["good morning", "two"]);
  });
});

describe("Changes", () => {
  it("are made in the order they were asked for; one that fails is not in the way", async () => {
    const changes = new SessionChanges();
    const order: string[] = [];
    const make = (name: string) =>
      changes.make(async () => {
        order.push(`${name} begins`);
        await aWhile();
        order.push(`${name} ends`);
        if (name === "a") throw new Error("a failed");
      });
    const a = make("a");
    const b = make("b");
    const work = changes.begin(() => order.push("work"));
    await expect(a).rejects.toThrow("a failed");
    await Promise.all([b, work]);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends", "work"]);
    expect(changes.underWay).toBe(false);
  });

  it("closing waits for the one under way, but not for ever", async () => {
    const changes = new SessionChanges();
    const never = changes.make(() => new Promise(() => {}));
    await returns("close", changes.close(10));
    expect(changes.closed).toBe(true);
    await expect(changes.make(async () => {})).rejects.toMatchObject({
      code: "SEAM_AGENT_DISPOSED",
    });
    void never;
  });
});
