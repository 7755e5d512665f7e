import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PEERS } from "../pi.ts";
import { call, calls, get, make, own, type Probes, type Thing, tell, type Use } from "./kit.ts";

const at = 1_700_000_000_000;
const iso = new Date(at).toISOString();
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const usage = {
  input: 900,
  output: 50,
  cacheRead: 40,
  cacheWrite: 10,
  totalTokens: 1_000,
  cost: { ...NO_COST, total: 0 },
};
const model = {
  id: "m",
  name: "M",
  api: "probe-loop",
  provider: "probe",
  baseUrl: "http://127.0.0.1:9",
  reasoning: false,
  input: ["text"],
  cost: NO_COST,
  contextWindow: 200_000,
  maxTokens: 1_000,
};
const user = (text: string) => ({ role: "user", content: [{ type: "text", text }], timestamp: at });
const answer = (content: object[], stopReason = "stop") => ({
  role: "assistant",
  content,
  api: model.api,
  provider: model.provider,
  model: model.id,
  usage,
  stopReason,
  timestamp: at,
});
const text = (said: string) => ({ type: "text", text: said });
const calling = { type: "toolCall", id: "c1", name: "add", arguments: { a: 1, b: 2 } };
const entry = (id: string, parentId: string | null, message: object) => ({
  type: "message",
  id,
  parentId,
  timestamp: iso,
  message,
});
const branch = [
  entry("1", null, user("Do it.")),
  entry("2", "1", answer([calling], "toolUse")),
  entry("3", "2", {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "add",
    content: [text("3")],
    isError: false,
    timestamp: at,
  }),
  entry("4", "3", answer([text("Three.")])),
  entry("5", "4", user("And more.")),
  entry("6", "5", answer([text("Done.")])),
];

/** A model that says these things one after the other. */
function saying(...answers: readonly object[]) {
  const waiting = [...answers];
  return () => {
    const message = waiting.shift() ?? answer([text("Nothing more.")]);
    return {
      async *[Symbol.asyncIterator]() {
        yield { type: "start", partial: { ...message, content: [] } };
        yield { type: "done", reason: get(message, "stopReason"), message };
      },
      result: async () => message,
    };
  };
}

const add = {
  name: "add",
  label: "Add",
  description: "Adds.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  execute: async (_id: string, { a, b }: { a: number; b: number }) => ({
    content: [text(String(a + b))],
    details: { sum: a + b },
  }),
};
const twoRounds = () => saying(answer([calling], "toolUse"), answer([text("Three.")]));
const config = { model, convertToLlm: (messages: object[]) => messages };
const context = () => ({ systemPrompt: "Be brief.", messages: [], tools: [add] });
/** Later versions have the system prompt as a message in front; Seam keeps to 0.74's form. */
const roles = (messages: unknown) =>
  (messages as object[]).map((one) => get(one, "role")).filter((role) => role !== "system");

/** The events of a loop, without those of the system message that later versions put in front. */
const kinds = (events: readonly object[]) =>
  events
    .filter((event) => get(get(event, "message"), "role") !== "system")
    .map((event) => get(event, "type"));

const SUMMARY = "## Goal\nTo add.";

