import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withdraw as distrust } from "../../settings/index.ts";
import { type Files, loadFrom, tempDir, tempHome, write } from "../test-kit/index.ts";
import { findExtensions, judgeProject } from "./find-extensions.ts";
import { trust as agreeTo } from "./trust.ts";

const PROJECT: Files = {
  ".seam/extensions/a.ts": `import "./lib/helper.js"; export default () => { seen.push("ran"); };`,
  ".seam/extensions/lib/helper.ts": "export const x = 1;",
};

const judged = (root: string, paths: readonly string[]) =>
  judgeProject(root).filter(({ source }) => paths.includes(source.path));
const trust = (root: string, paths: readonly string[]) => agreeTo(root, judged(root, paths));
const trustOf = (root: string, path: string) => judged(root, [path])[0]?.trust;

function setUp(files: Files = PROJECT) {
  const home = tempHome();
  const root = tempDir();
  write(root, files);
  const path = join(root, ".seam/extensions/a.ts");
  return { home, root, path, state: () => trustOf(root, path) };
}

describe("an extension of the project", () => {
  it("is not loaded before the user agreed", async () => {
    const { root, path } = setUp();
    const { sources, untrusted } = findExtensions({ cwd: root });
    expect(sources).toEqual([]);
    expect(untrusted).toEqual([expect.objectContaining({ path, scope: "project" })]);
    const { seen } = await loadFrom(root, { sources });
    expect(seen).toEqual([]);
  });

  it("is not even read before: a folder may contain as many, and as large ones, as it likes", () => {
    const { root } = setUp();
    const { untrusted, watched } = findExtensions({ cwd: root });
    expect(untrusted).toHaveLength(1);
    expect(watched).not.toContain(join(root, ".seam/extensions/lib/helper.ts"));
  });

  it("is loaded after", async () => {
    const { root, path } = setUp();
    trust(root, [path]);
    const { sources, untrusted } = findExtensions({ cwd: root });
    expect(untrusted).toEqual([]);
    const { seen } = await loadFrom(root, { sources });
    expect(seen).toEqual(["ran"]);
  });

  it("is asked for again once it changed", () => {
    const { root, path, state } = setUp();
    trust(root, [path]);
    writeFileSync(path, "export default () => {};");
    expect(state()).toBe("changed");
    const { sources, untrusted, problems } = findExtensions({ cwd: root });
    expect([sources.length, untrusted]).toEqual([1, []]);
    expect(problems.map(({ code }) => code)).toEqual(["SEAM_EXT_CHANGED"]);
    trust(root, [path]);
    expect(state()).toBe("trusted");
  });

  it("is asked for again once a file it imports changed, or is gone", () => {
    const { root, path, state } = setUp();
    const helper = join(root, ".seam/extensions/lib/helper.ts");
    trust(root, [path]);
    writeFileSync(helper, "export const x = 2;");
    expect(state()).toBe("changed");
    trust(root, [path]);
    rmSync(helper);
    expect(state()).toBe("changed");
  });

  it("stays trusted when something else in the project changed", () => {
    const { root, path, state } = setUp();
    trust(root, [path]);
    write(root, { "src/a.ts": "", ".seam/settings.json": "{}" });
    expect(state()).toBe("trusted");
  });

  it("that came later is asked for by itself", () => {
    const { root, path } = setUp();
    trust(root, [path]);
    write(root, { ".seam/extensions/b.ts": "" });
    const names = findExtensions({ cwd: root }).untrusted.map(({ name }) => name);
    expect(names).toContain("b");
  });

  it("is new again after the user took everything back", () => {
    const { root, path, state } = setUp();
    trust(root, [path]);
    distrust(root);
    expect(state()).toBe("new");
  });
});

