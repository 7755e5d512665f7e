import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { tools as claudeCode } from "../claude-code/tools.ts";
import { tools as codex } from "../codex/tools.ts";
import { tools as copilotCli } from "../copilot-cli/tools.ts";
import { tools as cursor } from "../cursor/tools.ts";
import { tools as droid } from "../factoryai-droid/tools.ts";
import { tools as gemini } from "../gemini/tools.ts";
import { tools as opencode } from "../opencode/tools.ts";
import { tools as pi } from "../pi/tools.ts";
import type { Json } from "./fields.ts";
import { inputOf, readTool, type ToolSpec, type ToolTable, toNative } from "./tool-table.ts";

const TABLES: [string, ToolTable][] = Object.entries({
  claudeCode,
  codex,
  copilotCli,
  cursor,
  droid,
  gemini,
  opencode,
  pi,
});

const NORMAL = ["bash", "read", "write", "edit", "grep", "find", "ls", "subagent", "skill"];

function only(table: ToolTable, name: string, input: Json) {
  const [tool, ...more] = readTool(table, name, input);
  if (!tool || more.length > 0) throw new Error("not one tool");
  return tool;
}

it("a command that is a list is text for extensions, and stays a list for the agent", () => {
  const command = ["bash", "-lc", "rm -rf x"];
  const tool = only(codex, "Bash", { command });
  expect(tool).toMatchObject({ name: "bash", input: { command: "bash -lc 'rm -rf x'" } });
  expect(toNative(codex, tool, tool.input)).toEqual({ command });
  expect(toNative(codex, tool, { command: "ls" })).toEqual({ command: "ls" });
});

describe("names", () => {
  it.each([
    ["Claude Code's Bash", claudeCode, "Bash", { command: "rm -rf x" }],
    ["Codex's Bash", codex, "Bash", { command: "rm -rf x" }],
    ["Codex's exec_command", codex, "exec_command", { cmd: "rm -rf x" }],
    ["Gemini's run_shell_command", gemini, "run_shell_command", { command: "rm -rf x" }],
    ["Copilot's bash", copilotCli, "bash", { command: "rm -rf x" }],
    ["Droid's Execute", droid, "Execute", { command: "rm -rf x" }],
    ["Cursor's Shell", cursor, "Shell", { command: "rm -rf x" }],
    ["OpenCode's bash", opencode, "bash", { command: "rm -rf x" }],
    ["Pi's bash", pi, "bash", { command: "rm -rf x" }],
  ])("%s is bash with a command", (_, table, name, input) => {
    expect(only(table, name, input)).toMatchObject({
      name: "bash",
      nativeName: name,
      input: { command: "rm -rf x" },
    });
  });

  it.each([
    ["Claude Code's Write", claudeCode, "Write", { file_path: ".env", content: "A" }],
    ["Gemini's write_file", gemini, "write_file", { file_path: ".env", content: "A" }],
    ["Copilot's create", copilotCli, "create", { path: ".env", file_text: "A" }],
    ["Droid's Create", droid, "Create", { file_path: ".env", content: "A" }],
    ["Cursor's Write", cursor, "Write", { file_path: ".env", content: "A" }],
    ["OpenCode's write", opencode, "write", { filePath: ".env", content: "A" }],
    ["Pi's write", pi, "write", { path: ".env", content: "A" }],
  ])("%s is write with a path and a content", (_, table, name, input) => {
    expect(only(table, name, input)).toMatchObject({
      name: "write",
      input: { path: ".env", content: "A" },
    });
  });

  it.each([
    ["Claude Code", claudeCode, "Edit", { file_path: "a", old_string: "x", new_string: "y" }],
    ["Gemini", gemini, "replace", { file_path: "a", old_string: "x", new_string: "y" }],
    ["Copilot", copilotCli, "edit", { path: "a", old_str: "x", new_str: "y" }],
    ["Droid", droid, "Edit", { file_path: "a", old_str: "x", new_str: "y" }],
    ["OpenCode", opencode, "edit", { filePath: "a", oldString: "x", newString: "y" }],
  ])("an edit of %s is an edit with one replacement", (_, table, name, input) => {
    expect(only(table, name, input)).toMatchObject({
      name: "edit",
      input: { path: "a", edits: [{ oldText: "x", newText: "y" }] },
    });
  });

  it("a tool that is not known keeps its name and its fields", () => {
    const input = { file_path: "a", odd: [1] };
    expect(only(claudeCode, "mcp__x__y", input)).toEqual({
      name: "mcp__x__y",
      nativeName: "mcp__x__y",
      input,
      nativeInput: input,
    });
    expect(only(claudeCode, "constructor", {}).name).toBe("constructor");
  });

  it("[claude-milliseconds] a timeout is in seconds everywhere", () => {
    const bash = only(claudeCode, "Bash", { command: "sleep 9", timeout: 120_000 });
    expect(bash.input.timeout).toBe(120);
    expect(toNative(claudeCode, bash, { ...bash.input, timeout: 1.5 })?.timeout).toBe(1500);
  });

  it("[claude-agent-tool] the subagent tool is known under its old and its new name", () => {
    for (const name of ["Agent", "Task"]) {
      const tool = only(claudeCode, name, { subagent_type: "helper", prompt: "Do it" });
      expect(tool).toMatchObject({ name: "subagent", input: { agent: "helper", task: "Do it" } });
    }
  });

  it("a field that only looks like the path does not hide the real one", () => {
    const tool = only(claudeCode, "Write", { path: "harmless.txt", file_path: ".env" });
    expect(tool.input.path).toBe(".env");
  });

  it.each(TABLES)("%s: every tool has a normal name", (_, { tools }) => {
    const odd = Object.values(tools).filter(({ name }) => !NORMAL.includes(name));
    expect(odd).toEqual([]);
  });
});

