import { describe, expect, it } from "vitest";
import { load } from "../test-kit/index.ts";

describe("a name Seam does not offer is reported with its file and line", () => {
  it.each([
    ["used at once", "import { Nope } from 'M'; void Nope; export default () => {};"],
    ["used in a function body", "import { Nope } from 'M'; export default (pi) => () => Nope();"],
    ["under another name", "import { Nope as Yes } from 'M'; export default () => () => Yes;"],
    [
      "beside one that is there",
      "import { Type, Nope } from 'M'; export default () => [Type, Nope];",
    ],
    ["beside a default import", "import all, { Nope } from 'M'; export default () => [all, Nope];"],
    ["passed on", "export { Nope } from 'M'; export default () => {};"],
  ])("%s", async (_, source) => {
    const { problem, path } = await load({ "a.ts": source.replace("M", "@mariozechner/pi-ai") });
    const { message } = problem("SEAM_EXT_MISSING_EXPORT").error;
    expect(message).toContain('"Nope"');
    expect(message).toContain('"@mariozechner/pi-ai"');
    expect(message).toContain(path("a.ts"));
    expect(problem("SEAM_EXT_MISSING_EXPORT")).toMatchObject({
      severity: "warning",
      where: { file: path("a.ts"), line: 1 },
    });
  });

  it("every one of them, each with its own line", async () => {
    const { set } = await load({
      "a.ts": `import { Type } from "agentseam";
        import {
          Nope,
          Type as T,
          Neither,
        } from "@mariozechner/pi-ai";
        import * as tui from "@mariozechner/pi-tui";
        export default () => [Type, T, Nope, Neither, tui.Missing];`,
    });
    expect(set.problems.map(({ error, where }) => [error.details.name, where?.line])).toEqual([
      ["Nope", 3],
      ["Neither", 5],
      ["Missing", 8],
    ]);
  });

  it("in a file the extension imports, which is named", async () => {
    const { problem, path } = await load(
      {
        "a.ts": `import "./helper.ts"; export default () => {};`,
        "helper.ts": `import { Nope } from "agentseam"; export const later = () => Nope;`,
      },
      { entries: ["a.ts"] },
    );
    expect(problem("SEAM_EXT_MISSING_EXPORT").path).toBe(path("a.ts"));
    expect(problem("SEAM_EXT_MISSING_EXPORT").error.message).toContain(path("helper.ts"));
  });
});

describe("a name that is not there", () => {
  it("is undefined, so that an extension can look whether it is there", async () => {
    const { set, seen } = await load({
      "a.ts": `import * as ai from "@mariozechner/pi-ai";
        import { Nope } from "@mariozechner/pi-ai";
        export default () => { seen.push(Nope, typeof ai.Nope, ai.Nope ? "new" : "old", "Nope" in ai); };`,
    });
    expect(set.failures).toEqual([]);
    expect(seen).toEqual([undefined, "undefined", "old", false]);
  });

  it("fails where it is used", async () => {
    const { problem, path } = await load({
      "a.ts": `import { Nope } from "@mariozechner/pi-ai";
        export default () => {
          Nope();
        };`,
    });
    expect(problem("SEAM_EXT_FACTORY").where).toEqual({ file: path("a.ts"), line: 3 });
  });
});

describe("types may be missing: they are gone before anything runs", () => {
  it.each([
    ["import type", "import type { Nope } from 'agentseam';"],
    ["import { type … }", "import { type Nope, Type } from 'agentseam'; seen.push(Type.String);"],
    ["an import used only as a type", "import { Nope } from 'agentseam';"],
  ])("%s", async (_, head) => {
    const { set } = await load({
      "a.ts": `${head}\nexport default (pi: unknown) => { const x: Nope | undefined = undefined; return x; };`,
    });
    expect(set.problems).toEqual([]);
  });
});

it("a name of the same spelling from a package of its own is not Seam's business", async () => {
  const { set, seen } = await load(
    {
      "a.ts": `import { Nope } from "./other.ts"; export default () => { seen.push(Nope); };`,
      "other.ts": "export const Nope = 1;",
    },
    { entries: ["a.ts"] },
  );
  expect(set.problems).toEqual([]);
  expect(seen).toEqual([1]);
});
