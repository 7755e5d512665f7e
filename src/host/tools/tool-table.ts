import type { Static, TSchema } from "typebox";
import { runAs } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { ExtensionSet, ToolDefinition, ToolInfo } from "../../extensions/index.ts";
import type { BuiltinTool, ToolResult } from "../../tools/index.ts";
import type { ActiveTool } from "./active-tool.ts";
import { type Loadout, prepareLoadout } from "./loadout.ts";

/** Extra tools the host brings, with the same shape as the built-in ones. */
export type HostTool = Pick<BuiltinTool, "name" | "description" | "parameters" | "execute"> &
  Partial<
    Pick<BuiltinTool, "promptSnippet" | "promptGuidelines" | "prepareArguments" | "executionMode">
  > &
  Partial<Pick<ToolDefinition, "exposure" | "namespace" | "annotations">>;

/** How tools of extensions are reached: all that the table needs of a tool that is not its own. */
type Described = Omit<HostTool, "execute" | "prepareArguments"> &
  Partial<Pick<ToolDefinition, "label" | "constrainedSampling" | "defaultActive">> & {
    prepareArguments?: ((args: unknown) => Static<TSchema>) | undefined;
  };

/** Which tools whoever runs the agent wants to be there: of the host's own, and of extensions. */
export interface ToolChoice {
  /** These alone. */
  readonly tools?: readonly string[];
  /** None but those of `tools`; "builtin": none of the host's own. */
  readonly noTools?: "all" | "builtin";
  readonly excludeTools?: readonly string[];
}

interface TableOptions extends ToolChoice {
  /** Is called when a tool could not describe the others. */
  readonly failed?: (path: string, thrown: unknown) => void;
}

/** All tools of a session: the host's own, and those of extensions, which come first. */
export class ToolTable {
  readonly #own: readonly HostTool[];
  readonly #set: () => ExtensionSet;
  readonly #choice: TableOptions;
  /** Of MCP servers, by the name of the server. */
  readonly #served = new Map<string, readonly HostTool[]>();
  /** The tools are named one by one, so that a tool that comes later is not among them. */
  #off: ReadonlySet<string> = new Set();
  /** Those that are active only because somebody named them. */
  #on: ReadonlySet<string> = new Set();
  #cached: ReadonlyMap<string, ActiveTool> | undefined;

  constructor(own: readonly HostTool[], set: () => ExtensionSet, choice: TableOptions = {}) {
    this.#choice = choice;
    this.#own = own.filter(({ name }) => this.#offers(name, true));
    this.#set = set;
  }

  /** An extension registered a tool, or extensions were loaded anew. */
  changed(): void {
    this.#cached = undefined;
  }

  /** The tools of an MCP server as they are now; none: it is gone. */
  serve(server: string, tools: readonly HostTool[]): void {
    if (tools.length > 0) this.#served.set(server, tools);
    else this.#served.delete(server);
    this.#cached = undefined;
  }

  activate(names: readonly string[]): void {
    this.#off = new Set([...this.#collect().keys()].filter((name) => !names.includes(name)));
    this.#on = new Set(names);
    this.#cached = undefined;
  }

  /** All tools are as they were registered. */
  reset(): void {
    this.#off = new Set();
    this.#on = new Set();
    this.#cached = undefined;
  }

