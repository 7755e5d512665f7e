import { describe, expect, it } from "vitest";
import { BYSTANDER, load, loadFrom, TURN_START, tempDir, write } from "../test-kit/index.ts";

const SAYS = (what: string) => `export default () => { seen.push(${JSON.stringify(what)}); };`;

describe("the forms an extension can have", () => {
  it.each([
    ["TypeScript", "a.ts", "export default function (_pi: object): void { seen.push('ran'); }"],
    ["an ES module in .js", "a.js", SAYS("ran")],
    ["an ES module in .mjs", "a.mjs", SAYS("ran")],
    ["TypeScript in .mts", "a.mts", SAYS("ran")],
    ["module.exports = function", "a.js", "module.exports = () => { seen.push('ran'); };"],
    ["exports.default = function", "a.js", "exports.default = () => { seen.push('ran'); };"],
    [
      "a default export a compiler wrapped",
      "a.js",
      `Object.defineProperty(exports, "__esModule", { value: true });
       exports.default = () => { seen.push("ran"); };`,
    ],
  ])("%s", async (_, name, source) => {
    const { set, seen } = await load({ [name]: source });
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["ran"]);
  });

  it("an async factory is waited for", async () => {
    const { set, seen } = await load({
      "slow.ts": `export default async (pi) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        seen.push("slow");
        pi.registerFlag("late", { type: "boolean" });
      };`,
      "next.ts": SAYS("next"),
    });
    expect(seen).toEqual(["slow", "next"]);
    expect(set.flags().map(({ name }) => name)).toEqual(["late"]);
  });

  it("top-level await is waited for", async () => {
    const { seen } = await load({
      "a.ts": `const value = await new Promise((resolve) => setTimeout(() => resolve("ready"), 10));
        export default () => { seen.push(value); };`,
    });
    expect(seen).toEqual(["ready"]);
  });

  it("knows its own place through import.meta and __dirname", async () => {
    const { seen, dir, path } = await load({
      "a.ts": "seen.push(import.meta.url, __dirname, __filename); export default () => {};",
    });
    expect(seen).toEqual([`file://${path("a.ts")}`, dir, path("a.ts")]);
  });
});

describe("what an extension imports", () => {
  it("files beside it are loaded in the order in which the loader looks for them", async () => {
    const says = (what: string) => `export const word = ${JSON.stringify(what)};`;
    const { seen } = await load(
      {
        "a.ts": `import { word as both } from "./both"; import { word as folder } from "./folder";
          import { word as named } from "./named.js"; import { word as again } from "./link.js";
          export default () => { seen.push(both, folder, named, again); };`,
        "both.js": says("both.js"),
        "both.ts": says("both.ts"),
        "folder/index.ts": says("folder/index.ts"),
        "named.js": says("named.js"),
        "named.ts": says("named.ts"),
        "link.ts": `export * from "./folder/index.js";`,
      },
      { entries: ["a.ts"] },
    );
    expect(seen).toEqual(["both.js", "folder/index.ts", "named.js", "folder/index.ts"]);
  });

  it("a file beside it, named .js and there only as .ts", async () => {
    const { set, seen } = await load(
      {
        "a.ts": `import { word } from "./words.js"; export default () => { seen.push(word); };`,
        "words.ts": `export const word: string = "found";`,
      },
      { entries: ["a.ts"] },
    );
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["found"]);
  });

  it("a plain .js file beside it, which imports from Seam itself", async () => {
    const { set, seen } = await load(
      {
        "a.js": `import { word } from "./words.js"; export default () => { seen.push(word); };`,
        "words.js": `import { Type } from "agentseam"; export const word = Type.String().type;`,
      },
      { entries: ["a.js"] },
    );
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["string"]);
  });

  it("a JSON file", async () => {
    const { seen } = await load(
      {
        "a.ts": `import data from "./data.json"; export default () => { seen.push(data.n); };`,
        "data.json": { n: 7 },
      },
      { entries: ["a.ts"] },
    );
    expect(seen).toEqual([7]);
  });

  it.each([
    ["an ES module", { type: "module", exports: "./index.js" }, "export const n = 1;"],
    ["CommonJS", { main: "./index.js" }, "exports.n = 1;"],
  ])("%s from its own node_modules", async (_, manifest, source) => {
    const { set, seen } = await load(
      {
        "ext/index.ts": `import { n } from "dep"; export default () => { seen.push(n); };`,
        "ext/node_modules/dep/package.json": { name: "dep", ...manifest },
        "ext/node_modules/dep/index.js": source,
      },
      { entries: ["ext/index.ts"] },
    );
    expect(set.problems).toEqual([]);
    expect(seen).toEqual([1]);
  });

  it("one file over two ways is one module", async () => {
    const { seen } = await load(
      {
        "a.ts": `import "./left.ts"; import "./right.ts"; import { count } from "./shared.ts";
          export default () => { seen.push(count.value); };`,
        "left.ts": `import { count } from "./shared.ts"; count.value++;`,
        "right.ts": `import { count } from "./shared.ts"; count.value++;`,
        "shared.ts": "export const count = { value: 0 };",
      },
      { entries: ["a.ts"] },
    );
    expect(seen).toEqual([2]);
  });

  it("two files that import each other", async () => {
    const { set, seen } = await load(
      {
        "a.ts": `import { ask } from "./b.ts"; export const answer = () => "from a";
          export default () => { seen.push(ask()); };`,
        "b.ts": `import { answer } from "./a.ts"; export const ask = () => answer();`,
      },
      { entries: ["a.ts"] },
    );
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["from a"]);
  });
});

describe("loading again", () => {
  const COUNTS = {
    "a.ts": `import { next } from "./state.ts"; let own = 0;
      export default () => { seen.push([++own, next()]); };`,
    "state.ts": "let n = 0; export const next = () => ++n;",
  };

  it("evaluates the extension and what it imports anew", async () => {
    const dir = tempDir();
    write(dir, COUNTS);
    const first = await loadFrom(dir, { entries: ["a.ts"] });
    const second = await loadFrom(dir, { entries: ["a.ts"] });
    expect([first.seen, second.seen]).toEqual([[[1, 1]], [[1, 1]]]);
  });

  it("sees what changed in the file and in what it imports", async () => {
    const dir = tempDir();
    write(dir, COUNTS);
    await loadFrom(dir, { entries: ["a.ts"] });
    write(dir, { "state.ts": "export const next = () => 'changed';" });
    const { seen } = await loadFrom(dir, { entries: ["a.ts"] });
    expect(seen).toEqual([[1, "changed"]]);
  });

  it("has nothing to do with the set before it", async () => {
    const dir = tempDir();
    write(dir, { "a.ts": BYSTANDER });
    const first = await loadFrom(dir, { entries: ["a.ts"] });
    const second = await loadFrom(dir, { entries: ["a.ts"] });
    first.set.dispose();
    second.set.dispatcher.emit(TURN_START);
    await second.set.dispatcher.settled();
    expect(second.seen).toEqual(["bystander"]);
  });
});
