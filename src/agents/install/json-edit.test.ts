import type { Node } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { insertLast, insertRoot, removeItem, replaceValue } from "./json-edit.ts";
import { parseJsonText, valueAt } from "./json-text.ts";

const rootOf = (text: string): Node => {
  const json = parseJsonText(text);
  if ("what" in json || !json.root) throw new Error(`No value in ${text}`);
  return json.root;
};

describe("adding", () => {
  const add = (text: string) => insertLast(text, rootOf(text), { b: 2 }, "new");

  it.each([
    ["{}", '{\n  "new": {\n    "b": 2\n  }\n}'],
    ["{\n}\n", '{\n  "new": {\n    "b": 2\n  }\n}\n'],
    ['{"a":1}', '{"a":1, "new": {"b":2}}'],
    ['{ "a": 1, }', '{ "a": 1, "new": {"b":2}, }'],
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": {\n\t\t"b": 2\n\t}\n}'],
    ['{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "new": {\r\n    "b": 2\r\n  }\r\n}'],
    ['{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "new": {\n    "b": 2\n  }\n}'],
    ['{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "new": {\n    "b": 2\n  },\n}'],
    ['{\n  "a": 1 /* one */\n}', '{\n  "a": 1, /* one */\n  "new": {\n    "b": 2\n  }\n}'],
    ["{ // none\n}", '{ // none\n  "new": {\n    "b": 2\n  }\n}'],
    ["{ /* none */ }", '{ /* none */\n  "new": {\n    "b": 2\n  }\n}'],
  ])("to %j follows the hand of who wrote it", (before, after) => {
    expect(add(before)).toBe(after);
  });

  it("the first value goes behind comments", () => {
    expect(insertRoot("", {})).toBe("{}\n");
    expect(insertRoot("// mine", {})).toBe("// mine\n{}\n");
    expect(insertRoot("// mine\r\n", {})).toBe("// mine\r\n{}\r\n");
  });
});

describe("taking out", () => {
  const remove = (text: string, key: string) => {
    const root = rootOf(text);
    return removeItem(text, root, valueAt(root, key)?.parent as Node);
  };

  it.each([
    ['{\n  "a": 1,\n  "x": 2,\n  "b": 3\n}', '{\n  "a": 1,\n  "b": 3\n}'],
    ['{\n  "a": 1,\n  "x": 2\n}', '{\n  "a": 1\n}'],
    ['{\n  "x": 2,\n  "b": 3\n}', '{\n  "b": 3\n}'],
    ['{\n  "x": 2\n}', "{\n}"],
    ['{\r\n  "a": 1,\r\n  "x": 2\r\n}', '{\r\n  "a": 1\r\n}'],
    ['{"a":1,"x":2,"b":3}', '{"a":1,"b":3}'],
    ['{"a":1, "x":2}', '{"a":1}'],
    ['{ "x": 2 }', "{ }"],
    ['{\n  "a": 1,\n  "x": 2,\n}', '{\n  "a": 1,\n}'],
    ['{\n  "a": 1, // one\n  "x": 2 // two\n}', '{\n  "a": 1 // one\n   // two\n}'],
    // The line stays: without it the comment would swallow the bracket.
    ['{ // all\n  "x": 2 }', "{ // all\n   }"],
    ['{ "a": 1, // one\n  "x": 2 }', '{ "a": 1 // one\n   }'],
    ['{ "a": 1 /* , */, "x": 2 /* , */, "b": 3 }', '{ "a": 1 /* , */,  /* , */"b": 3 }'],
  ])("of %j leaves no gap and every comment", (before, after) => {
    expect(remove(before, "x")).toBe(after);
    expect(rootOf(after).type).toBe("object");
  });
});

describe("replacing", () => {
  it.each([
    ['{ "x": [1] }', '{ "x": {"b":2} }'],
    ['{\n    "x": [\n        1\n    ]\n}', '{\n    "x": {\n        "b": 2\n    }\n}'],
  ])("in %j keeps to one line or several", (before, after) => {
    const node = valueAt(rootOf(before), "x") as Node;
    expect(replaceValue(before, node, { b: 2 })).toBe(after);
  });
});
