import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionFile } from "./session/index.ts";
import { readLinesOf } from "./session/test-kit/files.ts";
import type { SessionPlace } from "./session-control.ts";
import {
  type Hosted,
  type HostedOptions,
  hosted,
  storedMessages,
  testProject,
  textsOf,
} from "./test-kit/index.ts";

const project = testProject();
const create = (options: Parameters<SessionPlace["create"]>[0] = {}) =>
  SessionFile.create({ cwd: project.root, dir: project.home, ...options });
const open = (file: string) => SessionFile.open(file).session;

/** An agent whose sessions are files. */
const run = (options: HostedOptions) =>
  hosted({ cwd: project.root, session: create(), sessions: { create, open }, ...options });

const fileOf = ({ agent }: Hosted) => agent.session.getSessionFile() ?? "";
const idOf = ({ agent }: Hosted, at: number) => agent.session.getEntries()[at]?.id ?? "";
const said = ({ agent }: Hosted) => textsOf(storedMessages(agent));

describe("a session that is resumed", () => {
  it("goes on where it was, with the model and the level of thinking it had", async () => {
    const first = await run({ turns: [{ text: "one" }] });
    await first.agent.setThinkingLevel("high");
    await first.agent.prompt("hello");
    await first.agent.dispose();

    const again = await run({ session: open(fileOf(first)), turns: [{ text: "two" }] });
    expect(again.of("session_start")).toMatchObject([{ reason: "resume" }]);
    expect(again.agent.thinkingLevel).toBe("high");
    await again.agent.prompt("go on");
    expect(textsOf(again.requests[0]?.messages)).toEqual(["hello", "one", "go on"]);
    expect(said(again)).toEqual(["hello", "one", "go on", "two"]);
    expect(readLinesOf(fileOf(first))).toHaveLength(6);
  });

  it("unless whoever resumes it says otherwise", async () => {
    const first = await run({ turns: [{ text: "one" }] });
    await first.agent.setThinkingLevel("high");
    await first.agent.prompt("hello");
    await first.agent.dispose();
    const again = await run({ session: open(fileOf(first)), thinkingLevel: "low" });
    expect(again.agent.thinkingLevel).toBe("low");
  });

  it("is said to have its model restored, also one of the same name from another provider", async () => {
    const model = {
      id: "script",
      name: "Other",
      reasoning: false,
      input: ["text" as const],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 1_000,
      maxTokens: 100,
    };
    const config = { api: "openai-completions", apiKey: "k", baseUrl: "http://x", models: [model] };
    const first = await run({ extend: (pi) => pi.registerProvider("other", config) });
    const other = first.models.find("other", "script");
    expect(other && (await first.agent.setModel(other))).toBe(true);
    first.agent.session.appendMessage({ role: "user", content: "hi", timestamp: 1 });
    await first.agent.newSession();
    await first.agent.setModel(first.models.resolve("scripted/script"));
    const [file] = first.of("session_switch").map((event) => event.previousSessionFile);
    await first.agent.switchSession(file ?? "");
    expect(first.agent.model).toMatchObject({ provider: "other", id: "script" });
    expect(first.of("model_select").at(-1)).toMatchObject({
      source: "restore",
      model: { provider: "other" },
      previousModel: { provider: "scripted" },
    });
  });
});

