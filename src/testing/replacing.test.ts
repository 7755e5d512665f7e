import { describe, expect, it, onTestFinished } from "vitest";
import type {
  ExtensionAPI,
  ExtensionCommandContext,
  ExtensionFactory,
} from "../extensions/index.ts";
import { createTestHost, type TestHostOptions } from "./index.ts";

type Act = (ctx: ExtensionCommandContext) => unknown;

/**
 * A host whose extension has one command, `/act`, which does `act` and remembers what it was
 * given. `events` is what happened to the session, over all of its replacements.
 */
async function acting(
  act: Act,
  more: ExtensionFactory = () => {},
  options: Partial<TestHostOptions> = {},
) {
  const events: string[] = [];
  const ctxs: ExtensionCommandContext[] = [];
  const pis: ExtensionAPI[] = [];
  const results: unknown[] = [];
  const factory: ExtensionFactory = (pi) => {
    pis.push(pi);
    pi.on("session_start", ({ reason }) => void events.push(`start ${reason}`));
    pi.on("session_shutdown", ({ reason }) => void events.push(`shutdown ${reason}`));
    pi.registerCommand("act", {
      handler: async (_, ctx) => {
        ctxs.push(ctx);
        results.push(await act(ctx));
      },
    });
    more(pi);
  };
  const host = await createTestHost({ extensions: [{ name: "mine", factory }], ...options });
  onTestFinished(() => host.dispose());
  return { host, events, ctxs, pis, results };
}

const STALE = expect.objectContaining({ code: "SEAM_EXT_STALE" });

describe.each([
  ["newSession", (ctx) => ctx.newSession(), "new"],
  ["switchSession", (ctx) => ctx.switchSession("/sessions/old.jsonl"), "resume"],
  ["fork", (ctx) => ctx.fork(ctx.sessionManager.getLeafId() ?? "", { position: "at" }), "fork"],
  ["reload", (ctx) => ctx.reload(), "reload"],
] satisfies [string, Act, string][])("%s", (method, act, reason) => {
  const withEntry: ExtensionFactory = (pi) => {
    pi.on("session_start", () => {
      if (pi.getSessionName() === undefined) pi.setSessionName("named");
    });
  };

  it("ends the old session and starts the next one, with extensions anew", async () => {
    const { host, events, pis } = await acting(act, withEntry);
    await host.command("/act");
    expect(events).toEqual(["start startup", `shutdown ${reason}`, `start ${reason}`]);
    expect(pis).toHaveLength(2);
  });

  it("makes the old pi and the old ctx stale; the new ones work", async () => {
    const { host, pis, ctxs } = await acting(act, withEntry);
    await host.command("/act");
    const [oldPi, newPi] = pis;
    expect(() => ctxs[0]?.cwd).toThrow(STALE);
    expect(() => ctxs[0]?.isIdle()).toThrow(STALE);
    expect(() => ctxs[0]?.setTimeout(() => {}, 1)).toThrow(STALE);
    expect(() => oldPi?.on("turn_start", () => {})).toThrow(STALE);
    expect(() => oldPi?.sendUserMessage("x")).toThrow(STALE);
    expect(() => newPi?.getActiveTools()).not.toThrow();
    await host.command("/act");
    expect(ctxs).toHaveLength(2);
  });

  it(`${method === "reload" ? "keeps" : "replaces"} the conversation`, async () => {
    const { host } = await acting(act, withEntry);
    const before = host.session;
    await host.command("/act");
    expect(host.session === before).toBe(method === "reload");
  });
});

describe("a handler can cancel", () => {
  const cancelling = (event: "session_before_switch" | "session_before_fork") =>
    ((pi) => void pi.on(event, () => ({ cancel: true }))) satisfies ExtensionFactory;

  it.each([
    ["newSession", (ctx) => ctx.newSession(), "session_before_switch"],
    ["switchSession", (ctx) => ctx.switchSession("/old.jsonl"), "session_before_switch"],
    ["fork", (ctx) => ctx.fork("any"), "session_before_fork"],
  ] satisfies [string, Act, "session_before_switch" | "session_before_fork"][])(
    "%s: nothing happens, and the ctx goes on working",
    async (_, act, event) => {
      const { host, events, results, ctxs } = await acting(act, cancelling(event));
      const before = host.session;
      await host.command("/act");
      expect(results).toEqual([{ cancelled: true }]);
      expect(events).toEqual(["start startup"]);
      expect(host.session).toBe(before);
      expect(ctxs[0]?.mode).toBe("test");
    },
  );

  it("the tree stays where it is", async () => {
    const { host, results } = await acting(
      (ctx) => ctx.navigateTree(ctx.sessionManager.getEntries()[0]?.id ?? ""),
      (pi) => {
        pi.on("session_start", () => {
          pi.appendEntry("a");
          pi.appendEntry("b");
        });
        pi.on("session_before_tree", () => ({ cancel: true }));
      },
    );
    const leaf = host.session.getLeafId();
    await host.command("/act");
    expect(results).toEqual([{ cancelled: true }]);
    expect(host.session.getLeafId()).toBe(leaf);
  });
});

