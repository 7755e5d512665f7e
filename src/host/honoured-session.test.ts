import { describe, expect, it } from "vitest";
import type { CompactionEntry } from "../events/index.ts";
import {
  type Handlers,
  type Hosted,
  type HostedOptions,
  hosted,
  storedMessages,
  testProject,
  textsOf,
} from "./test-kit/index.ts";

const project = testProject();

async function talked(on: Handlers, options: HostedOptions = {}): Promise<Hosted> {
  const host = await hosted({
    cwd: project.root,
    turns: [{ text: "one" }, { text: "two" }, { text: "the summary" }],
    compaction: { keepRecentTokens: 3 },
    on,
    ...options,
  });
  await host.agent.prompt("first");
  await host.agent.prompt("second");
  return host;
}

const idOf = ({ agent }: Hosted, at: number) => agent.session.getEntries()[at]?.id ?? "";

describe("a cancel", () => {
  it.each([
    ["session_before_switch", ({ agent }: Hosted) => agent.newSession()],
    ["session_before_fork", (host: Hosted) => host.agent.fork(idOf(host, 2))],
    ["session_before_branch", (host: Hosted) => host.agent.fork(idOf(host, 2))],
    ["session_before_tree", (host: Hosted) => host.agent.navigateTree(idOf(host, 0))],
  ] as const)("of %s leaves everything as it is", async (name, act) => {
    const host = await talked({ [name]: () => ({ cancel: true }) });
    const { session } = host.agent;
    const [leaf, entries] = [session.getLeafId(), session.getEntries()];
    expect(await act(host)).toEqual({ cancelled: true });
    expect(host.agent.session).toBe(session);
    expect(session.getLeafId()).toBe(leaf);
    expect(session.getEntries()).toEqual(entries);
    expect(host.of("session_shutdown")).toEqual([]);
    expect(host.of("session_tree")).toEqual([]);
  });

  it("of session_before_compact: no model call, no entry, and it is said", async () => {
    const host = await talked({ session_before_compact: () => ({ cancel: true }) });
    expect(await host.agent.compact()).toMatchObject({ aborted: true });
    expect(host.requests).toHaveLength(2);
    expect(host.agent.session.getEntries()).toHaveLength(4);
    expect(host.of("session_compact_failed")).toMatchObject([{ reason: "manual", aborted: true }]);
  });
});

describe("session_before_switch", () => {
  it("is told which session is wanted", async () => {
    const host = await talked({ session_before_switch: () => ({ cancel: true }) });
    await host.agent.switchSession("/somewhere/else.jsonl");
    expect(host.of("session_before_switch")).toMatchObject([
      { reason: "resume", targetSessionFile: "/somewhere/else.jsonl" },
    ]);
  });
});

describe("skipConversationRestore", () => {
  it.each(["session_before_fork", "session_before_branch"] as const)(
    "of %s makes the session and leaves the conversation as it is",
    async (name) => {
      const host = await talked({ [name]: () => ({ skipConversationRestore: true }) });
      const before = host.agent.session;
      expect(await host.agent.fork(idOf(host, 2))).toEqual({ cancelled: false });
      expect(host.agent.session).not.toBe(before);
      expect(textsOf(storedMessages(host.agent))).toEqual(["first", "one", "second", "two"]);
    },
  );

  it("without it the conversation goes back to before the message", async () => {
    const host = await talked({});
    await host.agent.fork(idOf(host, 2));
    expect(textsOf(storedMessages(host.agent))).toEqual(["first", "one"]);
  });
});

function compactionIn({ agent }: Hosted): CompactionEntry | undefined {
  return agent.session.getEntries().find((entry) => entry.type === "compaction");
}

describe("session_before_compact", () => {
  it("may bring its own compaction: no model is asked", async () => {
    const host = await talked({
      session_before_compact: ({ preparation }) => ({
        compaction: {
          summary: "mine",
          firstKeptEntryId: preparation.firstKeptEntryId,
          tokensBefore: preparation.tokensBefore,
          details: { own: true },
        },
      }),
    });
    await host.agent.compact();
    expect(host.requests).toHaveLength(2);
    expect(compactionIn(host)).toMatchObject({
      summary: "mine",
      fromHook: true,
      details: { own: true },
    });
    expect(host.of("session_compact")).toMatchObject([{ fromExtension: true }]);
  });

  it("sees what would be summarised, and the user's wishes", async () => {
    const host = await talked({});
    await host.agent.compact("Mind the tests");
    const [asked] = host.of("session_before_compact");
    expect(textsOf(asked?.preparation.messagesToSummarize)).toEqual(["first", "one"]);
    expect(asked).toMatchObject({ customInstructions: "Mind the tests", reason: "manual" });
    expect(asked?.branchEntries).toHaveLength(4);
    expect(textsOf(host.requests[2]?.messages)[0]).toContain("Mind the tests");
  });
});

describe("session.compacting", () => {
  it("adds context, replaces the prompt and keeps data", async () => {
    const host = await talked({
      "session.compacting": () => ({
        context: ["The user is called Ada"],
        prompt: "Write a haiku",
        preserveData: { count: 3 },
      }),
    });
    await host.agent.compact();
    const [asked] = textsOf(host.requests[2]?.messages);
    expect(asked).toContain("The user is called Ada");
    expect(asked).toMatch(/Write a haiku$/);
    expect(compactionIn(host)).toMatchObject({
      summary: "the summary",
      details: { preserveData: { count: 3 } },
    });
  });
});

describe("session_before_tree", () => {
  const own = { summary: { summary: "what I did there", details: { files: 2 } } };

  it("may bring its own summary", async () => {
    const host = await talked({ session_before_tree: () => own });
    const left = host.agent.session.getLeafId();
    await host.agent.navigateTree(idOf(host, 1), { summarize: true });
    expect(host.requests).toHaveLength(2);
    expect(host.agent.session.getLeafEntry()).toMatchObject({
      type: "branch_summary",
      fromId: left,
      summary: "what I did there",
      details: { files: 2 },
      fromHook: true,
    });
    expect(host.of("session_tree")).toMatchObject([{ oldLeafId: left, fromExtension: true }]);
  });

  it("is not made to summarise what nobody wants summarised", async () => {
    const host = await talked({ session_before_tree: () => own });
    await host.agent.navigateTree(idOf(host, 1));
    expect(host.agent.session.getLeafId()).toBe(idOf(host, 1));
  });

  it("may change the instructions and the label", async () => {
    const host = await talked({
      session_before_tree: () => ({
        customInstructions: "Only the files",
        replaceInstructions: true,
        label: "before",
      }),
    });
    await host.agent.navigateTree(idOf(host, 1), { summarize: true });
    expect(textsOf(host.requests[2]?.messages)[0]).toMatch(/Only the files$/);
    const summary = host.agent.session.getEntries().find(({ type }) => type === "branch_summary");
    expect(host.agent.session.getLabel(summary?.id ?? "")).toBe("before");
  });
});