  active(): ReadonlyMap<string, ActiveTool> {
    if (this.#cached) return this.#cached;
    const all = this.#collect();
    const active = new Map([...all].filter(([name, tool]) => this.#isActive(name, tool)));
    this.#cached = this.#prepared(active, all);
    return this.#cached;
  }

  /** Those that a running tool can call. */
  callable(): ReadonlyMap<string, ActiveTool> {
    const isCallable = (name: string, { exposure }: ActiveTool) =>
      exposure === "codemode" ||
      exposure === "deferred" ||
      (exposure === "direct" && this.active().has(name));
    return new Map([...this.#collect()].filter(([name, tool]) => isCallable(name, tool)));
  }

  /** The tools that no extension brought, as `getAllTools()` lists them. */
  builtin(): ToolInfo[] {
    return this.#others().map((tool) => {
      const { name, description, parameters, promptGuidelines, namespace, annotations } = tool;
      return {
        name,
        description,
        parameters,
        ...(promptGuidelines && { promptGuidelines: [...promptGuidelines] }),
        exposure: tool.exposure ?? "direct",
        ...(namespace && { namespace }),
        ...(annotations && { annotations }),
        sourceInfo: {
          path: namespace ? `<${namespace.name}>` : "<builtin>",
          source: namespace ? "mcp" : "builtin",
          scope: "temporary",
          origin: "top-level",
        },
      };
    });
  }

  #others(): HostTool[] {
    const served = [...this.#served.values()].flat();
    return [...this.#own, ...served.filter(({ name }) => this.#offers(name, false))];
  }

  #isActive(name: string, { exposure, isOnDemand }: Collected): boolean {
    if (exposure === "hidden" || this.#off.has(name)) return false;
    return !isOnDemand || this.#on.has(name) || this.#choice.tools?.includes(name) === true;
  }

  /** What tools that describe others make of the list. */
  #prepared(
    active: ReadonlyMap<string, ActiveTool>,
    all: ReadonlyMap<string, ActiveTool>,
  ): ReadonlyMap<string, ActiveTool> {
    const preparing = this.#set()
      .tools()
      .filter(({ tool }) => tool.prepareLoadout && active.has(tool.name));
    if (preparing.length === 0) return active;
    // Without this, a tool that asks for the active ones while it prepares would not come to an end.
    this.#cached = active;
    const loadout: Loadout = { active, callable: this.callable(), all };
    return prepareLoadout(
      loadout,
      preparing.map(({ tool, extension }) => ({
        prepare: (given) => tool.prepareLoadout?.(given),
        failed: (thrown) => this.#choice.failed?.(extension.path, thrown),
      })),
    );
  }

  #collect(): ReadonlyMap<string, Collected> {
    const all = new Map<string, Collected>();
    const set = this.#set();
    for (const { tool, extension } of set.tools()) {
      if (!this.#offers(tool.name, false)) continue;
      all.set(tool.name, {
        ...described(tool),
        execute: async (id, params, signal, onUpdate) => {
          const context = set.toolContext(extension, id, signal);
          const run = () => tool.execute(id, params, signal, onUpdate, context);
          return storable(await runAs(extension, `tool ${tool.name}`, run));
        },
      });
    }
    for (const tool of this.#others()) {
      if (all.has(tool.name)) continue;
      all.set(tool.name, {
        ...described(tool),
        execute: (id, params, signal, onUpdate) => tool.execute(id, params, signal, onUpdate),
      });
    }
    return all;
  }

  #offers(name: string, isOwn: boolean): boolean {
    const { tools, noTools, excludeTools = [] } = this.#choice;
    if (excludeTools.includes(name)) return false;
    if (tools) return tools.includes(name);
    return noTools === undefined || (noTools === "builtin" && !isOwn);
  }
}

/** `isOnDemand`: active only if somebody names it. */
type Collected = ActiveTool & { readonly isOnDemand: boolean };

const ON_DEMAND: readonly string[] = ["codemode", "deferred"];

function described(tool: Described): Omit<Collected, "execute"> {
  const { name, description, parameters, promptSnippet, promptGuidelines } = tool;
  const { exposure = "direct", defaultActive = true } = tool;
  return {
    name,
    label: tool.label ?? name,
    description,
    parameters,
    promptSnippet,
    promptGuidelines,
    exposure,
    namespace: tool.namespace,
    constrainedSampling: tool.constrainedSampling,
    isOnDemand: ON_DEMAND.includes(exposure) || !defaultActive,
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
