import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../errors/index.ts";
import { BYSTANDER, load } from "./test-kit/index.ts";

const TOOL = "name: 'greet', description: 'd', parameters: { type: 'object' }, execute() {}";

const REFUSED: Record<string, [code: ErrorCode, registration: string, says: string][]> = {
  tool: [
    ["SEAM_TOOL_INVALID", "pi.registerTool()", "not an object"],
    ["SEAM_TOOL_INVALID", "pi.registerTool('greet')", "not an object"],
    ["SEAM_TOOL_INVALID", `pi.registerTool({ ${TOOL}, name: '' })`, "no name"],
    ["SEAM_TOOL_INVALID", `pi.registerTool({ ${TOOL}, name: 7 })`, "no name"],
    ["SEAM_TOOL_INVALID", `pi.registerTool({ ${TOOL}, execute: 1 })`, '"greet" has no execute()'],
    ["SEAM_TOOL_INVALID", `pi.registerTool({ ${TOOL}, description: undefined })`, "no description"],
    ["SEAM_TOOL_INVALID", `pi.registerTool({ ${TOOL}, parameters: undefined })`, "object schema"],
    ["SEAM_TOOL_INVALID", `pi.registerTool({ ${TOOL}, parameters: {} })`, "object schema"],
    [
      "SEAM_TOOL_INVALID",
      `pi.registerTool({ ${TOOL}, parameters: { type: "string" } })`,
      "object schema",
    ],
  ],
  command: [
    ["SEAM_COMMAND_INVALID", "pi.registerCommand('', { handler() {} })", "no name"],
    ["SEAM_COMMAND_INVALID", "pi.registerCommand('a b', { handler() {} })", "white space"],
    ["SEAM_COMMAND_INVALID", "pi.registerCommand('greet')", '"greet" has no handler'],
    ["SEAM_COMMAND_INVALID", "pi.registerCommand('greet', () => {})", '"greet" has no handler'],
    ["SEAM_COMMAND_INVALID", "pi.registerCommand('greet', { handler: 1 })", "no handler"],
  ],
  flag: [
    ["SEAM_FLAG_INVALID", "pi.registerFlag('', { type: 'boolean' })", "no name"],
    ["SEAM_FLAG_INVALID", "pi.registerFlag('plan')", '"plan" needs the type'],
    ["SEAM_FLAG_INVALID", "pi.registerFlag('plan', { type: 'number' })", '"plan" needs the type'],
    [
      "SEAM_FLAG_INVALID",
      "pi.registerFlag('plan', { type: 'boolean', default: 'yes' })",
      'default of "plan" is not a boolean',
    ],
  ],
  shortcut: [
    ["SEAM_SHORTCUT_INVALID", "pi.registerShortcut('', { handler() {} })", "no key"],
    ["SEAM_SHORTCUT_INVALID", "pi.registerShortcut('ctrl+x')", '"ctrl+x" has no handler'],
    ["SEAM_SHORTCUT_INVALID", "pi.registerShortcut('ctrl+x', { handler: 1 })", "no handler"],
  ],
  provider: [
    ["SEAM_PROVIDER_INVALID", "pi.registerProvider('', {})", "no name"],
    ["SEAM_PROVIDER_INVALID", "pi.registerProvider('p')", '"p" has no configuration'],
    ["SEAM_PROVIDER_INVALID", "pi.registerProvider('p', { models: {} })", "not a list"],
    ["SEAM_PROVIDER_INVALID", "pi.registerProvider('p', { models: [{}] })", "no id"],
    ["SEAM_PROVIDER_INVALID", "pi.registerProvider('p', { models: [null] })", "no id"],
    ["SEAM_PROVIDER_INVALID", "pi.registerProvider('p', { streamSimple: 1 })", "not a function"],
  ],
};

describe.each(Object.entries(REFUSED))("a %s that cannot be used", (_, cases) => {
  it.each(cases)("%s: %s", async (code, registration, says) => {
    const { set, problem, path } = await load({
      "bad.ts": `export default (pi) => {\n  ${registration};\n};`,
      "good.ts": BYSTANDER,
    });
    const found = problem(code);
    expect(found).toMatchObject({ severity: "error", where: { file: path("bad.ts"), line: 2 } });
    expect(found.error.message).toContain(path("bad.ts"));
    expect(found.error.message).toContain(says);
    expect(set.extensions.map(({ name }) => name)).toEqual(["good"]);
  });
});

it("an extension may catch the error and go on", async () => {
  const { set } = await load({
    "a.ts": `export default (pi) => {
      try { pi.registerTool({}); } catch (error) { seen.push(error.code); }
      pi.registerTool({ ${TOOL} });
    };`,
  });
  expect(set.problems).toEqual([]);
  expect(set.tools().map(({ tool }) => tool.name)).toEqual(["greet"]);
});

it("a renderer that is not a function is refused where it is registered", async () => {
  const { set } = await load({
    "a.ts": "export default (pi) => { pi.registerMessageRenderer('x', 'not a function'); };",
  });
  expect(set.failures).toHaveLength(1);
});