describe("a changed input", () => {
  it("changes only the field that was changed", () => {
    const native = { file_path: "a.txt", content: "x", unknown: { kept: true } };
    const tool = only(claudeCode, "Write", native);
    expect(toNative(claudeCode, tool, { ...tool.input, path: "b.txt" })).toEqual({
      file_path: "b.txt",
      content: "x",
      unknown: { kept: true },
    });
  });

  it("can have new fields and lose old ones", () => {
    const tool = only(claudeCode, "Bash", { command: "ls", run_in_background: true });
    expect(toNative(claudeCode, tool, { command: "ls", more: 1 })).toEqual({
      command: "ls",
      more: 1,
    });
  });

  it("says several replacements only where the agent can", () => {
    const edits = [
      { oldText: "a", newText: "b" },
      { oldText: "c", newText: "d" },
    ];
    const single = only(gemini, "replace", { file_path: "x", old_string: "a", new_string: "b" });
    expect(toNative(gemini, single, { ...single.input, edits })).toBeUndefined();
    expect(toNative(gemini, single, { ...single.input, edits: "none" })).toBeUndefined();
    const list = only(claudeCode, "MultiEdit", {
      file_path: "x",
      edits: [{ old_string: "a", new_string: "b", replace_all: true }],
    });
    const kept = [...(list.input.edits as Json[]), edits[1]];
    expect(toNative(claudeCode, list, { ...list.input, edits: kept })?.edits).toEqual([
      { old_string: "a", new_string: "b", replace_all: true },
      { old_string: "c", new_string: "d" },
    ]);
  });

  it("[gemini-shallow-merge] [droid-shallow-merge] cannot lose a field where the agent merges", () => {
    for (const [table, name] of [
      [gemini, "run_shell_command"],
      [droid, "Execute"],
    ] as const) {
      const tool = only(table, name, { command: "ls", description: "list" });
      expect(toNative(table, tool, { command: "ls" })).toBeUndefined();
      expect(toNative(table, tool, { ...tool.input, command: "pwd" })).toEqual({
        command: "pwd",
        description: "list",
      });
    }
  });

  it("does not touch the prototype of anything", () => {
    const native = JSON.parse('{"command":"ls","__proto__":{"polluted":1}}') as Json;
    const tool = only(claudeCode, "Bash", native);
    const changed = { ...tool.input, command: "pwd" };
    Object.defineProperty(changed, "__proto__", { value: { polluted: 2 }, enumerable: true });
    const result = toNative(claudeCode, tool, changed) ?? {};
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

it("an input that is a text is read as JSON, or kept", () => {
  expect(inputOf('{"a":1}')).toEqual({ a: 1 });
  expect(inputOf("plain")).toEqual({ input: "plain" });
  expect(inputOf(undefined)).toEqual({});
  expect(inputOf(null)).toEqual({});
  expect(inputOf([1])).toEqual({ input: [1] });
});

/** Values as the tools take them, and values as nobody expects them. */
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.jsonValue({ maxDepth: 2 }));
const word = fc.string({ minLength: 1, maxLength: 8 });

function fieldNames({ fields = {}, edits }: ToolSpec): string[] {
  const renamed = Object.values(fields).map((at) => (typeof at === "string" ? at : at.field));
  return [...renamed, ...(edits ? [edits.old, edits.new] : []), "content", "command", "path"];
}

/** A native input that a tool might really get: its own fields and some others. */
function nativeInput(spec: ToolSpec): fc.Arbitrary<Json> {
  const own = fc.dictionary(fc.constantFrom(...fieldNames(spec)), value);
  return fc.tuple(own, fc.dictionary(word, value)).map(([a, b]) => plain({ ...b, ...a }));
}

/** Only what JSON can say. */
function plain(input: Json): Json {
  return JSON.parse(JSON.stringify(input)) as Json;
}

/** Of each tool of each agent. */
const RUNS = runs(30);

const SPECS = TABLES.flatMap(([agent, table]) =>
  Object.entries(table.tools)
    .filter(([, spec]) => spec.patch === undefined)
    .map(([name, spec]) => ({ agent, table, name, spec })),
);

describe.each(SPECS)("$agent $name", ({ table, name, spec }) => {
  it("comes back as it was if nothing was changed", () => {
    fc.assert(
      fc.property(nativeInput(spec), (native) => {
        const tool = only(table, name, native);
        expect(toNative(table, tool, structuredClone(tool.input))).toEqual(native);
      }),
      RUNS,
    );
  });

  it("a change is read back as it was made", () => {
    const texts = fc.record({ path: word, command: word, content: word, extra: word });
    fc.assert(
      fc.property(nativeInput(spec), texts, (native, changes) => {
        const tool = only(table, name, native);
        const changed = { ...tool.input, ...changes };
        const after = toNative(table, tool, changed);
        expect(after && only(table, name, after).input).toEqual(changed);
      }),
      RUNS,
    );
  });
});

it("a tool of Seam's own MCP server has the name that its extension gave it, on every agent that says so", () => {
  const named = TABLES.flatMap(([, table]) => {
    const { seamPrefix } = table;
    return seamPrefix === undefined ? [] : readTool(table, `${seamPrefix}greet`, { name: "x" });
  });
  expect(named).toHaveLength(6);
  for (const tool of named) {
    expect(tool).toMatchObject({ name: "greet", input: { name: "x" }, isSeams: true });
  }
  expect(readTool(claudeCode, "mcp__other__greet", {})[0]).not.toHaveProperty("isSeams");
});
