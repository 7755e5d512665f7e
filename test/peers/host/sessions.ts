/** Sessions both ways: what Seam writes Pi opens, what Pi writes Seam opens, and so on in turn. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { readSession, SessionFile, type SessionTree } from "../../../src/host/index.ts";
import { PI_ROOT } from "../pi.ts";
import { proveSession } from "./proofs.ts";
import { folder, onSeam, textOf } from "./stage.ts";

/** Of Pi's session manager, what is used here. */
interface PiSession {
  getEntries(): unknown[];
  getHeader(): unknown;
  getTree(): PiNode[];
  getBranch(): { id: string }[];
  getLeafId(): string | null;
  getSessionName(): string | undefined;
  getSessionFile(): string | undefined;
  getLabel(id: string): string | undefined;
  buildSessionContext(): { messages: unknown[]; model: unknown; thinkingLevel: string };
  appendMessage(message: unknown): string;
  appendThinkingLevelChange(level: string): string;
  appendModelChange(provider: string, modelId: string): string;
  appendCompaction(summary: string, firstKept: string, tokens: number, details?: unknown): string;
  appendCustomEntry(customType: string, data?: unknown): string;
  appendCustomMessageEntry(customType: string, content: string, display: boolean): string;
  appendSessionInfo(name: string): string;
  appendLabelChange(id: string, label: string | undefined): string;
  branch(id: string): void;
  branchWithSummary(id: string, summary: string): string;
}
interface PiNode {
  entry: { id: string };
  children: PiNode[];
  label?: string;
}

async function piSessions(): Promise<{
  create(cwd: string, dir: string): PiSession;
  open(path: string): PiSession;
}> {
  const { SessionManager } = await import(`${PI_ROOT}/dist/index.js`);
  return SessionManager;
}

/** The tree as ids and labels. */
function shape(nodes: readonly PiNode[]): unknown {
  return nodes.map(({ entry, children, label }) => ({
    id: entry.id,
    label,
    children: shape(children),
  }));
}

/** As it is after a way through a file. */
const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function expectSame(seam: SessionTree, pi: PiSession): void {
  expect(plainly(seam.getHeader())).toEqual(plainly(pi.getHeader()));
  expect(plainly(seam.getEntries())).toEqual(plainly(pi.getEntries()));
  expect(seam.getLeafId()).toBe(pi.getLeafId());
  expect(shape(seam.getTree())).toEqual(shape(pi.getTree()));
  expect(seam.getSessionName()).toBe(pi.getSessionName());
  const { messages, model, thinkingLevel } = pi.buildSessionContext();
  const context = seam.buildContext();
  expect(plainly(context.messages)).toEqual(plainly(messages));
  expect(context.model).toEqual(model);
  expect(context.thinkingLevel).toBe(thinkingLevel);
}

/** A session of Seam's with everything in it, written by an agent at work. */
async function woven() {
  const stage = await onSeam("bookmark", {
    turns: [
      { thinking: "Hm.", text: "One.", toolCalls: [{ name: "ls", arguments: { path: "." } }] },
      { text: "Two." },
      { text: "Three." },
      { text: "Summary of the branch." },
      { text: "Four." },
      { text: "Summary of all." },
      { text: "Five." },
    ],
    files: { "a.txt": "" },
    answers: [],
    keepRecentTokens: 3,
    also: [
      {
        name: "notes",
        factory: (pi) => {
          pi.registerCommand("note", {
            handler: () => {
              pi.appendEntry("note", { n: 1 });
              pi.sendMessage({ customType: "note", content: "Noted.", display: true });
              pi.setSessionName("Weaving");
            },
          });
        },
      },
    ],
  });
  const { agent } = stage;
  await stage.prompt("First.");
  const fork = agent.session.getLeafId() ?? "";
  await stage.prompt("/bookmark here");
  await stage.prompt("/note");
  await agent.bash("echo woven");
  await stage.prompt("Second.");
  await agent.navigateTree(fork, { summarize: true, label: "branched" });
  agent.setThinkingLevel("high");
  await stage.prompt("Third.");
  await agent.compact();
  await stage.prompt("Fourth.");
  return stage;
}

