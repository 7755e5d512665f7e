import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ToolResult } from "../tool.ts";
import { createEditTool, type EditOperations, type EditToolDetails } from "./edit.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-edit-"));
});
afterEach(() => rm(folder, { recursive: true }));

function edit(
  path: string,
  ...pairs: [oldText: string, newText: string][]
): Promise<ToolResult<EditToolDetails | undefined>> {
  const edits = pairs.map(([oldText, newText]) => ({ oldText, newText }));
  return createEditTool(folder).execute("call", { path, edits });
}

async function contentOf(name: string): Promise<string> {
  return readFile(join(folder, name), "utf8");
}

test("replaces several places at once and shows what changed", async () => {
  await writeFile(join(folder, "a.ts"), "one\ntwo\nthree\n");
  const { content, details } = await edit("a.ts", ["three", "3"], ["two", "2"]);
  expect(await contentOf("a.ts")).toBe("one\n2\n3\n");
  expect(content).toEqual([{ type: "text", text: "Changed 2 places in a.ts." }]);
  expect(details).toEqual({ diff: " 1 one\n-2 two\n-3 three\n+2 2\n+3 3", firstChangedLine: 2 });
});

test("keeps the byte order mark, CRLF and the mode of the file, and follows links", async () => {
  await writeFile(join(folder, "real.txt"), "\uFEFFone\r\ntwo\r\n");
  await chmod(join(folder, "real.txt"), 0o640);
  await symlink("real.txt", join(folder, "link.txt"));
  await edit("link.txt", ["one\ntwo", "1\n2"]);
  expect(await contentOf("real.txt")).toBe("\uFEFF1\r\n2\r\n");
  expect((await stat(join(folder, "real.txt"))).mode & 0o777).toBe(0o640);
});

test("an edit that does not apply leaves the file alone and says which file", async () => {
  await writeFile(join(folder, "a.ts"), "one\n");
  await expect(edit("a.ts", ["one", "1"], ["two", "2"])).rejects.toThrow(
    "Cannot edit a.ts: edits[1].oldText was not found",
  );
  expect(await contentOf("a.ts")).toBe("one\n");
  expect(await readdir(folder)).toEqual(["a.ts"]);
  await expect(edit("missing.ts", ["a", "b"])).rejects.toThrow("there is nothing at this path");
});

test("a file that is not UTF-8 is refused rather than damaged", async () => {
  const bytes = Buffer.from("caf\xe9 one", "latin1");
  await writeFile(join(folder, "old.txt"), bytes);
  await expect(edit("old.txt", ["one", "1"])).rejects.toThrow("not UTF-8");
  expect(await readFile(join(folder, "old.txt"))).toEqual(bytes);
});

test("edits of one file at the same time all arrive", async () => {
  await writeFile(join(folder, "a.txt"), "a b c d");
  await Promise.all(["a", "b", "c", "d"].map((letter) => edit("a.txt", [letter, `${letter}!`])));
  expect(await contentOf("a.txt")).toBe("a! b! c! d!");
});

test.each(["with space", `it's "quoted"`, "two\nlines"])("file name %j", async (name) => {
  await writeFile(join(folder, name), "one");
  await edit(name, ["one", "two"]);
  expect(await contentOf(name)).toBe("two");
});

test("an abort during a slow read ends the call at once and writes nothing", async () => {
  const controller = new AbortController();
  const written: string[] = [];
  let answer = (_content: Buffer) => {};
  const operations: EditOperations = {
    access: async () => {},
    readFile: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    writeFile: async (path) => void written.push(path),
  };
  const tool = createEditTool(folder, { operations });
  const input = { path: "slow", edits: [{ oldText: "a", newText: "b" }] };
  const call = tool.execute("call", input, controller.signal);
  setTimeout(() => controller.abort(), 10);
  await expect(call).rejects.toThrow("aborted");
  answer(Buffer.from("a"));
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(written).toEqual([]);
});

test("one edit without a list and a list as JSON are understood; anything else is explained", () => {
  const { prepareArguments } = createEditTool(folder);
  const edits = [{ oldText: "a", newText: "b" }];
  expect(prepareArguments?.({ path: "x", edits })).toEqual({ path: "x", edits });
  expect(prepareArguments?.({ path: "x", oldText: "a", newText: "b" })).toEqual({
    path: "x",
    edits,
  });
  expect(prepareArguments?.({ path: "x", edits: JSON.stringify(edits) })).toEqual({
    path: "x",
    edits,
  });
  for (const wrong of [
    undefined,
    {},
    { path: "x" },
    { path: "x", edits: "no" },
    { path: "x", oldText: 1 },
  ]) {
    expect(() => prepareArguments?.(wrong)).toThrow("edit needs { path, edits");
  }
});