describe("a new session", () => {
  it("takes the place of the old one, which stays as it is", async () => {
    const host = await run({ turns: [{ text: "one" }, { text: "two" }] });
    await host.agent.prompt("hello");
    const old = fileOf(host);
    expect(await host.agent.newSession({ parentSession: old })).toEqual({ cancelled: false });
    expect(fileOf(host)).not.toBe(old);
    expect(host.agent.session.getHeader().parentSession).toBe(old);
    await host.agent.prompt("fresh");
    expect(textsOf(host.requests[1]?.messages)).toEqual(["fresh"]);
    expect(readLinesOf(old)).toHaveLength(3);
    expect(host.of("session_shutdown")).toMatchObject([
      { reason: "new", targetSessionFile: fileOf(host) },
    ]);
    expect(host.of("session_start").at(-1)).toMatchObject({
      reason: "new",
      previousSessionFile: old,
    });
  });

  it("of a command can be set up, and be talked to at once", async () => {
    const host = await run({
      turns: [{ text: "one" }],
      extend: (pi) =>
        pi.registerCommand("handoff", {
          handler: (_args, ctx) =>
            ctx.newSession({
              setup: (session) => void session.appendCustomEntry("origin", { from: "handoff" }),
              withSession: (fresh) => fresh.sendUserMessage("take over"),
            }),
        }),
    });
    await host.agent.prompt("/handoff");
    await host.agent.waitForIdle();
    expect(host.agent.session.getEntries()[0]).toMatchObject({ customType: "origin" });
    expect(said(host)).toEqual(["take over", "one"]);
  });

  it("in the middle of work stops the work first, and what was queued does not start again", async () => {
    const host = await run({ turns: [{ text: "slow", delayMs: 60_000 }, { text: "one" }] });
    const prompting = host.agent.prompt("hello");
    while (host.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await host.agent.followUp("later");
    const old = fileOf(host);
    await host.agent.newSession();
    await prompting;
    await host.agent.waitForIdle();
    expect(host.requests).toHaveLength(1);
    expect(said(host)).toEqual([]);
    expect(readLinesOf(old)).toHaveLength(3);
  });
});

describe("switching", () => {
  it("opens the other session and goes on there", async () => {
    const host = await run({ turns: [{ text: "one" }, { text: "two" }, { text: "three" }] });
    await host.agent.prompt("hello");
    const old = fileOf(host);
    await host.agent.newSession();
    await host.agent.prompt("fresh");
    const newer = fileOf(host);
    await host.agent.switchSession(old);
    await host.agent.prompt("back again");
    expect(said(host)).toEqual(["hello", "one", "back again", "three"]);
    expect(host.of("session_switch").at(-1)).toMatchObject({
      reason: "resume",
      previousSessionFile: newer,
    });
  });

  it("to a file that is not there is an error, and the agent goes on as it was", async () => {
    const host = await run({ turns: [{ text: "one" }] });
    const { session } = host.agent;
    await expect(host.agent.switchSession(join(project.home, "no.jsonl"))).rejects.toThrow();
    expect(host.agent.session).toBe(session);
    await host.agent.prompt("hello");
    expect(said(host)).toEqual(["hello", "one"]);
  });
});

describe("a fork", () => {
  const talked = async () => {
    const host = await run({ turns: [{ text: "one" }, { text: "two" }, { text: "three" }] });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    return host;
  };

  it("before a message is a new session that ends before it", async () => {
    const host = await talked();
    const old = fileOf(host);
    await host.agent.fork(idOf(host, 2));
    expect(said(host)).toEqual(["first", "one"]);
    expect(host.agent.session.getHeader().parentSession).toBe(old);
    await host.agent.prompt("otherwise");
    expect(textsOf(host.requests[2]?.messages)).toEqual(["first", "one", "otherwise"]);
    expect(readLinesOf(old)).toHaveLength(5);
    expect(host.of("session_branch")).toMatchObject([{ previousSessionFile: old }]);
  });

  it("at an entry is a new session that ends with it", async () => {
    const host = await talked();
    await host.agent.fork(idOf(host, 1), { position: "at" });
    expect(said(host)).toEqual(["first", "one"]);
    expect(host.of("session_before_fork")).toMatchObject([{ position: "at" }]);
  });

  it("of an entry that is not there is an error, and the agent goes on as it was", async () => {
    const host = await talked();
    const { session } = host.agent;
    await expect(host.agent.fork("nope")).rejects.toThrow();
    expect(host.agent.session).toBe(session);
  });
});

describe("moving in the tree", () => {
  const talked = async () => {
    const host = await run({
      turns: [{ text: "one" }, { text: "two" }, { text: "we tried two" }, { text: "three" }],
    });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    return host;
  };

  it("makes a branch of what comes next; the other one stays", async () => {
    const host = await talked();
    const leaf = host.agent.session.getLeafId();
    await host.agent.navigateTree(idOf(host, 1));
    expect(host.of("session_tree")).toMatchObject([{ newLeafId: idOf(host, 1), oldLeafId: leaf }]);
    await host.agent.prompt("otherwise");
    expect(textsOf(host.requests[2]?.messages)).toEqual(["first", "one", "otherwise"]);
    expect(host.agent.session.getEntries()).toHaveLength(6);
    expect(host.agent.session.getChildren(idOf(host, 1))).toHaveLength(2);
  });

  it("with a summary of what is left behind, which the model sees", async () => {
    const host = await talked();
    const leaf = host.agent.session.getLeafId();
    await host.agent.navigateTree(idOf(host, 1), { summarize: true, label: "tried" });
    expect(textsOf(host.requests[2]?.messages)[0]).toContain("second");
    const [summary] = host.agent.session
      .getEntries()
      .filter((entry) => entry.type === "branch_summary");
    expect(summary).toMatchObject({ fromId: leaf, summary: "we tried two" });
    expect(host.agent.session.getLabel(summary?.id ?? "")).toBe("tried");
    expect(host.of("session_tree")).toMatchObject([{ fromExtension: false }]);
    await host.agent.prompt("otherwise");
    const sent = textsOf(host.requests[3]?.messages);
    expect(sent).toEqual(["first", "one", expect.stringContaining("we tried two"), "otherwise"]);
  });

  it("to a message of the user goes before it, and gives its text back to be said differently", async () => {
    const host = await talked();
    const answer = idOf(host, 1);
    expect(await host.agent.navigateTree(idOf(host, 2))).toEqual({
      cancelled: false,
      editorText: "second",
    });
    expect(host.of("session_tree")).toMatchObject([{ newLeafId: answer }]);
    await host.agent.prompt("second, rephrased");
    expect(textsOf(host.requests[2]?.messages)).toEqual(["first", "one", "second, rephrased"]);
  });

  it("to the first message goes before everything", async () => {
    const host = await talked();
    expect(await host.agent.navigateTree(idOf(host, 0))).toMatchObject({ editorText: "first" });
    expect(host.of("session_tree")).toMatchObject([{ newLeafId: null }]);
    await host.agent.prompt("otherwise");
    expect(textsOf(host.requests[2]?.messages)).toEqual(["otherwise"]);
    expect(host.agent.session.getEntries().at(-2)).toMatchObject({ parentId: null });
  });

  it("to the first message, with a summary, which is then all there is", async () => {
    const host = await talked();
    await host.agent.navigateTree(idOf(host, 0), { summarize: true });
    await host.agent.prompt("otherwise");
    expect(textsOf(host.requests[3]?.messages)).toEqual([
      expect.stringContaining("we tried two"),
      "otherwise",
    ]);
  });

  it("to a message of an extension goes before it too", async () => {
    const host = await talked();
    host.pi.sendMessage({
      customType: "note",
      content: [{ type: "text", text: "psst" }],
      display: true,
    });
    await host.agent.prompt("third");
    const note = host.agent.session.getEntries().find(({ type }) => type === "custom_message");
    const label = "before the note";
    expect(await host.agent.navigateTree(note?.id ?? "", { label })).toMatchObject({
      editorText: "psst",
    });
    expect(host.agent.session.getLabel(note?.id ?? "")).toBe(label);
    expect(textsOf(host.agent.session.buildContext().messages)).toEqual([
      "first",
      "one",
      "second",
      "two",
    ]);
  });

  it("to where it stands already does nothing; to nowhere is an error", async () => {
    const host = await talked();
    const leaf = host.agent.session.getLeafId() ?? "";
    expect(await host.agent.navigateTree(leaf)).toEqual({ cancelled: false });
    await expect(host.agent.navigateTree("nope")).rejects.toThrow(/nope/);
    expect(host.agent.session.getLeafId()).toBe(leaf);
    expect(host.of("session_tree")).toEqual([]);
  });

  it("with a summary that fails: nothing moves", async () => {
    const host = await run({ turns: [{ text: "one" }, { error: { message: "no", status: 400 } }] });
    await host.agent.prompt("first");
    const leaf = host.agent.session.getLeafId();
    await expect(host.agent.navigateTree(idOf(host, 0), { summarize: true })).rejects.toThrow("no");
    expect(host.agent.session.getLeafId()).toBe(leaf);
    expect(host.agent.session.getEntries()).toHaveLength(2);
  });
});

describe("names and labels", () => {
  it("are set by extensions and kept in the file", async () => {
    const host = await run({ turns: [{ text: "one" }] });
    await host.agent.prompt("first");
    host.pi.setSessionName("The big one");
    host.pi.setLabel(idOf(host, 1), "good");
    host.pi.appendEntry("mine", { n: 1 });
    expect(host.pi.getSessionName()).toBe("The big one");
    await host.agent.dispose();
    const session = open(fileOf(host));
    expect(session.getSessionName()).toBe("The big one");
    expect(session.getLabel(idOf(host, 1))).toBe("good");
    expect(session.getEntries().at(-1)).toMatchObject({ customType: "mine", data: { n: 1 } });
    session.close();
  });
});

describe("a reload", () => {
  it("loads extensions anew; what the old ones hold on to is stale", async () => {
    const contexts: { cwd: string }[] = [];
    const host = await run({
      turns: [{ text: "one" }, { text: "two" }],
      on: { session_start: (_event, ctx) => void contexts.push(ctx) },
    });
    await host.agent.prompt("first");
    const { pi: oldPi } = host;
    await host.agent.reload();
    expect(contexts).toHaveLength(2);
    expect(() => contexts[0]?.cwd).toThrow(/stale|session|reload/i);
    expect(() => oldPi.getActiveTools()).toThrow(/stale|session|reload/i);
    expect(contexts[1]?.cwd).toBe(project.root);
    expect(host.of("session_shutdown")).toMatchObject([{ reason: "reload" }]);
    expect(host.of("session_start").at(-1)).toMatchObject({ reason: "reload" });
    expect(host.of("resources_discover").at(-1)).toMatchObject({ reason: "reload" });
    await host.agent.prompt("second");
    expect(said(host)).toEqual(["first", "one", "second", "two"]);
  });

  it("finds skills that came since", async () => {
    const host = await run({});
    expect(host.pi.getCommands()).toEqual([]);
    project.write(".seam/skills/late/SKILL.md", "---\nname: late\ndescription: d\n---\nx\n");
    await host.agent.reload();
    expect(host.pi.getCommands().map(({ name }) => name)).toEqual(["skill:late"]);
  });
});
