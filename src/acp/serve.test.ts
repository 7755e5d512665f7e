import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ClientConnection,
  client as clientApp,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
  type SetSessionConfigOptionRequest,
} from "@agentclientprotocol/sdk";
import { expect, it, onTestFinished } from "vitest";
import type { InlineExtension } from "../extensions/index.ts";
import { createAgent, type ScriptedTurn, SessionFile, scriptedModels } from "../host/index.ts";
import { MCP_SERVER } from "../host/test-kit/mcp-server.ts";
import { serveAcp } from "./serve.ts";

interface Editor {
  readonly cwd: string;
  readonly agent: ClientConnection["agent"];
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
  /** The choice that is taken in every permission request; undefined: it is dismissed. */
  answer: string | undefined;
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<string>;
  said(): string;
}

/** An editor with the SDK's own client, and Seam's agent at the other end of two pipes. */
async function editor(
  turns: readonly ScriptedTurn[],
  extensions: readonly InlineExtension[] = [],
): Promise<Editor> {
  const cwd = mkdtempSync(join(tmpdir(), "seam-acp-"));
  const saved = new Map<string, string>();
  const [toAgent, toClient] = [
    new TransformStream<Uint8Array>(),
    new TransformStream<Uint8Array>(),
  ];
  const served = serveAcp(
    {
      version: "1.0.0-test",
      open: async ({ cwd: folder, resume, extensions: brought, ui, onEvent }) => {
        const file = resume === undefined ? undefined : saved.get(resume);
        const session = file ? SessionFile.open(file).session : SessionFile.create({ cwd: folder });
        saved.set(session.getSessionId(), session.getSessionFile() ?? "");
        const models = scriptedModels(turns, { env: {} });
        const agent = await createAgent({
          cwd: folder,
          models,
          session,
          extensions: [...extensions, ...brought],
          ui,
          onEvent,
        });
        return { agent, models: models.getAvailable() };
      },
      list: () => [...saved.keys()].map((sessionId) => ({ sessionId, cwd })),
    },
    ndJsonStream(toClient.writable, toAgent.readable),
  );
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const connection = clientApp({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      const option = params.options.find(({ name }) => name === editing.answer);
      return option
        ? { outcome: { outcome: "selected", optionId: option.optionId } }
        : { outcome: { outcome: "cancelled" } };
    })
    .connect(ndJsonStream(toAgent.writable, toClient.readable));
  onTestFinished(async () => {
    connection.close();
    await toAgent.writable.close().catch(() => {});
    await served;
  });
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
  const editing: Editor = {
    cwd,
    agent,
    updates,
    asked,
    answer: undefined,
    newSession: async () =>
      (await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId,
    prompt: async (sessionId, text) => {
      const request: PromptRequest = { sessionId, prompt: [{ type: "text", text }] };
      return (await agent.request(methods.agent.session.prompt, request)).stopReason;
    },
    said: () =>
      updates
        .flatMap((update) =>
          update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
            ? [update.content.text]
            : [],
        )
        .join(""),
  };
  return editing;
}

const writing = (path: string, content: string): ScriptedTurn => ({
  toolCalls: [{ name: "write", arguments: { path, content } }],
});

/** Asks a person before anything is written. */
const gate: InlineExtension = {
  name: "gate",
  factory: (pi) => {
    pi.on("tool_call", ({ toolName }) =>
      toolName === "write" ? { ask: true, reason: "It writes." } : undefined,
    );
    pi.registerCommand("hello", { description: "Says hello", handler: async () => {} });
  },
};

it("an answer streams into the editor, with what it used", async () => {
  const it = await editor([{ text: "Hello there", usage: { input: 10, output: 5 } }]);
  const id = await it.newSession();
  expect(await it.prompt(id, "hi")).toBe("end_turn");
  expect(it.said()).toBe("Hello there");
  expect(it.updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: "usage_update", used: 15 }),
  );
});

it("a tool call is shown with its difference, and its end", async () => {
  const it = await editor([writing("a.txt", "new\n"), { text: "Done" }]);
  writeFileSync(join(it.cwd, "a.txt"), "old\n");
  await it.prompt(await it.newSession(), "write it");
  const path = join(it.cwd, "a.txt");
  expect(it.updates).toContainEqual(
    expect.objectContaining({
      sessionUpdate: "tool_call",
      kind: "edit",
      status: "in_progress",
      locations: [{ path }],
      content: [{ type: "diff", path, oldText: "old\n", newText: "new\n" }],
    }),
  );
  expect(it.updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: "tool_call_update", status: "completed" }),
  );
});

