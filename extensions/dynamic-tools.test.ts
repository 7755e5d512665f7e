import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { embedded, tempDir, toolResults } from "./test-kit/embedded.ts";

const call = (name: string, args: Record<string, unknown> = {}) => ({
  toolCalls: [{ name, arguments: args }],
});
const DONE = { text: "Done." };

function project(scripts: Record<string, string>): string {
  const cwd = tempDir();
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ name: "x", scripts }));
  return cwd;
}

it("the project's scripts are a tool from the start of the session", async () => {
  const { agent, requests, problems } = await embedded("dynamic-tools.ts", {
    cwd: project({ hello: "echo hello from npm", broken: "exit 3" }),
    turns: [
      call("npm_script", { script: "hello" }),
      call("npm_script", { script: "broken" }),
      call("npm_script", { script: "rm" }),
      DONE,
    ],
  });
  await agent.prompt("Try the scripts");
  expect(requests()[0]?.tools.map(({ name }) => name)).toContain("npm_script");
  const [hello, broken, unknown] = toolResults(agent);
  expect(hello).toMatchObject({ text: "hello from npm", isError: false, details: { code: 0 } });
  expect(broken).toMatchObject({ isError: true, details: { code: 3 } });
  expect(unknown).toMatchObject({ isError: true });
  expect(unknown?.text).toContain("The arguments are wrong");
  expect(problems()).toEqual([]);
});

it("without scripts there is no such tool", async () => {
  const { agent, requests } = await embedded("dynamic-tools.ts", { turns: [DONE] });
  await agent.prompt("Hi");
  expect(requests()[0]?.tools.map(({ name }) => name)).not.toContain("npm_script");
});

it("a command adds a tool that the model can call in the same session", async () => {
  const { agent, requests, seen } = await embedded("dynamic-tools.ts", {
    answers: [],
    turns: [DONE, call("greeting"), DONE],
  });
  await agent.prompt("Hi");
  await agent.prompt("/add-tool greeting echo good morning");
  await agent.prompt("Greet");
  const names = requests().map(({ tools }) => tools.some(({ name }) => name === "greeting"));
  expect(names).toEqual([false, true, true]);
  expect(toolResults(agent)).toMatchObject([{ text: "good morning", isError: false }]);
  expect(seen.notifications.map(({ message }) => message)).toEqual([
    "The model can use greeting now.",
  ]);
});

it.each(["/add-tool", "/add-tool Bad! echo", "/add-tool lonely", "/add-tool bash echo"])(
  "%s is refused",
  async (line) => {
    const { agent, seen } = await embedded("dynamic-tools.ts", { answers: [] });
    await agent.prompt(line);
    expect(seen.notifications).toMatchObject([{ type: "warning" }]);
    expect(agent.extensions.tools()).toEqual([]);
  },
);
