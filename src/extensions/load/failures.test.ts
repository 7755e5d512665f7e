import { describe, expect, it } from "vitest";
import { describeProblem } from "../problem.ts";
import { BYSTANDER, load, loadFrom, TURN_START, tempDir } from "../test-kit/index.ts";

const FAILURES = [
  {
    what: "a syntax error",
    source: "export default () => {\n  const = 1;\n};",
    code: "SEAM_EXT_SYNTAX",
    line: 2,
  },
  {
    what: "a factory that throws",
    source: "export default () => {\n  throw new Error('no luck');\n};",
    code: "SEAM_EXT_FACTORY",
    says: "no luck",
    line: 2,
  },
  {
    what: "a factory that rejects",
    source: "export default async () => {\n  await 0;\n  throw new Error('no luck');\n};",
    code: "SEAM_EXT_FACTORY",
    says: "no luck",
    line: 3,
  },
  {
    what: "a factory that throws a string",
    source: "export default () => { throw 'just text'; };",
    code: "SEAM_EXT_FACTORY",
    says: "just text",
  },
  {
    what: "a factory that throws undefined",
    source: "export default () => { throw undefined; };",
    code: "SEAM_EXT_FACTORY",
    says: "undefined",
  },
  {
    what: "a module that throws",
    source: "\nthrow new Error('at the top');\nexport default () => {};",
    code: "SEAM_EXT_FACTORY",
    says: "at the top",
    line: 2,
  },
  {
    what: "no default export",
    source: "export const setup = () => {};",
    code: "SEAM_EXT_NO_FACTORY",
  },
  { what: "an empty file", source: "", code: "SEAM_EXT_NO_FACTORY" },
  {
    what: "a default export that is not a function",
    source: "export default { setup() {} };",
    code: "SEAM_EXT_NO_FACTORY",
  },
  {
    what: "a handler that is not a function",
    source: "export default (pi) => {\n  pi.on('turn_start', { run() {} });\n};",
    code: "SEAM_HANDLER_NOT_FUNCTION",
    says: '"turn_start"',
    line: 2,
  },
  {
    what: "an import of a package that is not installed",
    source: "import x from 'not-installed'; export default () => x;",
    code: "SEAM_EXT_IMPORT",
    says: '"not-installed"',
  },
  {
    what: "an import of a file that is not there",
    source: "import x from './nowhere.ts'; export default () => x;",
    code: "SEAM_EXT_IMPORT",
    says: "nowhere.ts",
  },
] as const;

describe.each(FAILURES)("$what", ({ source, code, ...expected }) => {
  const files = { "first.ts": BYSTANDER, "bad.ts": source, "last.ts": BYSTANDER };

  it("is reported with the extension, the place and the next step", async () => {
    const { problem, path } = await load(files);
    const found = problem(code);
    expect(found.severity).toBe("error");
    expect(found.path).toBe(path("bad.ts"));
    const text = describeProblem(found, "/");
    expect(text).toContain(path("bad.ts"));
    expect(text).toContain(found.error.next);
    if ("says" in expected) expect(text).toContain(expected.says);
    if ("line" in expected) {
      expect(found.where).toEqual({ file: path("bad.ts"), line: expected.line });
    }
  });

  it("does not keep the others from loading and running", async () => {
    const { set, seen, path } = await load(files);
    expect(set.extensions.map(({ name }) => name)).toEqual(["first", "last"]);
    expect(set.failures.map((failure) => failure.path)).toEqual([path("bad.ts")]);
    set.dispatcher.emit(TURN_START);
    await set.dispatcher.settled();
    expect(seen).toEqual(["bystander", "bystander"]);
  });
});

it("a file that is not there is reported by its path", async () => {
  const { problem, path } = await loadFrom(tempDir(), { entries: ["gone.ts"] });
  expect(problem("SEAM_EXT_NOT_FOUND").path).toBe(path("gone.ts"));
  expect(problem("SEAM_EXT_NOT_FOUND").error.message).toContain(path("gone.ts"));
});

it("a folder that is not an extension is reported as such", async () => {
  const { problem, path } = await load({ "ext/readme.md": "" }, { entries: ["ext"] });
  expect(problem("SEAM_EXT_NOT_FOUND").path).toBe(path("ext"));
});

it("a file the extension looks for and does not find is not taken for the extension", async () => {
  const { codes } = await load({
    "a.ts": `import { readFileSync } from "node:fs";
      readFileSync(__filename + ".config");
      export default () => {};`,
  });
  expect(codes()).toEqual(["SEAM_EXT_FACTORY"]);
});

it("a syntax error in an imported file names that file and its line", async () => {
  const { problem, path } = await load(
    {
      "a.ts": `import "./broken.ts"; export default () => {};`,
      "broken.ts": "export const fine = 1;\nexport const = 2;",
    },
    { entries: ["a.ts"] },
  );
  const found = problem("SEAM_EXT_SYNTAX");
  expect(found.path).toBe(path("a.ts"));
  expect(found.where).toEqual({ file: path("broken.ts"), line: 2 });
});

it("an error in an imported file is shown where it happened", async () => {
  const { problem, path } = await load(
    {
      "a.ts": `import { fail } from "./helper.ts";\nexport default () => { fail(); };`,
      "helper.ts": "export function fail() {\n  throw new Error('deep');\n}",
    },
    { entries: ["a.ts"] },
  );
  expect(problem("SEAM_EXT_FACTORY").where).toEqual({ file: path("helper.ts"), line: 2 });
});

it("an error thrown by a handler is shown with its line", async () => {
  const { set, problem, path } = await load({
    "a.ts": `export default (pi) => {
      pi.on("turn_start", () => {
        throw new Error("boom");
      });
    };`,
  });
  set.dispatcher.emit(TURN_START);
  await set.dispatcher.settled();
  const found = problem("SEAM_HANDLER_THREW");
  expect(found).toMatchObject({ path: path("a.ts"), event: "turn_start" });
  expect(found.where).toEqual({ file: path("a.ts"), line: 3 });
});
