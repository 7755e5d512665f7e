import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCodingTools } from "./coding-tools.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-tools-"));
  await writeFile(join(folder, "a.txt"), "one");
});
afterEach(() => rm(folder, { recursive: true }));

const INPUTS = {
  read: { path: "a.txt" },
  bash: { command: "touch made-by-bash" },
  edit: { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] },
  write: { path: "b.txt", content: "" },
  grep: { pattern: "one" },
  find: { pattern: "*" },
  ls: {},
};

test("there are seven tools, in this order, each with what a model needs to know", () => {
  const tools = createCodingTools(folder);
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(INPUTS));
  for (const { description, promptSnippet, parameters } of tools) {
    expect(description.length).toBeGreaterThan(40);
    expect(promptSnippet).toBeTruthy();
    expect(parameters).toMatchObject({ type: "object" });
  }
});

test.each(Object.entries(INPUTS))(
  "%s does nothing for a call that is aborted already",
  async (name, input) => {
    const tool = createCodingTools(folder).find((candidate) => candidate.name === name);
    await expect(tool?.execute("call", input, AbortSignal.abort())).rejects.toThrow("aborted");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  },
);

test.each(Object.entries(INPUTS))(
  "%s works without signal, updates and context",
  async (name, input) => {
    const tool = createCodingTools(folder).find((candidate) => candidate.name === name);
    expect((await tool?.execute("call", input))?.content.length).toBeGreaterThan(0);
  },
);
