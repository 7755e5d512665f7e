import type { Static, TSchema } from "typebox";
import type { ExtensionSet, ToolInfo } from "../../extensions/index.ts";
import type { BuiltinTool } from "../../tools/index.ts";
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
  #active: ReadonlySet<string> | undefined;
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
    this.#active = new Set(names);
    this.#cached = undefined;
  }

  /** All tools are active again. */
  reset(): void {
    this.#active = undefined;
    this.#cached = undefined;
  }

  active(): ReadonlyMap<string, ActiveTool> {
    this.#cached ??= this.#collect();
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
        execute: (id, params, signal, onUpdate) =>
          tool.execute(id, params, signal, onUpdate, set.context(extension, signal)),
      });
    }
    for (const tool of this.#own) {
      if (all.has(tool.name)) continue;
      all.set(tool.name, {
        ...described(tool),
        execute: (id, params, signal, onUpdate) => tool.execute(id, params, signal, onUpdate),
      });
    }
    if (!this.#active) return all;
    return new Map([...all].filter(([name]) => this.#active?.has(name)));
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
