import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tools } from "../codex/tools.ts";
import { filesOfPatch } from "./patch.ts";
import { readTool, toNative } from "./tool-table.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

describe("files of a patch", () => {
  it("[codex-patch-in-command] one for each file that is touched", () => {
    const text = patch(
      "*** Add File: new.txt",
      "+one",
      "+two",
      "*** Update File: src/a.ts",
      "@@ class A",
      " keep",
      "-old",
      "+new",
      "@@",
      "-x",
      "+y",
      "*** Delete File: gone.txt",
      "*** Update File: from.txt",
      "*** Move to: to.txt",
      "@@",
      "-a",
      "+b",
    );
    const moved = { change: "move", edits: [{ oldText: "a", newText: "b" }] };
    expect(filesOfPatch(text)).toEqual([
      { name: "write", input: { path: "new.txt", content: "one\ntwo\n" } },
      {
        name: "edit",
        input: {
          path: "src/a.ts",
          edits: [
            { oldText: "keep\nold", newText: "keep\nnew" },
            { oldText: "x", newText: "y" },
          ],
        },
      },
      { name: "edit", input: { path: "gone.txt", change: "delete" } },
      { name: "edit", input: { path: "from.txt", movedTo: "to.txt", ...moved } },
      { name: "edit", input: { path: "to.txt", movedFrom: "from.txt", ...moved } },
    ]);
  });

  it("a header that is indented counts, unless it is a line of a file", () => {
    const text = patch("*** Add File: a.txt", "+a", "  *** Delete File: .env");
    expect(filesOfPatch(text).map(({ input }) => input.path)).toEqual(["a.txt", ".env"]);
    const inside = patch("*** Update File: notes.md", "@@", " *** Delete File: .env", "+x");
    expect(filesOfPatch(inside).map(({ input }) => input.path)).toEqual(["notes.md"]);
  });

  it("reads files with Windows line ends, and without Begin and End", () => {
    expect(filesOfPatch("*** Add File: a.txt\r\n+x\r\n")).toEqual([
      { name: "write", input: { path: "a.txt", content: "x\n" } },
    ]);
  });

  it("what is no patch has no files", () => {
    expect(filesOfPatch("")).toEqual([]);
    expect(filesOfPatch("just text")).toEqual([]);
  });

  it("never throws", () => {
    const line = fc.oneof(
      fc.constantFrom("*** Add File: a", "*** Update File: b", "*** Move to: c", "@@", "+x", "-y"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const { input } of filesOfPatch(lines.join("\n"))) {
          expect(typeof input.path).toBe("string");
        }
      }),
    );
  });
});

describe("a patch that was changed", () => {
  const read = (text: string) => readTool(tools, "apply_patch", { command: text });
  const change = (text: string, changes: Record<string, unknown>, index = 0) => {
    const tool = read(text)[index];
    if (!tool) throw new Error("no file");
    return toNative(tools, tool, { ...tool.input, ...changes });
  };
  const added = patch("*** Add File: a.txt", "+one");

  it("can have another path and content if it is one new file", () => {
    const after = change(added, { path: "b.txt", content: "two\n\n" });
    expect(read(String(after?.command))).toMatchObject([
      { name: "write", input: { path: "b.txt", content: "two\n\n" } },
    ]);
  });

  it("can have another path if it is one old file", () => {
    const text = patch("*** Update File: a.txt", "@@", "-x", "+y");
    expect(change(text, { path: "b.txt" })?.command).toBe(
      patch("*** Update File: b.txt", "@@", "-x", "+y"),
    );
    const gone = patch("*** Delete File: a.txt");
    expect(change(gone, { path: "b.txt" })?.command).toBe(patch("*** Delete File: b.txt"));
  });

  it.each([
    ["it has several files", patch("*** Add File: a", "+x", "*** Delete File: b"), { path: "c" }],
    ["its hunks were changed", patch("*** Update File: a", "@@", "-x"), { edits: [] }],
    ["a file is moved", patch("*** Update File: a", "*** Move to: b", "@@", "-x"), { path: "c" }],
    ["there is no line end", added, { content: "no line end" }],
    ["the path has a line end", added, { path: "a\n*** Delete File: .env" }],
    ["the path is gone", added, { path: undefined }],
    ["the content is no text", added, { content: 7 }],
    ["there is a field that patches do not have", added, { mode: "0755" }],
  ])("cannot be said if %s", (_, text, changes) => {
    expect(change(text, changes)).toBeUndefined();
  });

  it("comes back as it was if nothing was changed", () => {
    for (const text of [added, patch("*** Add File: a", "+x", "*** Delete File: b"), "garbage"]) {
      for (const tool of read(text)) {
        expect(toNative(tools, tool, structuredClone(tool.input))).toEqual({ command: text });
      }
    }
  });

  it("any new file is read back as it was made", () => {
    const path = fc.stringMatching(/^[\w./-]{1,20}$/);
    const content = fc.array(fc.stringMatching(/^[^\r\n]*$/)).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(path, content, (to, text) => {
        const after = change(added, { path: to, content: text === "" ? "" : `${text}\n` });
        const [file] = read(String(after?.command));
        expect(file?.input).toEqual({ path: to, content: text === "" ? "" : `${text}\n` });
      }),
    );
  });
});