proveSession(
  "a session written by Seam opens in Pi: entries, tree, name, labels, compaction, same messages",
  async () => {
    const stage = await woven();
    const types = new Set(stage.entries().map(({ type }) => type));
    expect([...types].sort()).toEqual([
      "branch_summary",
      "compaction",
      "custom",
      "custom_message",
      "label",
      "message",
      "session_info",
      "thinking_level_change",
    ]);
    const file = stage.sessionFile();
    await stage.agent.dispose();
    const pi = (await piSessions()).open(file);
    const { session, problems } = readSession(file);
    expect(problems).toEqual([]);
    expectSame(session, pi);
    expect(pi.getSessionName()).toBe("Weaving");
    expect(pi.buildSessionContext().messages[0]).toMatchObject({
      role: "compactionSummary",
      summary: expect.stringContaining("Summary of all."),
    });
    const labels = stage.entries().flatMap(({ id }) => pi.getLabel(id) ?? []);
    expect(labels.sort()).toEqual(["branched", "here"]);
  },
);

const now = () => ({ timestamp: Date.now() });
const user = (text: string) => ({ role: "user", content: [{ type: "text", text }], ...now() });
const answer = (text: string) => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "scripted",
  provider: "scripted",
  model: "script",
  usage: {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 2,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  ...now(),
});

proveSession("a session written by Pi opens in Seam, and an agent goes on with it", async () => {
  const cwd = folder("pi-project");
  const pi = (await piSessions()).create(cwd, folder("pi-sessions"));
  pi.appendModelChange("scripted", "script");
  pi.appendThinkingLevelChange("low");
  const first = pi.appendMessage(user("First."));
  const second = pi.appendMessage(answer("One."));
  pi.appendLabelChange(second, "here");
  pi.appendCustomEntry("note", { n: 1 });
  pi.appendMessage(user("Lost."));
  pi.appendMessage(answer("Lost, too."));
  pi.branchWithSummary(second, "They went astray.");
  const kept = pi.appendMessage(user("Second."));
  pi.appendMessage(answer("Two."));
  pi.appendCustomMessageEntry("note", "Noted.", true);
  pi.appendSessionInfo("By Pi");
  pi.appendCompaction("All so far.", kept, 1234, { readFiles: [] });
  pi.appendMessage(user("Third."));
  pi.appendMessage(answer("Three."));
  pi.branch(first);
  pi.branch(pi.getBranch().at(-1)?.id ?? first);
  const file = pi.getSessionFile() ?? "";
  const { session, problems } = readSession(file);
  expect(problems).toEqual([]);
  expectSame(session, (await piSessions()).open(file));
  expect(session.buildContext().messages.map(({ role }) => role)).toEqual([
    ...["compactionSummary", "user", "assistant", "custom", "user", "assistant"],
  ]);
  const stage = await onSeam("session-name", { turns: [{ text: "Four." }], cwd, resume: file });
  await stage.prompt("Fourth.");
  const sent = stage.asked[0]?.messages.map(({ content }) => textOf(content)) ?? [];
  expect(sent[0]).toContain("All so far.");
  expect(sent.slice(1)).toEqual(["Second.", "Two.", "Noted.", "Third.", "Three.", "Fourth."]);
  expect(stage.agent.thinkingLevel).toBe("low");
});

proveSession(
  "Pi appends to Seam's file, Seam to Pi's, in turn; nobody changes a line",
  async () => {
    const stage = await woven();
    const file = stage.sessionFile();
    await stage.agent.dispose();
    const sessions = await piSessions();
    for (let round = 0; round < 3; round++) {
      const before = readFileSync(file, "utf8");
      const pi = sessions.open(file);
      pi.appendMessage(user(`Pi ${round}`));
      pi.appendMessage(answer(`Yes ${round}`));
      expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
      const between = readFileSync(file, "utf8");
      const { session, problems } = SessionFile.open(file);
      expect(problems).toEqual([]);
      session.appendMessage(user(`Seam ${round}`));
      session.appendMessage(answer(`Of course ${round}`));
      session.close();
      expect(readFileSync(file, "utf8").startsWith(between)).toBe(true);
      expectSame(readSession(file).session, sessions.open(file));
    }
    const { messages } = readSession(file).session.buildContext();
    const last = messages.slice(-4).map((one) => ("content" in one ? textOf(one.content) : ""));
    expect(last).toEqual(["Pi 2", "Yes 2", "Seam 2", "Of course 2"]);
  },
);
