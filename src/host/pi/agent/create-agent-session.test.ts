import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createAgent } from "../../create-agent.ts";
import { scriptedModels } from "../../models/index.ts";

/** Runs `/go` of an extension in an agent whose model says `turns`, and returns what it said. */
async function run(code: string, turns: Parameters<typeof scriptedModels>[0]): Promise<unknown[]> {
  const cwd = mkdtempSync(join(tmpdir(), "seam-pi-"));
  const file = join(cwd, "a.ts");
  writeFileSync(file, code);
  const said: unknown[] = [];
  Object.assign(globalThis, { said });
  const agent = await createAgent({ cwd, extensions: [file], models: scriptedModels(turns) });
  onTestFinished(() => agent.dispose());
  expect(agent.extensions.problems.map(({ error }) => error.message)).toEqual([]);
  await agent.prompt("/go");
  expect(agent.extensions.problems.map(({ error }) => error.message)).toEqual([]);
  return said;
}

it("an extension that starts a session of its own gets a real one", async () => {
  const said = await run(
    `import { createAgentSession, DefaultResourceLoader, SessionManager, SettingsManager, defineTool } from "@earendil-works/pi-coding-agent";
    import { Type } from "typebox";
    export default (pi) => {
      pi.registerCommand("go", { handler: async (_args, ctx) => {
        const resourceLoader = new DefaultResourceLoader({
          cwd: ctx.cwd, noExtensions: true, noSkills: true, noContextFiles: true,
          systemPromptOverride: () => "You are a helper.",
        });
        await resourceLoader.reload();
        const echo = defineTool({
          name: "echo", label: "Echo", description: "Says it again.",
          parameters: Type.Object({ text: Type.String() }),
          async execute(_id, { text }) { return { content: [{ type: "text", text: "echo " + text }], details: {} }; },
        });
        const { session } = await createAgentSession({
          cwd: ctx.cwd, model: ctx.model, resourceLoader, customTools: [echo], tools: ["echo", "read"],
          sessionManager: SessionManager.create(ctx.cwd, ctx.cwd + "/sessions"),
          settingsManager: SettingsManager.inMemory({ compaction: { enabled: false } }),
        });
        const events = [];
        session.subscribe((event) => events.push(event.type));
        await session.bindExtensions({});
        await session.prompt("say hi");
        said.push(session.getActiveToolNames().sort(), session.systemPrompt.includes("You are a helper."));
        said.push(session.messages.map(({ role }) => role), session.getLastAssistantText());
        said.push([...new Set(events)], session.sessionFile, session.getSessionStats().toolCalls);
        said.push(SessionManager.open(session.sessionFile).buildSessionContext().messages.length);
        session.dispose();
      } });
    };`,
    [{ toolCalls: [{ name: "echo", arguments: { text: "hi" } }] }, { text: "done" }],
  );
  const [tools, prompt, roles, text, events, file, calls, stored] = said;
  expect(tools).toEqual(["echo", "read"]);
  expect(prompt).toBe(true);
  expect(roles).toEqual(["user", "assistant", "toolResult", "assistant"]);
  expect(text).toBe("done");
  expect(events).toEqual(
    expect.arrayContaining([
      "agent_start",
      "turn_start",
      "message_start",
      "message_update",
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "turn_end",
      "agent_end",
      "agent_settled",
    ]),
  );
  expect(existsSync(String(file))).toBe(true);
  expect(readFileSync(String(file), "utf8")).toContain("echo hi");
  expect([calls, stored]).toEqual([1, 4]);
});

it("an extension can ask for models while it loads, and asks those of its agent later", async () => {
  const said = await run(
    `import { getModels, getProviders } from "@earendil-works/pi-ai";
    const early = getModels("openai").length;
    export default (pi) => {
      pi.registerCommand("go", { handler: async () => {
        said.push(early > 0, getProviders().includes("scripted"));
      } });
    };`,
    [],
  );
  expect(said).toEqual([true, true]);
});
