import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stubUi } from "../extensions/test-kit/index.ts";
import { hosted, resultTexts, testProject } from "./test-kit/index.ts";

const project = testProject();
const write = { name: "write", arguments: { path: ".seam/settings.local.json", content: "{}" } };
const turns = [{ toolCalls: [write] }, { text: "done" }];
const written = () => existsSync(join(project.root, ".seam", "settings.local.json"));

it("the embedded agent cannot change Seam's files where nobody can be asked", async () => {
  const { agent } = await hosted({ cwd: project.root, turns });
  await agent.prompt("go");
  expect(resultTexts(agent)[0]).toContain("may not do that unasked");
  expect(written()).toBe(false);
});

it("it asks where somebody is there, and does what they say", async () => {
  const asked: string[] = [];
  const answer = (may: boolean) => ({
    ...stubUi(),
    confirm: async (_: string, message: string) => {
      asked.push(message);
      return may;
    },
  });
  const refused = await hosted({ cwd: project.root, turns, ui: answer(false) });
  await refused.agent.prompt("go");
  expect(written()).toBe(false);
  const agreed = await hosted({ cwd: project.root, turns, ui: answer(true) });
  await agreed.agent.prompt("go");
  expect(written()).toBe(true);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toContain(".seam/settings.local.json");
});