describe("a file counts however it is imported", () => {
  const IMPORTS = [
    ["for its effects", 'import "./lib/x.ts";', "lib/x.ts"],
    ["by name", 'import { x } from "./lib/x.ts";', "lib/x.ts"],
    ["over several lines", 'import {\n  x,\n  y,\n} from "./lib/x.ts";', "lib/x.ts"],
    ["in single quotes", "import x from './lib/x.ts';", "lib/x.ts"],
    ["passed on", 'export * from "./lib/x.ts";', "lib/x.ts"],
    ["when it is needed", 'const x = () => import("./lib/x.ts");', "lib/x.ts"],
    ["when it is needed, in backticks", "const x = () => import(`./lib/x.ts`);", "lib/x.ts"],
    ["by require", 'const x = require("./lib/x.js");', "lib/x.js"],
    ["by require, in backticks", "const x = require(`./lib/x.js`);", "lib/x.js"],
    ["with a comment before it", 'import(/* note */ "./lib/x.ts");', "lib/x.ts"],
    ["with a comment after from", 'import x from /* note */ "./lib/x.ts";', "lib/x.ts"],
    ["as .js that is .ts", 'import "./lib/x.js";', "lib/x.ts"],
    ["as .mjs that is .mts", 'import "./lib/x.mjs";', "lib/x.mts"],
    ["without an ending, .ts", 'import "./lib/x";', "lib/x.ts"],
    ["without an ending, .js", 'import "./lib/x";', "lib/x.js"],
    ["without an ending, .mjs", 'import "./lib/x";', "lib/x.mjs"],
    ["without an ending, .mts", 'import "./lib/x";', "lib/x.mts"],
    ["without an ending, .cjs", 'import "./lib/x";', "lib/x.cjs"],
    ["as a folder with index.ts", 'import "./lib";', "lib/index.ts"],
    ["as a folder with index.js", 'import "./lib";', "lib/index.js"],
    ["as a folder with a slash", 'import "./lib/";', "lib/index.ts"],
    ["from the folder above", 'import "../x.ts";', "../x.ts"],
    ["from the folder it is in", 'import "."', "index.ts"],
    ["as data", 'import x from "./lib/x.json";', "lib/x.json"],
  ] as const;

  it.each(IMPORTS)("%s: %s", async (_, statement, file) => {
    const dir = ".seam/extensions";
    const content = file.endsWith("json") ? "1" : "globalThis.seen.push('imported');";
    const { root, path, state } = setUp({
      [`${dir}/a.ts`]: `${statement}\nexport default () => {};`,
      [`${dir}/${file}`]: content,
    });
    trust(root, [path]);
    expect(state()).toBe("trusted");
    write(root, { [`${dir}/${file}`]: `${content} ` });
    expect(state()).toBe("changed");
  });

  it.each(IMPORTS.filter(([, statement]) => statement.startsWith('import "')))(
    "and the loader really imports it: %s",
    async (_, statement, file) => {
      const { root } = setUp({
        ".seam/extensions/a.ts": `${statement}\nexport default () => {};`,
        [`.seam/extensions/${file}`]: "globalThis.seen.push('imported');",
      });
      const { set, seen } = await loadFrom(root, { entries: [".seam/extensions/a.ts"] });
      expect(set.problems).toEqual([]);
      expect(seen).toEqual(["imported"]);
    },
  );

  it("at the end of a chain", () => {
    const { root, path, state } = setUp({
      ".seam/extensions/a.ts": 'import "./lib/one.ts";',
      ".seam/extensions/lib/one.ts": 'import "./two.ts"; import "../a.ts";',
      ".seam/extensions/lib/two.ts": "1",
    });
    trust(root, [path]);
    expect(state()).toBe("trusted");
    write(root, { ".seam/extensions/lib/two.ts": "2" });
    expect(state()).toBe("changed");
  });
});

describe("trust", () => {
  it("of one project says nothing about another", () => {
    const { root, path } = setUp();
    trust(root, [path]);
    const other = tempDir();
    write(other, PROJECT);
    expect(trustOf(other, join(other, ".seam/extensions/a.ts"))).toBe("new");
    distrust(other);
    expect(trustOf(root, path)).toBe("trusted");
  });

  it("of one extension says nothing about another in the project", () => {
    const { root, path } = setUp({ ...PROJECT, ".seam/extensions/b.ts": "1" });
    trust(root, [path]);
    trust(root, [join(root, ".seam/extensions/b.ts")]);
    expect(judgeProject(root).map((one) => one.trust)).toEqual(["trusted", "trusted"]);
  });

  it("is not needed for what the user named on the command line", () => {
    const { root } = setUp();
    const { sources } = findExtensions({ cwd: root, paths: [".seam/extensions/a.ts"] });
    expect(sources.map(({ scope }) => scope)).toEqual(["cli"]);
  });

  it("is kept in a file only the user can read, in a folder only the user can enter", () => {
    const { home, root, path } = setUp();
    process.env.SEAM_HOME = join(home, "not/there/yet");
    trust(root, [path]);
    expect(statSync(join(home, "not/there/yet/trust.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "not/there/yet")).mode & 0o777).toBe(0o700);
  });

  it("leaves no other file behind", () => {
    const { home, root, path } = setUp();
    trust(root, [path]);
    expect(JSON.parse(readFileSync(join(home, "trust.json"), "utf8"))).toHaveProperty([root]);
    expect(() => statSync(join(home, `trust.json.${process.pid}`))).toThrow("ENOENT");
  });

  it.each([
    ["cut off", '{ "/a": { "x'],
    ["empty", ""],
    ["null", "null"],
    ["a list", "[1]"],
    ["a word", '"yes"'],
  ])("that is broken (%s) trusts nothing and can be given again", (_, text) => {
    const { home, root, path, state } = setUp();
    writeFileSync(join(home, "trust.json"), text);
    expect(state()).toBe("new");
    trust(root, [path]);
    expect(state()).toBe("trusted");
  });

  it.each([
    ["true instead of a project", true],
    ["null instead of a project", null],
    ["true instead of a fingerprint", { ".seam/extensions/a.ts": true }],
    ["an empty fingerprint", { ".seam/extensions/a.ts": "" }],
  ])("that says %s does not trust", (_, entry) => {
    const { home, root, state } = setUp();
    writeFileSync(join(home, "trust.json"), JSON.stringify({ [root]: entry }));
    expect(state()).not.toBe("trusted");
  });
});
