import type { Static, TSchema } from "typebox";
import { runAs } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { ExtensionSet, ToolInfo } from "../../extensions/index.ts";
import type { BuiltinTool, ToolResult } from "../../tools/index.ts";
import type { ActiveTool } from "./active-tool.ts";

/** Extra tools the host brings, with the same shape as the built-in ones. */
export type HostTool = Pick<BuiltinTool, "name" | "description" | "parameters" | "execute"> &
  Partial<
    Pick<BuiltinTool, "promptSnippet" | "promptGuidelines" | "prepareArguments" | "executionMode">
  >;

/** All tools of a session: the host's own, and those of extensions, which come first. */
export class ToolTable {
  readonly #own: readonly HostTool[];
  readonly #set: () => ExtensionSet;
  /** Named, so that a tool that comes later is not among them. */
  #off: ReadonlySet<string> = new Set();
  #cached: ReadonlyMap<string, ActiveTool> | undefined;

  constructor(own: readonly HostTool[], set: () => ExtensionSet) {
    this.#own = own;
    this.#set = set;
  }

  /** An extension registered a tool, or extensions were loaded anew. */
  changed(): void {
    this.#cached = undefined;
  }

  activate(names: readonly string[]): void {
    this.#off = new Set([...this.#collect().keys()].filter((name) => !names.includes(name)));
    this.#cached = undefined;
  }

  /** All tools are active again. */
  reset(): void {
    this.#off = new Set();
    this.#cached = undefined;
  }

  active(): ReadonlyMap<string, ActiveTool> {
    this.#cached ??= new Map([...this.#collect()].filter(([name]) => !this.#off.has(name)));
    return this.#cached;
  }

  /** The host's own tools, as `getAllTools()` lists them. */
  builtin(): ToolInfo[] {
    return this.#own.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
      sourceInfo: { path: "<builtin>", source: "builtin", scope: "temporary", origin: "top-level" },
    }));
  }

  #collect(): ReadonlyMap<string, ActiveTool> {
    const all = new Map<string, ActiveTool>();
    const set = this.#set();
    for (const { tool, extension } of set.tools()) {
      all.set(tool.name, {
        ...described(tool),
        execute: async (id, params, signal, onUpdate) => {
          const context = set.context(extension, signal);
          const run = () => tool.execute(id, params, signal, onUpdate, context);
          return storable(await runAs(extension, `tool ${tool.name}`, run));
        },
      });
    }
    for (const tool of this.#own) {
      if (all.has(tool.name)) continue;
      all.set(tool.name, {
        ...described(tool),
        execute: (id, params, signal, onUpdate) => tool.execute(id, params, signal, onUpdate),
      });
    }
    return all;
  }
}

function described(
  tool: Omit<HostTool, "execute" | "prepareArguments"> & {
    prepareArguments?: ((args: unknown) => Static<TSchema>) | undefined;
  },
): Omit<ActiveTool, "execute"> {
  const { name, description, parameters, promptSnippet, promptGuidelines } = tool;
  return {
    name,
    description,
    parameters,
    promptSnippet,
    promptGuidelines,
    executionMode: tool.executionMode ?? "parallel",
    prepare: (args) => (tool.prepareArguments?.(args) ?? args) as Record<string, unknown>,
  };
}

/**
 * Details as they will be in the session file: a copy, because extensions go on changing their own
 * objects. Ones that cannot be written down would keep the whole result out of the session.
 */
function storable(result: ToolResult): ToolResult {
  if (result?.details === undefined) return result;
  try {
    return { ...result, details: JSON.parse(JSON.stringify(result.details) ?? "null") };
  } catch (thrown) {
    return { ...result, details: { lost: messageOf(thrown) } };
  }
}
