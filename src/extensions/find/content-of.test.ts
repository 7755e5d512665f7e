import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, tempDir, write } from "../test-kit/index.ts";
import { contentOf } from "./content-of.ts";
import { declaredCritical } from "./declared-critical.ts";

const EXT = ".seam/extensions";

/** The files that belong to an extension, from the project's root. */
function collected(files: Files, entry = `${EXT}/a.ts`, prepare = (_root: string) => {}) {
  const root = tempDir();
  write(root, files);
  prepare(root);
  const content = contentOf(root, join(root, entry));
  return content && [...content.keys()].map((path) => path.slice(root.length + 1)).sort();
}

describe("what an extension is made of", () => {
  it("its file, and what it names by a relative path, however", () => {
    const files = {
      [`${EXT}/a.ts`]: `import x from "./x"; // don't be misled by the apostrophe
        const load = createRequire(import.meta.url); load('./y.cjs');
        readFileSync(new URL("./data/words.txt", import.meta.url));
        readFileSync(join(import.meta.dirname, "list.json"));`,
      [`${EXT}/x.ts`]: 'export * from "../shared.ts";',
      [`${EXT}/y.cjs`]: 'require("./z.cjs")',
      [`${EXT}/z.cjs`]: "",
      [`${EXT}/data/words.txt`]: "words",
      [`${EXT}/list.json`]: "[]",
      [`${EXT}/other.ts`]: "",
      ".seam/shared.ts": "",
    };
    const { [`${EXT}/other.ts`]: _, ...own } = files;
    expect(collected(files)).toEqual(Object.keys(own).sort());
  });

  it("everything in its folder, if it has one of its own", () => {
    const files = {
      [`${EXT}/gate/index.ts`]: "",
      [`${EXT}/gate/rules/a.txt`]: "",
      [`${EXT}/gate/computed.mjs`]: "",
      [`${EXT}/gate/.git/config`]: "",
      [`${EXT}/b.ts`]: "",
    };
    expect(collected(files, `${EXT}/gate/index.ts`)).toEqual([
      `${EXT}/gate/computed.mjs`,
      `${EXT}/gate/index.ts`,
      `${EXT}/gate/rules/a.txt`,
    ]);
  });

  it("the packages of the project it imports, and those they need, whole", () => {
    const files = {
      [`${EXT}/a.ts`]: `import type { T } from "types-only"; import "dep/sub.js"; import { Type } from "typebox"; import "node:fs";`,
      "node_modules/dep/package.json": { name: "dep", dependencies: { deeper: "1" } },
      "node_modules/dep/sub.js": "",
      "node_modules/dep/node_modules/deeper/package.json": { name: "deeper" },
      "node_modules/deeper/package.json": { name: "another deeper" },
      "node_modules/types-only/package.json": {},
      "node_modules/typebox/package.json": {},
      "node_modules/unused/package.json": {},
    };
    expect(collected(files)).toEqual([
      `${EXT}/a.ts`,
      "node_modules/dep/node_modules/deeper/package.json",
      "node_modules/dep/package.json",
      "node_modules/dep/sub.js",
    ]);
  });

  it("packages that are links into a store of the project, as pnpm makes them", () => {
    const store = "node_modules/.pnpm";
    const files = {
      [`${EXT}/a.ts`]: 'import "dep";',
      [`${store}/dep@1/node_modules/dep/package.json`]: { dependencies: { deeper: "1" } },
      [`${store}/deeper@1/node_modules/deeper/package.json`]: {},
    };
    const link = (root: string) => {
      const at = (path: string) => join(root, path);
      symlinkSync(at(`${store}/dep@1/node_modules/dep`), at("node_modules/dep"));
      symlinkSync(
        at(`${store}/deeper@1/node_modules/deeper`),
        at(`${store}/dep@1/node_modules/deeper`),
      );
    };
    expect(collected(files, `${EXT}/a.ts`, link)).toEqual([
      `${EXT}/a.ts`,
      "node_modules/dep/node_modules/deeper/package.json",
      "node_modules/dep/package.json",
    ]);
  });

  it("nothing a link leads to outside of the project", () => {
    const outside = tempDir();
    write(outside, { "secret.ts": "", "package.json": "{}" });
    const files = {
      [`${EXT}/gate/index.ts`]: 'import "./link.ts"; import "./up/x.ts"; import "dep";',
    };
    const link = (root: string) => {
      symlinkSync(join(outside, "secret.ts"), join(root, EXT, "gate/link.ts"));
      symlinkSync(root, join(root, EXT, "gate/up"));
      mkdirSync(join(root, "node_modules"));
      symlinkSync(outside, join(root, "node_modules/dep"));
    };
    expect(collected(files, `${EXT}/gate/index.ts`, link)).toEqual([`${EXT}/gate/index.ts`]);
    expect(() =>
      collected({}, "a.ts", (root) => symlinkSync(join(outside, "secret.ts"), join(root, "a.ts"))),
    ).toThrow("leads out of the project");
  });

  it("nothing, if its file is gone", () => {
    expect(collected({})).toBeUndefined();
  });

  it("no more than there is room for", () => {
    const many = Array.from({ length: 5_001 }, (_, index) => [`${EXT}/gate/${index}.txt`, ""]);
    const files = { ...Object.fromEntries(many), [`${EXT}/gate/index.ts`]: "" };
    expect(() => collected(files, `${EXT}/gate/index.ts`)).toThrow("5000 files");
  });
});

describe("a text that anybody may have written is looked through in one go", () => {
  const hostile: Readonly<Record<string, string>> = {
    "comments that do not end": "import/*".repeat(100_000),
    "comments that follow each other": `import${"/**/".repeat(100_000)}`,
    "lines that do not end": "import//".repeat(100_000),
    "imports of types without an end": "import type ".repeat(100_000),
    "exports without an end": "export const critical:\n".repeat(100_000),
    "empty lines": "\n".repeat(2_000_000),
    quotes: '"a'.repeat(400_000),
    brackets: `${"(".repeat(399)}"a"`.repeat(2_000),
  };
  for (const [what, text] of Object.entries(hostile)) {
    // Looked at again and again, such a text takes minutes, and the test would be ended.
    it(`whatever is in it: ${what}`, { timeout: 30_000 }, () => {
      expect(collected({ [`${EXT}/a.ts`]: text })).toEqual([`${EXT}/a.ts`]);
      expect(declaredCritical("", text)).toBe(false);
    });
  }

  it("and asks for no more files than an extension can need", () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `"./${at}"`).join();
    expect(() => collected({ [`${EXT}/a.ts`]: names })).toThrow(
      "cannot be trusted: with all it imports",
    );
  });
});