describe("navigateTree", () => {
  it("moves within the session: told before and after, nothing becomes stale", async () => {
    const seen: unknown[] = [];
    const { host, ctxs } = await acting(
      (ctx) => ctx.navigateTree(ctx.sessionManager.getEntries()[0]?.id ?? ""),
      (pi) => {
        pi.on("session_start", () => {
          pi.appendEntry("a");
          pi.appendEntry("b");
        });
        pi.on("session_before_tree", ({ preparation }) => void seen.push(preparation.targetId));
        pi.on("session_tree", ({ newLeafId, oldLeafId }) => void seen.push(newLeafId, oldLeafId));
      },
    );
    const [a, b] = host.session.getEntries().map(({ id }) => id);
    await host.command("/act");
    expect(host.session.getLeafId()).toBe(a);
    expect(seen).toEqual([a, a, b]);
    expect(ctxs[0]?.mode).toBe("test");
  });

  it("to a message goes before it", async () => {
    const { host } = await acting(
      (ctx) => ctx.navigateTree(ctx.sessionManager.getEntries()[1]?.id ?? ""),
      (pi) => {
        pi.on("session_start", () => pi.appendEntry("a"));
      },
    );
    host.session.appendMessage({ role: "user", content: "hi", timestamp: 0 });
    await host.command("/act");
    expect(host.session.getLeafId()).toBe(host.session.getEntries()[0]?.id);
  });

  it("to an entry that is not there moves nothing and says nothing happened", async () => {
    const seen: unknown[] = [];
    const { host, results } = await acting(
      (ctx) => ctx.navigateTree("nowhere"),
      (pi) => void pi.on("session_tree", (event) => void seen.push(event)),
    );
    await host.command("/act");
    expect(seen).toEqual([]);
    expect(results).not.toEqual([{ cancelled: false }]);
  });
});

describe("newSession", () => {
  it("is set up before extensions see it", async () => {
    const entries: number[] = [];
    const { host } = await acting(
      (ctx) =>
        ctx.newSession({
          parentSession: "/parent.jsonl",
          setup: (session) => {
            session.appendCustomEntry("prepared");
          },
        }),
      (pi) => {
        pi.on("session_start", (_, { sessionManager }) => {
          entries.push(sessionManager.getEntries().length);
        });
      },
    );
    await host.command("/act");
    expect(entries).toEqual([0, 1]);
    expect(host.session.getHeader()).toMatchObject({ parentSession: "/parent.jsonl" });
  });

  it("withSession gets a context of the new session", async () => {
    const { host } = await acting((ctx) =>
      ctx.newSession({ withSession: (next) => next.sendUserMessage("Go on from here") }),
    );
    await host.command("/act");
    expect(host.sent).toEqual([{ kind: "user", content: "Go on from here" }]);
    expect(host.session.getEntries()).toHaveLength(1);
  });

  it("the context belongs to the extension that asked for the session", async () => {
    const kept: ExtensionCommandContext[] = [];
    const asking: ExtensionFactory = (pi) => {
      pi.registerCommand("new", {
        handler: (_, ctx) => ctx.newSession({ withSession: (next) => void kept.push(next) }),
      });
    };
    const host = await createTestHost({
      extensions: [
        { name: "bystander", factory: () => {} },
        { name: "asking", factory: asking },
      ],
    });
    await host.command("/new");
    await host.dispose();
    expect(() => kept[0]?.cwd).toThrow("<asking>");
  });

  it("what went wrong in the old session can still be read", async () => {
    const { host } = await acting(async (ctx) => {
      await ctx.newSession();
      return ctx.cwd;
    });
    await host.command("/act");
    expect(host.problems.map(({ error }) => error.code)).toEqual(["SEAM_EXT_STALE"]);
  });
});

describe("fork", () => {
  const texts = (entries: readonly { type: string; customType?: string }[]) =>
    entries.map(({ type, customType }) => customType ?? type);
  const three: ExtensionFactory = (pi) => {
    pi.on("session_start", ({ reason }) => {
      if (reason !== "startup") return;
      for (const name of ["a", "b", "c"]) pi.appendEntry(name);
    });
  };
  const second = (ctx: ExtensionCommandContext) => ctx.sessionManager.getEntries()[1]?.id ?? "";

  it("before a message of the user: the new session has what came before it", async () => {
    const asking: ExtensionFactory = (pi) => {
      three(pi);
      pi.on("session_start", ({ reason }) => {
        if (reason === "startup") pi.sendUserMessage("again?");
      });
    };
    const { host } = await acting((ctx) => ctx.fork(ctx.sessionManager.getLeafId() ?? ""), asking);
    await host.command("/act");
    expect(texts(host.session.getBranch())).toEqual(["a", "b", "c"]);
  });

  it("before anything else is refused and reported", async () => {
    const { host } = await acting((ctx) => ctx.fork(second(ctx)), three);
    await host.command("/act");
    expect(host.problems.map(({ error }) => error.code)).toEqual(["SEAM_SESSION_ENTRY"]);
  });

  it("at an entry: the new session has it as well", async () => {
    const { host } = await acting((ctx) => ctx.fork(second(ctx), { position: "at" }), three);
    await host.command("/act");
    expect(texts(host.session.getBranch())).toEqual(["a", "b"]);
  });

  it("keeps labels", async () => {
    const { host } = await acting(
      (ctx) => ctx.fork(ctx.sessionManager.getLeafId() ?? "", { position: "at" }),
      (pi) => {
        three(pi);
        pi.on("session_start", ({ reason }, ctx) => {
          const [first] = ctx.sessionManager.getEntries();
          if (reason === "startup" && first) pi.setLabel(first.id, "begin");
        });
      },
    );
    await host.command("/act");
    const [first] = host.session.getEntries();
    expect(host.session.getLabel(first?.id ?? "")).toBe("begin");
  });
});

it("timers of the old session stop", async () => {
  const ticks: number[] = [];
  const { host, pis } = await acting(
    (ctx) => ctx.reload(),
    (pi) => {
      pi.on("session_start", (_, ctx) => {
        const mine = pis.length;
        ctx.setInterval(() => ticks.push(mine), 5);
      });
    },
  );
  await host.command("/act");
  ticks.length = 0;
  await new Promise((done) => setTimeout(done, 60));
  expect(new Set(ticks)).toEqual(new Set([2]));
});
