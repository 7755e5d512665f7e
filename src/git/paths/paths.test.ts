import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyPath } from "../test-kit/arbitraries.ts";
import { bytes, init } from "../test-kit/index.ts";
import { pathBytes, rawPath } from "./raw-path.ts";
import { pathFromShown, shownPath } from "./shown-path.ts";
import { isStorable } from "./storable.ts";

const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 20 });

describe("a path", () => {
  it("keeps its bytes, and sorts as they do", () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (a, b) => {
        expect(pathBytes(rawPath(a)).equals(a)).toBe(true);
        expect(rawPath(a) < rawPath(b)).toBe(Buffer.compare(a, b) < 0);
      }),
    );
  });

  it("is shown and read back", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 }).map((one) => Buffer.from(one));
    fc.assert(
      fc.property(fc.oneof(anyBytes, text, anyPath.map(pathBytes)), (path) => {
        const shown = shownPath(rawPath(path));
        expect(pathBytes(pathFromShown(shown)).equals(path)).toBe(true);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be printed
        expect(shown).not.toMatch(/[\x00-\x1f\x7f]/);
      }),
    );
  });

  it.each([
    ["src/a.ts", "src/a.ts"],
    ["with space", "with space"],
    ["ünï/日本", "ünï/日本"],
    ["new\nline", '"new\\nline"'],
    ['q"uote', '"q\\"uote"'],
    ["back\\slash", '"back\\\\slash"'],
  ])("%j is shown as %j", (path, shown) => {
    expect(shownPath(rawPath(path))).toBe(shown);
  });

  it("that is not UTF-8 is shown as git prints it", () => {
    expect(shownPath(rawPath(Buffer.from("caf\xe9", "latin1")))).toBe('"caf\\351"');
  });
});

describe("a name git would not keep", () => {
  const NAMES = [
    ...[".git", ".GIT", ".Git", "git~1", "GIT~1", "git~2", ".git.", ".git ", ".git . ", ".git:x"],
    ...[
      ".gitx",
      "x.git",
      ".gitignore",
      ".g\u200cit",
      "\ufeff.git",
      ".gi\u202at",
      "a\\.git",
      "a\\b",
    ],
    ...[".git\\x", "git~1:", ".gitmodules", ".", "..", "...", "a:", "con", " "],
  ];

  it.each(NAMES)("is told from others: %j", (name) => {
    const root = init();
    const id = bytes(root, ["hash-object", "-w", "--stdin"], "x").toString().trim();
    const tree = bytes(root, ["mktree", "-z"], `100644 blob ${id}\t${name}\0`).toString().trim();
    let isFine = true;
    try {
      bytes(root, ["fsck", "--strict", tree]);
    } catch {
      isFine = false;
    }
    expect(isStorable(rawPath(name))).toBe(isFine);
  });
});
