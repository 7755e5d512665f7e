import { describe, expect, it } from "vitest";
import { load } from "../test-kit/index.ts";
import { compile } from "./compile.ts";
import { lex } from "./lex.ts";
import { rewire } from "./rewire.ts";

const BUNDLE = `#!/usr/bin/env node
import { join, sep as separator } from "node:path";
import path, {
  basename,
} from 'node:path';
import * as all from "node:path";
import "node:fs";
import { Type, nothing } from "typebox";
const text = "import x from 'y'; export { z };";
var factory = async () => {
  const os = await import("node:os");
  seen.push(join("a", "b"), separator, path.sep, basename("/x/y"), all.posix === path.posix);
  seen.push(typeof os.cpus, import.meta.filename.endsWith("a.js"), typeof Type.Object, nothing);
  seen.push(text.length, new Error().stack.includes("a.js:14"));
};
export { factory as default, text };
`;

describe("a module that imports packages alone", () => {
  it("runs as it stands, with its names, its lines and what it knows of itself", async () => {
    const { seen, codes } = await load({ "a.js": BUNDLE });
    expect(codes()).toEqual(["SEAM_EXT_MISSING_EXPORT"]);
    expect(seen).toEqual([
      "a/b",
      "/",
      "/",
      "y",
      true,
      "function",
      true,
      "function",
      undefined,
      32,
      true,
    ]);
  });

  it("is not compiled", () => {
    expect(rewire(BUNDLE, lex(BUNDLE), true)).toContain("const separator = _seam0.sep;");
    const code = compile({ source: BUNDLE, filename: "a.js", async: true });
    expect(code).toBe(rewire(BUNDLE, lex(BUNDLE), true));
  });

  it("may have a default that is an expression", async () => {
    const { seen } = await load({
      "a.mjs": 'import { sep } from "node:path";\nexport default () => { seen.push(sep); };\n',
    });
    expect(seen).toEqual(["/"]);
  });
});

describe("what is compiled instead", () => {
  it.each([
    ["imports of files, which can go in a circle", 'import { a } from "./a.js"; export { a };'],
    ["exports of declarations", "export const a = 1;"],
    ["exports of what others export", 'export { sep } from "node:path";'],
    ["a default that is a declaration", "export default function a() {}"],
    ["imports with attributes", 'import a from "a" with { type: "json" };'],
    ["names with comments", 'import { a /* b */ } from "a";'],
  ])("%s", (_, source) => {
    expect(rewire(source, lex(source), true)).toBeUndefined();
  });

  it("two files that import each other see what is there when they look", async () => {
    const { seen, codes } = await load(
      {
        "a.js":
          'import { b } from "./b.js";\nexport const a = 1;\nexport default () => { seen.push(b()); };\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = () => a + 1;\n',
      },
      { entries: ["a.js"] },
    );
    expect(codes()).toEqual([]);
    expect(seen).toEqual([2]);
  });
});
