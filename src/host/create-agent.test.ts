import { expect, it, onTestFinished, vi } from "vitest";
import { createAgent } from "./create-agent.ts";
import { Models, scriptedModels } from "./models/index.ts";
import { testProject } from "./test-kit/index.ts";

const project = testProject();

it("a broken models.json is told in the log, with its line", async () => {
  const path = project.write("~/models.json", '{\n "providers": { "a": 5 }\n}');
  const said: string[] = [];
  const agent = await createAgent({
    cwd: project.root,
    models: new Models({ env: {} }),
    onLog: (level, text) => said.push(`${level} ${text}`),
  });
  onTestFinished(() => agent.dispose());
  expect(said).toEqual([
    expect.stringContaining(
      `warn ${path} cannot be used: line 2, "a": must be object. Fix the file`,
    ),
  ]);
});

it("a tool that nobody has is refused, one of an extension is not", async () => {
  const options = { cwd: project.root, models: new Models({ env: {} }) };
  await expect(createAgent({ ...options, tools: ["raed", "bash"] })).rejects.toMatchObject({
    message: 'There is no tool "raed".',
    next: 'Did you mean "read"?',
  });
  const agent = await createAgent({
    ...options,
    tools: ["read", "mine"],
    extensions: [
      {
        name: "x",
        factory: (pi) =>
          pi.registerTool({
            name: "mine",
            label: "Mine",
            description: "d",
            parameters: { type: "object", properties: {} },
            execute: async () => ({ content: [], details: undefined }),
          }),
      },
    ],
  });
  await agent.dispose();
});

it("without a model, a prompt says how to come by one", async () => {
  const said: string[] = [];
  const agent = await createAgent({
    cwd: project.root,
    models: new Models({ env: {} }),
    onLog: (_, text) => said.push(text),
  });
  onTestFinished(() => agent.dispose());
  await agent.prompt("hi");
  expect(agent.lastError).toMatchObject({ code: "SEAM_MODEL_NONE" });
  expect(said.join()).toMatch(/ANTHROPIC_API_KEY.*models\.json.*--model/);
});

it("what is made only for listeners is not made where nobody listens", async () => {
  const models = scriptedModels([{ text: "woven" }, { text: "dyed" }], { env: {} });
  const streamed = vi.spyOn(models, "stream");
  const agent = await createAgent({ cwd: project.root, models });
  onTestFinished(() => agent.dispose());
  await agent.prompt("weave");
  expect(streamed.mock.lastCall?.[2]).not.toHaveProperty("onPayload");
  agent.subscribe(() => {});
  await agent.prompt("dye");
  expect(streamed.mock.lastCall?.[2]).toHaveProperty("onPayload");
});