it.each([
  ["Yes", "new\n", "completed"],
  ["No", "old\n", "failed"],
  [undefined, "old\n", "failed"],
])("a gate asks the editor, and %s decides", async (answer, content, status) => {
  const it = await editor([writing("a.txt", "new\n"), { text: "Done" }], [gate]);
  writeFileSync(join(it.cwd, "a.txt"), "old\n");
  it.answer = answer;
  expect(await it.prompt(await it.newSession(), "write it")).toBe("end_turn");
  expect(readFileSync(join(it.cwd, "a.txt"), "utf8")).toBe(content);
  const [asked] = it.asked;
  const call = it.updates.find(({ sessionUpdate }) => sessionUpdate === "tool_call");
  // The whole difference is in the question, under the id of the call that waits.
  expect(asked?.toolCall).toMatchObject({
    toolCallId: call?.sessionUpdate === "tool_call" ? call.toolCallId : "",
    rawInput: { path: "a.txt", content: "new\n" },
    content: [{ content: { text: "It writes." } }, { type: "diff", newText: "new\n" }],
  });
  expect(it.updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: "tool_call_update", status }),
  );
});

it("commands of extensions are offered, and run", async () => {
  const it = await editor([], [gate]);
  const id = await it.newSession();
  expect(await it.prompt(id, "/hello")).toBe("end_turn");
  await expect
    .poll(() => it.updates)
    .toContainEqual(
      expect.objectContaining({
        sessionUpdate: "available_commands_update",
        availableCommands: expect.arrayContaining([
          expect.objectContaining({ name: "hello", description: "Says hello" }),
        ]),
      }),
    );
});

it("a cancelled prompt ends as cancelled, and the session goes on", async () => {
  const it = await editor([
    { toolCalls: [{ name: "bash", arguments: { command: "sleep 60" } }] },
    { text: "Again" },
  ]);
  const sessionId = await it.newSession();
  const first = it.prompt(sessionId, "wait");
  await expect.poll(() => it.updates.map((one) => one.sessionUpdate)).toContain("tool_call");
  await it.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await first).toBe("cancelled");
  expect(await it.prompt(sessionId, "go on")).toBe("end_turn");
  expect(it.said()).toContain("Again");
});

it("a session is listed, closed, and loaded again with what was said", async () => {
  const it = await editor([{ text: "First answer" }]);
  const sessionId = await it.newSession();
  await it.prompt(sessionId, "a question");
  await it.agent.request(methods.agent.session.close, { sessionId });
  const { sessions } = await it.agent.request(methods.agent.session.list, {});
  expect(sessions).toEqual([{ sessionId, cwd: it.cwd }]);
  it.updates.length = 0;
  await it.agent.request(methods.agent.session.load, { sessionId, cwd: it.cwd, mcpServers: [] });
  expect(it.updates).toMatchObject([
    { sessionUpdate: "user_message_chunk", content: { text: "a question" } },
    { sessionUpdate: "agent_message_chunk", content: { text: "First answer" } },
  ]);
});

it("how much the model thinks can be chosen", async () => {
  const it = await editor([]);
  const sessionId = await it.newSession();
  const choice: SetSessionConfigOptionRequest = { sessionId, configId: "thinking", value: "high" };
  const { configOptions } = await it.agent.request(methods.agent.session.setConfigOption, choice);
  expect(configOptions).toContainEqual(
    expect.objectContaining({ id: "thinking", currentValue: "high" }),
  );
  const wrong: SetSessionConfigOptionRequest = { ...choice, value: "wild" };
  await expect(it.agent.request(methods.agent.session.setConfigOption, wrong)).rejects.toThrow(
    'There is no level "wild"',
  );
});

it("a model that fails is an error of the prompt, with its reason", async () => {
  const it = await editor([{ error: { status: 401, message: "no such key" } }]);
  await expect(it.prompt(await it.newSession(), "hi")).rejects.toThrow("no such key");
});

it("the editor's own MCP servers are the agent's, behind the same gates; what cannot be used is said", async () => {
  const echo = { name: "mcp__the_probe__echo", arguments: { text: "hi" } };
  const closed: InlineExtension = {
    name: "closed",
    factory: (pi) => {
      let calls = 0;
      pi.on("tool_call", ({ toolName }) => {
        if (toolName !== echo.name || ++calls === 1) return undefined;
        return { block: true, reason: "Once is enough." };
      });
    },
  };
  const turns = [{ toolCalls: [echo] }, { toolCalls: [echo] }, { text: "Done" }];
  const it = await editor(turns, [closed]);
  writeFileSync(join(it.cwd, "server.mjs"), MCP_SERVER);
  const { sessionId } = await it.agent.request(methods.agent.session.new, {
    cwd: it.cwd,
    mcpServers: [
      { name: "the probe", command: process.execPath, args: ["server.mjs"], env: [] },
      { type: "sse", name: "old one", url: "http://127.0.0.1:9/sse", headers: [] },
    ],
  });
  await it.prompt(sessionId, "echo");
  const shown = JSON.stringify(it.updates);
  expect(shown).toContain("echo hi");
  expect(shown).toContain("Once is enough.");
  expect(it.updates).toContainEqual(
    expect.objectContaining({
      sessionUpdate: "notice",
      title: expect.stringContaining("does not connect to the MCP server old one"),
    }),
  );
});

it("a session that is not there is named", async () => {
  const it = await editor([]);
  await expect(it.prompt("nowhere", "hi")).rejects.toThrow();
});
