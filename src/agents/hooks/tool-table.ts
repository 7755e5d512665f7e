import { isDeepStrictEqual } from "node:util";
import { shellCommandIn } from "../../tools/index.ts";
import { isRecord } from "../../values/index.ts";
import { EDIT_SHAPES, type EditShape } from "./edits.ts";
import { type Json, parsedRecord } from "./fields.ts";
import { filesOfPatch, patchWith } from "./patch.ts";
import type { ToolReading } from "./reading.ts";

/** A field of the agent's under another name, maybe in another unit. */
type NativeField = string | { readonly field: string; readonly times: number };

/** One tool of an agent, in the words every extension knows. */
export interface ToolSpec {
  /** bash, read, write, edit, grep, find, ls, subagent, skill. */
  readonly name: string;
  /** Normalised field → the agent's field. Fields that are not here keep their names. */
  readonly fields?: Readonly<Record<string, NativeField>>;
  /** The agent's field that has a command go on while its agent is answered at once. */
  readonly background?: string;
  /** How it writes down what is replaced by what. */
  readonly edits?: EditShape;
  /** The field that holds a patch of several files; name and fields come from the patch. */
  readonly patch?: string;
}

export interface ToolTable {
  /** By native name. */
  readonly tools: Readonly<Record<string, ToolSpec>>;
  /** The agent lays a changed input over the original one: nothing can be taken out of it. */
  readonly merges?: boolean;
  /** What the agent puts before the name of a tool that comes from Seam's MCP server. */
  readonly seamPrefix?: string;
}

/** A tool call without its id. */
export type NamedTool = Pick<
  ToolReading,
  "name" | "nativeName" | "input" | "nativeInput" | "isSeams"
>;

/** A native call in normal words: one, or one for each file of a patch. */
export function readTool(table: ToolTable, nativeName: string, nativeInput: Json): NamedTool[] {
  const { seamPrefix } = table;
  if (seamPrefix !== undefined && nativeName.startsWith(seamPrefix)) {
    const name = nativeName.slice(seamPrefix.length);
    return [{ name, nativeName, nativeInput, input: { ...nativeInput }, isSeams: true }];
  }
  const spec = specOf(table, nativeName);
  const patch = spec?.patch === undefined ? undefined : nativeInput[spec.patch];
  if (typeof patch === "string") {
    const files = filesOfPatch(patch);
    if (files.length > 0) return files.map((file) => ({ ...file, nativeName, nativeInput }));
  }
  const name = spec?.name ?? nativeName;
  const input = normal(spec, nativeInput);
  // Extensions are promised text; some agents give a program and its arguments as a list.
  const command =
    name === "bash" && Array.isArray(input.command) && shellCommandIn({ command: input.command });
  return [{ name, nativeName, nativeInput, input: command ? { ...input, command } : input }];
}

/** Whether a native call goes on after its result has come. */
export function runsOn(table: ToolTable, nativeName: string, nativeInput: Json): boolean {
  const field = specOf(table, nativeName)?.background;
  return field !== undefined && nativeInput[field] === true;
}

function specOf({ tools }: ToolTable, nativeName: string): ToolSpec | undefined {
  return Object.hasOwn(tools, nativeName) ? tools[nativeName] : undefined;
}

function normal(spec: ToolSpec | undefined, native: Json): Json {
  if (!spec) return { ...native };
  const input: Json = {};
  const taken = new Set<string>();
  for (const [name, { field, times }] of fieldsOf(spec)) {
    if (!Object.hasOwn(native, field)) continue;
    const value = native[field];
    input[name] = times !== 1 && typeof value === "number" ? value / times : value;
    taken.add(field);
  }
  const edits = spec.edits && EDIT_SHAPES[spec.edits.kind].get(spec.edits, native);
  if (edits) {
    input.edits = edits.edits;
    for (const field of edits.taken) taken.add(field);
  }
  for (const [field, value] of Object.entries(native)) {
    // A field that only looks like the normalised one must not hide the one the agent will use.
    if (!taken.has(field) && !Object.hasOwn(input, field)) define(input, field, value);
  }
  return input;
}

function fieldsOf({ fields = {} }: ToolSpec): [string, { field: string; times: number }][] {
  return Object.entries(fields).map(([name, native]) => [
    name,
    typeof native === "string" ? { field: native, times: 1 } : native,
  ]);
}

/**
 * A changed input in the agent's own words. Only what differs from `tool.input` is moved; all else
 * stays as the agent sent it. Undefined: the agent has no words for it.
 */
export function toNative(table: ToolTable, tool: NamedTool, changed: Json): Json | undefined {
  const spec = specOf(table, tool.nativeName);
  const names = new Set([...Object.keys(tool.input), ...Object.keys(changed)]);
  const differing = [...names].filter(
    (name) => !isDeepStrictEqual(own(tool.input, name), own(changed, name)),
  );
  if (differing.length === 0) return tool.nativeInput;
  const patch = spec?.patch === undefined ? undefined : tool.nativeInput[spec.patch];
  if (spec?.patch !== undefined && typeof patch === "string") {
    const text = patchWith(patch, changed);
    return text === undefined ? undefined : { ...tool.nativeInput, [spec.patch]: text };
  }
  const fields = new Map(spec ? fieldsOf(spec) : []);
  const native = { ...tool.nativeInput };
  for (const name of differing) {
    const value = own(changed, name);
    const isGone = value === undefined;
    if (isGone && table.merges) return undefined;
    if (name === "edits" && spec?.edits) {
      const put = EDIT_SHAPES[spec.edits.kind].put(spec.edits, changed.edits);
      if (!put) return undefined;
      Object.assign(native, put);
      continue;
    }
    const { field, times } = fields.get(name) ?? { field: name, times: 1 };
    if (isGone) delete native[field];
    else define(native, field, inUnit(value, times));
  }
  return native;
}

function own(input: Json, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

function inUnit(value: unknown, times: number): unknown {
  return times !== 1 && typeof value === "number" ? Math.round(value * times) : value;
}

/** Assigning to `__proto__` would change the prototype instead of adding a field. */
function define(target: Json, field: string, value: unknown): void {
  Object.defineProperty(target, field, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** Anything an agent may call an input, as an object. Some write the object as text. */
export function inputOf(value: unknown): Json {
  if (isRecord(value)) return value;
  if (value === undefined || value === null) return {};
  return (typeof value === "string" && parsedRecord(value)) || { input: value };
}

/** Tools, by their normalised names, that leave every file as it is. */
const READS_ONLY: ReadonlySet<string> = new Set(["read", "grep", "find", "ls", "skill", "todo"]);

/** Whether a call may change files. A command may do anything, and so may a tool nobody knows. */
export function canWrite({ name }: { readonly name: string }): boolean {
  return !READS_ONLY.has(name);
}
