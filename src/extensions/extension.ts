import type { Owner } from "../dispatch/index.ts";
import type { CommandOptions, FlagOptions, ShortcutOptions } from "./api/extension-api.ts";
import type { McpServerConfig } from "./api/mcp-server.ts";
import type { ProviderConfig } from "./api/models.ts";
import type {
  EntryRenderer,
  MarkdownTransformer,
  MessageRenderer,
  ToolRendererResolver,
} from "./api/renderers.ts";
import type { SourceInfo, ToolDefinition } from "./api/tool-definition.ts";
import type { VirtualModel } from "./api/virtual-model.ts";
import type { Source } from "./find/source.ts";

/** One loaded extension and everything it registered. */
export interface Extension {
  readonly name: string;
  readonly path: string;
  readonly source: Source;
  readonly critical: boolean;
  readonly owner: Owner;
  readonly events: Set<string>;
  readonly tools: Map<string, ToolDefinition>;
  readonly commands: Map<string, CommandOptions>;
  readonly flags: Map<string, FlagOptions>;
  readonly shortcuts: Map<string, ShortcutOptions>;
  readonly renderers: Map<string, MessageRenderer>;
  readonly entryRenderers: Map<string, EntryRenderer>;
  readonly toolRenderers: ToolRendererResolver[];
  readonly providers: Map<string, ProviderConfig>;
  /** By `provider/id`. */
  readonly virtualModels: Map<string, VirtualModel>;
  readonly mcpServers: Map<string, McpServerConfig>;
  markdownTransformer: MarkdownTransformer | undefined;
  /** What it calls itself in lists, as in oh-my-pi. */
  label: string | undefined;
  /** How long loading took, in milliseconds. */
  loadMs: number;
}

export function newExtension(source: Source, critical: boolean, owner: Owner): Extension {
  const { name, path } = source;
  return {
    name,
    path,
    source,
    critical,
    owner,
    events: new Set(),
    tools: new Map(),
    commands: new Map(),
    flags: new Map(),
    shortcuts: new Map(),
    renderers: new Map(),
    entryRenderers: new Map(),
    toolRenderers: [],
    providers: new Map(),
    virtualModels: new Map(),
    mcpServers: new Map(),
    markdownTransformer: undefined,
    label: undefined,
    loadMs: 0,
  };
}

const PI_SCOPES = { cli: "temporary", project: "project", user: "user", package: "user" } as const;

/** Where an extension came from, in Pi's words. */
export function sourceInfoOf({ source, path }: Extension): SourceInfo {
  return {
    path,
    source: source.scope === "package" ? source.name : "local",
    scope: PI_SCOPES[source.scope],
    origin: source.scope === "package" ? "package" : "top-level",
    baseDir: source.baseDir,
  };
}