/** Answers over a server what a summary is asked of. */
async function summarizing<T>(ask: (at: object) => Promise<T>): Promise<T> {
  const server = createServer((request, reply) => {
    request.resume().on("end", () => {
      reply.setHeader("content-type", "text/event-stream");
      const chunks = [
        {
          choices: [
            { index: 0, delta: { role: "assistant", content: SUMMARY }, finish_reason: null },
          ],
        },
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      ];
      for (const chunk of chunks) {
        reply.write(
          `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", ...chunk })}\n\n`,
        );
      }
      reply.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    return await ask({
      ...model,
      api: "openai-completions",
      baseUrl: `http://127.0.0.1:${port}/v1`,
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The value of a result in 0.74's form, or what is given directly. */
const outOf = (result: unknown) => (get(result, "ok") === true ? get(result, "value") : result);

const folder = () => mkdtempSync(join(tmpdir(), "seam-probe-"));
async function environment(cwd: string): Promise<Thing> {
  const { NodeExecutionEnv } = await import(
    /* @vite-ignore */ pathToFileURL(`${PEERS}/pi-agent-core/dist/node.js`).href
  );
  return make(NodeExecutionEnv, { cwd });
}

function withResources(): string {
  const cwd = folder();
  mkdirSync(join(cwd, "skills/dig"), { recursive: true });
  mkdirSync(join(cwd, "prompts"));
  writeFileSync(
    join(cwd, "skills/dig/SKILL.md"),
    "---\nname: dig\ndescription: Digs.\n---\nDig deep.\n",
  );
  writeFileSync(join(cwd, "prompts/fix.md"), "---\ndescription: Fixes.\n---\nFix $1.\n");
  return cwd;
}

/** What Seam says of a skill or a prompt beyond what Pi does. */
const MORE = new Set(["sourceInfo", "baseDir"]);

/** Paths are below a folder of each one's own. */
function below(cwd: string, value: unknown, more: ReadonlySet<string> = MORE): unknown {
  const known = JSON.stringify(value ?? null, (key, part: unknown) =>
    more.has(key) ? undefined : part,
  );
  return JSON.parse(known.replaceAll(cwd, "<cwd>"));
}
const MORE_OF_PROMPTS = new Set([...MORE, "filePath"]);

const errorClass =
  (code: string): Use =>
  (value) => {
    const error = make(value, code, "It failed.");
    return [error instanceof Error, get(error, "code"), get(error, "message"), get(error, "name")];
  };
const skill = {
  name: "dig",
  description: "Digs.",
  content: "Dig deep.",
  filePath: "/s/dig/SKILL.md",
};
const template = { name: "fix", description: "Fixes.", content: "Fix $1 and $2." };

export const AGENT_CORE: Probes = {
  Agent: async (value) => {
    const agent = make(value, {
      initialState: { systemPrompt: "Be brief.", model, tools: [add] },
      streamFn: twoRounds(),
    });
    const events: object[] = [];
    tell(agent, "subscribe", (event: object) => void events.push(event));
    await tell(agent, "prompt", "Add.");
    await tell(agent, "waitForIdle");
    const messages = get(get(agent, "state"), "messages") as object[];
    const said = roles(messages);
    tell(agent, "reset");
    return [kinds(events), said, tell(agent, "hasQueuedMessages")];
  },
  agentLoop: async (value) => {
    const stream = call(value, [user("Add.")], context(), config, undefined, twoRounds());
    const events: object[] = [];
    for await (const event of Object(stream) as AsyncIterable<object>) events.push(event);
    return [kinds(events), roles(await tell(stream, "result"))];
  },
  agentLoopContinue: async (value) => {
    const given = { ...context(), messages: [user("Add.")] };
    const stream = call(value, given, config, undefined, twoRounds());
    const events: object[] = [];
    for await (const event of Object(stream) as AsyncIterable<object>) events.push(event);
    return kinds(events);
  },
  runAgentLoop: async (value) => {
    const events: object[] = [];
    const emit = (event: object) => void events.push(event);
    const made = await call(value, [user("Add.")], context(), config, emit, undefined, twoRounds());
    return [kinds(events), roles(made)];
  },
  runAgentLoopContinue: async (value) => {
    const events: object[] = [];
    const emit = (event: object) => void events.push(event);
    const given = { ...context(), messages: [user("Add.")] };
    const made = await call(value, given, config, emit, undefined, twoRounds());
    return [kinds(events), roles(made)];
  },
  runToolCall: own("what 1.5.0 checks schemas with is not published", "3", async (value) => {
    const options = {
      tools: [add],
      assistantMessage: answer([calling], "toolUse"),
      context: context(),
    };
    const made = get(await call(value, calling, options), "result");
    return JSON.stringify(made).includes('"3"') ? "3" : made;
  }),
  setDefaultStreamFn: async (value, { Agent }) => {
    call(value, saying(answer([text("By default.")])));
    const agent = make(Agent, { initialState: { model } });
    await tell(agent, "prompt", "Hi.");
    call(value, undefined);
    return JSON.stringify(get(get(agent, "state"), "messages")).includes("By default.");
  },
  streamProxy: async (value) => {
    const server = createServer((request, reply) => {
      request.resume().on("end", () => {
        const events = [
          { type: "start" },
          { type: "text_start", contentIndex: 0 },
          { type: "text_delta", contentIndex: 0, delta: "Hi." },
          { type: "text_end", contentIndex: 0 },
          { type: "done", reason: "stop", usage },
        ];
        for (const event of events) reply.write(`data: ${JSON.stringify(event)}\n\n`);
        reply.end();
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const proxyUrl = `http://127.0.0.1:${port}`;
    const stream = call(value, model, { messages: [user("Hi.")] }, { authToken: "t", proxyUrl });
    const result = await tell(stream, "result");
    server.close();
    server.closeAllConnections();
    return [get(result, "content"), get(result, "stopReason"), get(get(result, "usage"), "input")];
  },
  FileError: (value) => {
    const error = make(value, "not_found", "It failed.", "/a");
    return [error instanceof Error, get(error, "code"), get(error, "message"), get(error, "path")];
  },
  ExecutionError: errorClass("timeout"),
  CompactionError: errorClass("aborted"),
  BranchSummaryError: errorClass("aborted"),
  SessionError: errorClass("not_found"),
  AgentHarnessError: errorClass("busy"),
  createBranchSummaryMessage: calls(["S", "1", iso]),
  createCompactionSummaryMessage: calls(["S", 100, iso]),
  createCustomMessage: calls(["kind", "Text.", true, { n: 1 }, iso]),
  loadPromptTemplates: async (value) => {
    const cwd = withResources();
    const loaded = await call(value, await environment(cwd), join(cwd, "prompts"));
    return below(cwd, loaded, MORE_OF_PROMPTS);
  },
  loadSourcedPromptTemplates: async (value) => {
    const cwd = withResources();
    const inputs = [{ path: join(cwd, "prompts"), source: "mine" }];
    return below(cwd, await call(value, await environment(cwd), inputs), MORE_OF_PROMPTS);
  },
  formatPromptTemplateInvocation: calls([template, ["a", "b"]], [template]),
  loadSkills: async (value) => {
    const cwd = withResources();
    return below(cwd, await call(value, await environment(cwd), join(cwd, "skills")));
  },
  loadSourcedSkills: async (value) => {
    const cwd = withResources();
    const inputs = [{ path: join(cwd, "skills"), source: "mine" }];
    return below(cwd, await call(value, await environment(cwd), inputs));
  },
  formatSkillInvocation: calls([skill], [skill, "Now."]),
  // How a model is told what to do with them is said in words of each one's own.
  formatSkillsForSystemPrompt: (value) => [
    /<available_skills>[\s\S]*/.exec(String(call(value, [skill])))?.[0],
    call(value, []),
  ],
  createSessionId: own("it is another one each time", true, (value) =>
    /^[\w-]{8,}$/.test(String(call(value))),
  ),
  createTimestamp: own(
    "it is another one each time",
    true,
    (value) => Date.parse(String(call(value))) > at,
  ),
  getFileSystemResultOrThrow: (value) => {
    const thrown = (() => {
      try {
        return call(value, { ok: false, error: { code: "not_found", message: "gone" } }, "No file");
      } catch (error) {
        return [get(error, "code"), get(error, "message")];
      }
    })();
    return [call(value, { ok: true, value: 1 }, "No file"), thrown];
  },
  buildSessionContext: calls([branch]),
  getOrThrow: calls([{ ok: true, value: 1 }]),
  toError: (value) => [
    get(call(value, "a"), "message"),
    get(call(value, new Error("b")), "message"),
  ],
  executeShellWithCapture: async (value) => {
    const { output, exitCode, cancelled, truncated } = Object(
      outOf(await call(value, await environment(folder()), "echo hi; exit 3")),
    );
    return { output, exitCode, cancelled, truncated };
  },
  truncateTail: calls(["a\nb\nc", { maxLines: 2 }]),
  collectEntriesForBranchSummary: async (value) => {
    const byId = new Map(branch.map((one) => [one.id, one]));
    const session = {
      getBranch: (from = "6") => branch.filter(({ id }) => Number(id) <= Number(from)),
      getEntry: (id: string) => byId.get(id),
    };
    const { entries, commonAncestorId } = Object(await call(value, session, "6", "4"));
    return [(entries as object[]).map((one) => get(one, "id")), commonAncestorId];
  },
  prepareBranchEntries: (value) => {
    const { messages, totalTokens } = Object(call(value, branch));
    return [roles(messages), totalTokens];
  },
  generateBranchSummary: (value) =>
    summarizing(async (asked) => {
      const { signal } = new AbortController();
      const made = outOf(await call(value, branch, { model: asked, apiKey: "k", signal }));
      return String(get(made, "summary")).includes("To add.");
    }),
  generateSummary: (value) =>
    summarizing(async (asked) => {
      const messages = branch.map(({ message }) => message);
      return String(outOf(await call(value, messages, asked, 1_000, "k"))).includes("To add.");
    }),
  prepareCompaction: (value) => {
    const settings = { enabled: true, reserveTokens: 1_000, keepRecentTokens: 1 };
    const { firstKeptEntryId, messagesToSummarize, isSplitTurn, tokensBefore } = Object(
      outOf(call(value, branch, settings)),
    );
    return [firstKeptEntryId, roles(messagesToSummarize), isSplitTurn, tokensBefore];
  },
  compact: (value, { prepareCompaction }) =>
    summarizing(async (asked) => {
      const settings = { enabled: true, reserveTokens: 1_000, keepRecentTokens: 1 };
      const preparation = outOf(call(prepareCompaction, branch, settings));
      const { summary, firstKeptEntryId } = Object(
        outOf(await call(value, preparation, asked, "k")),
      );
      return [String(summary).includes("To add."), firstKeptEntryId];
    }),
  calculateContextTokens: calls([usage]),
  estimateContextTokens: calls([branch.map(({ message }) => message)]),
  estimateTokens: calls([user("Hello.")]),
  findCutPoint: calls([branch, 0, branch.length, 1], [branch, 0, branch.length, 100_000]),
  findTurnStartIndex: calls([branch, 3, 0]),
  getLastAssistantUsage: calls([branch]),
  serializeConversation: calls([branch.map(({ message }) => message)]),
  uuidv7: own("it is another one each time", true, (value) =>
    /-7[0-9a-f]{3}-/.test(String(call(value))),
  ),
};
