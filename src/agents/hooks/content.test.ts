import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentOf, textOf, withContent } from "./content.ts";

const text = (value: string) => ({ type: "text" as const, text: value });

describe("what a tool said", () => {
  it.each([
    ["a text", "hi", [text("hi")]],
    ["nothing", undefined, []],
    ["null", null, []],
    ["a number", 7, [text("7")]],
    ["stdout and stderr", { stdout: "out", stderr: "err" }, [text("out\nerr")]],
    ["stdout alone", { stdout: "out", stderr: "" }, [text("out")]],
    ["no output", { stdout: "", stderr: "" }, []],
    ["a file", { type: "text", file: { content: "hello\n", numLines: 1 } }, [text("hello\n")]],
    ["blocks", { content: [text("a"), text("b")], usage: {} }, [text("a"), text("b")]],
    ["parts without a type", [{ text: "a" }, "b"], [text("a"), text("b")]],
    ["an object", { ok: true }, [text('{"ok":true}')]],
    ["an odd block", [{ type: "audio", x: 1 }, 3], [text('{"type":"audio","x":1}'), text("3")]],
    [
      "a picture",
      [{ type: "image", data: "AA==", mimeType: "image/png" }],
      [{ type: "image", data: "AA==", mimeType: "image/png" }],
    ],
  ])("%s", (_, output, content) => {
    expect(contentOf(output)).toEqual(content);
  });

  it("a picture is named where only text can go", () => {
    expect(textOf([text("a"), { type: "image", data: "AA==", mimeType: "image/png" }])).toBe(
      "a\n[image: image/png]",
    );
  });
});

describe("another content in the same shape", () => {
  it.each([
    ["a text", "old", "new"],
    ["blocks", [text("old")], [text("new")]],
    [
      "a command's output",
      { stdout: "old", stderr: "bad", interrupted: false, isImage: false },
      { stdout: "new", stderr: "", interrupted: false, isImage: false },
    ],
    [
      "a file",
      { type: "text", file: { filePath: "a", content: "old" } },
      { type: "text", file: { filePath: "a", content: "new" } },
    ],
    [
      "a subagent's",
      { status: "ok", content: [text("old")] },
      { status: "ok", content: [text("new")] },
    ],
  ])("%s", (_, output, after) => {
    expect(withContent(output, [text("new")])).toEqual(after);
  });

  it("an object is taken back if it still has all its fields", () => {
    const output = { filenames: ["a", "secret"], numFiles: 2 };
    const changed = textOf(contentOf(output)).replace("secret", "…");
    expect(withContent(output, [text(changed)])).toEqual({ filenames: ["a", "…"], numFiles: 2 });
    expect(withContent(output, [text('{"numFiles":2}')])).toBeUndefined();
    expect(withContent(output, [text("withheld")])).toBeUndefined();
  });

  it("nothing can be put where nothing was", () => {
    expect(withContent(undefined, [text("new")])).toBeUndefined();
    expect(withContent(7, [text("new")])).toBeUndefined();
  });

  it("putting back what was read changes nothing", () => {
    const shape = fc.oneof(
      fc.string(),
      fc.record({ stdout: fc.string(), stderr: fc.constant(""), extra: fc.integer() }),
      fc.record({ file: fc.record({ content: fc.string() }) }),
      fc.record({ content: fc.tuple(fc.string().map(text)), id: fc.string() }),
      fc.record({ ok: fc.boolean(), list: fc.array(fc.string()) }),
    );
    fc.assert(
      fc.property(shape, (output) => {
        expect(withContent(output, contentOf(output))).toEqual(output);
      }),
    );
  });
});
