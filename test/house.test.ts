import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { importsOf } from "./house/imports.ts";
import { circles, ROOMS, violations } from "./house/rules.ts";

const SRC = join(import.meta.dirname, "../src");
const NOT_SHIPPED = /\.test\.ts$|(^|\/)test-kit(\/|\.ts$)/;

const files = Object.fromEntries(
  readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !NOT_SHIPPED.test(path))
    .map((path) => [path, readFileSync(join(SRC, path), "utf8")]),
);
const inRoom = (room: string) => Object.keys(files).filter((path) => path.startsWith(`${room}/`));

describe("the house", () => {
  it("has only rooms that the list knows, each with an index", () => {
    const folders = new Set(Object.keys(files).map((path) => path.split("/")[0] ?? ""));
    expect([...folders].filter((folder) => !ROOMS.some((room) => room === folder))).toEqual([]);
    // The command line is where programs start, and doors are for users: no room imports from them.
    const closed = [...folders].filter(
      (folder) => folder !== "cli" && folder !== "doors" && !files[`${folder}/index.ts`],
    );
    expect(closed).toEqual([]);
  });

  it("has no room that imports from one after it, or around an index", () => {
    expect(Object.keys(files).length).toBeGreaterThan(100);
    expect(violations(files)).toEqual([]);
  });

  it("has folders that depend on each other in one direction", () => {
    expect(Object.entries(circles(files)).filter(([, folders]) => folders.length > 0)).toEqual([]);
  });

  it("has no file longer than 400 lines, but for the contract, which is to be read as one", () => {
    const { "events/contract.ts": _, ...written } = files;
    const long = Object.entries(written).filter(([, text]) => text.split("\n").length > 400);
    expect(long.map(([path]) => path)).toEqual([]);
  });

  it("lets out of a door only what it names", () => {
    const open = inRoom("doors").filter((path) => /^export (type )?\*/m.test(files[path] ?? ""));
    expect(inRoom("doors").length).toBeGreaterThan(3);
    expect(open).toEqual([]);
  });

  it("does not know where it is built to", () => {
    const knowing = Object.entries(files).filter(([, text]) => /["'`/]dist\//.test(text));
    expect(knowing.map(([path]) => path)).toEqual([]);
  });

  it("prints with console.log nowhere but in the command line", () => {
    const printing = Object.entries(files).filter(
      ([path, text]) => !path.startsWith("cli/") && printsWithConsole(text),
    );
    expect(printing.map(([path]) => path)).toEqual([]);
  });

  it("starts git in one room alone, where what a folder's settings of git name does not run", () => {
    const starting = Object.entries(files).filter(
      ([path, text]) => !path.startsWith("git/") && startsGit(text),
    );
    // It makes the repository itself, below Seam's own folder.
    expect(starting.map(([path]) => path)).toEqual(["extensions/packages/fetch-package.ts"]);
  });

  it("keeps events free of input and output", () => {
    const outside = inRoom("events").flatMap((path) =>
      importsOf(files[path] ?? "").filter((specifier) => specifier.startsWith("node:")),
    );
    expect(outside).toEqual([]);
  });
});

/** Comments may show console.log in examples. */
function printsWithConsole(text: string): boolean {
  return /\bconsole\.log\(/.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""));
}

function startsGit(text: string): boolean {
  return text.includes('"node:child_process"') && /\b\w+\(\s*(["'`])git(\1| )/.test(text);
}

describe("the check itself", () => {
  const finding = (path: string, text: string) => violations({ [path]: text });

  it("sees every way to name a module", () => {
    const text = `
      import a, { type B } from "./a.ts";
      import type { C } from "./c.ts";
      import "./d.ts";
      export * from "./e.ts";
      export { f } from "./f.ts";
      export type * from "./g.ts";
      const h = await import("./h.ts");
      let i: import("./i.ts").I;
      const text = 'import "./not-one.ts"'; // import "./nor-this.ts"
      export const j = \`export * from "./nor-that.ts"\`;`;
    expect(importsOf(text)).toEqual(
      ["a", "c", "d", "e", "f", "g", "h", "i"].map((x) => `./${x}.ts`),
    );
  });

  it.each([
    ["a value", 'import { x } from "../dispatch/index.ts";'],
    ["a type", 'import type { X } from "../dispatch/index.ts";'],
    ["a re-export", 'export * from "../dispatch/index.ts";'],
    ["a dynamic import", 'const x = await import("../dispatch/index.ts");'],
  ])("finds an import from a later room: %s", (_, text) => {
    expect(finding("events/x.ts", text)).toEqual([
      "events/x.ts imports from dispatch, which comes after events",
    ]);
  });

  it("finds an import from a later room deep in a folder", () => {
    const text = 'import { x } from "../../../cli/index.ts";';
    expect(finding("terminal/a/b/x.ts", text)).toHaveLength(1);
  });

  it("finds an import around an index", () => {
    expect(finding("cli/main.ts", 'import { x } from "../events/check.ts";')).toEqual([
      "cli/main.ts imports events/check.ts, around the index",
    ]);
    expect(finding("doors/host.ts", 'export { x } from "../events/check.ts";')).toHaveLength(1);
    expect(finding("cli/a.ts", 'import "../extensions/load/index.ts";')).toHaveLength(1);
  });

  it("keeps agents away from extensions and git", () => {
    expect(finding("agents/x.ts", 'import "../git/index.ts";')).toHaveLength(1);
    expect(finding("agents/x.ts", 'import "../extensions/index.ts";')).toHaveLength(1);
    expect(finding("agents/x.ts", 'import "../events/index.ts";')).toEqual([]);
  });

  it("finds an import of what is for users, from outside, and of a room that is none", () => {
    expect(finding("cli/x.ts", 'import "../doors/host.ts";')).toHaveLength(1);
    expect(finding("cli/x.ts", 'import "../../package.json";')).toHaveLength(1);
    expect(finding("cli/x.ts", 'import "../attic/index.ts";')).toHaveLength(1);
    expect(finding("attic/x.ts", 'import "../events/index.ts";')).toHaveLength(1);
  });

  it("lets pass what is allowed", () => {
    const text =
      'import "../events/index.ts"; import "./y.ts"; import "typebox"; import "node:fs";';
    expect(finding("cli/commands/../x.ts", text)).toEqual([]);
    expect(finding("doors/host.ts", 'export { x } from "../host/index.ts";')).toEqual([]);
  });

  it("finds folders that import each other, also in a circle and deeper in a room", () => {
    const files = {
      "host/a/x.ts": 'import "../b/y.ts";',
      "host/b/y.ts": 'import type { Z } from "../c/z.ts";',
      "host/c/z.ts": 'import "../a/x.ts";',
      "host/d/w.ts": 'import "../a/x.ts"; import "./e/v.ts"; import "./f/u.ts";',
      "host/d/e/v.ts": 'import "../f/u.ts";',
      "host/d/f/u.ts": 'import "../e/v.ts";',
    };
    expect(circles(files)).toEqual({ host: ["a", "b", "c"], "host/d": ["e", "f"] });
    expect(circles({ ...files, "host/c/z.ts": "", "host/d/f/u.ts": "" })).toEqual({});
  });

  test("a console.log in code counts, one in a comment does not", () => {
    expect(printsWithConsole("console.log(1)")).toBe(true);
    expect(printsWithConsole("/** console.log(1) */ const a = 1; // console.log(2)")).toBe(false);
  });
});

describe("the tests that npm test leaves out", () => {
  it("are in files that CONTRIBUTING.md names", () => {
    const root = join(SRC, "..");
    const named = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
    const leaving = ["src", "test", "extensions", "web", "bench"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((path) => `${folder}/${path}`)
        .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes("node_modules"))
        .filter((path) =>
          /\b(inFull|hasTime|sampled|isFull|isSampled)\b[^;]*setup\/sample\.ts"|\bnewestOf\(/.test(
            readFileSync(join(root, path), "utf8"),
          ),
        ),
    );
    expect(leaving.length).toBeGreaterThan(20);
    expect(leaving.filter((path) => !named.includes(`\`${path}\``))).toEqual([]);
  });
});
