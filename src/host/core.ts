import type { Model, ThinkingLevel } from "../events/index.ts";
import type {
  ExtensionSet,
  ExtensionUIContext,
  Host,
  HostSessions,
  Mode,
  Source,
} from "../extensions/index.ts";
import type { Protect, Protection } from "../protection/index.ts";
import type { CompactionSettings } from "./compaction/index.ts";
import type { Emitter } from "./emitter.ts";
import type { Resources } from "./load-resources.ts";
import type { RetryPolicy } from "./loop/run-context.ts";
import type { McpServers } from "./mcp/mcp-servers.ts";
import type { Models } from "./models/index.ts";
import type { MessageQueue } from "./queue.ts";
import type { SessionTree } from "./session/index.ts";
import type { SessionChanges } from "./session-changes.ts";
import type { SideState } from "./side-state.ts";
import type { ToolTable } from "./tools/tool-table.ts";
import type { Watch } from "./watchdog/index.ts";

/** How an agent behaves; everything has a default. */
export interface AgentBehaviour {
  readonly compaction: CompactionSettings & {
    /** Compact when nothing happened for this long; 0: never. */
    readonly idleMs: number;
  };
  readonly retry: RetryPolicy;
  /** How often open todos are brought up when the agent stops too early. */
  readonly maxTodoReminders: number;
  /** What becomes of calls that would change what Seam relies on. */
  readonly protectSeam: Protect;
}

/** Work that is going on. */
export interface Running {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export type Log = (level: "debug" | "info" | "warn" | "error", text: string) => void;

/** What belongs to the session the agent is in: another session brings its own. */
export interface CurrentSession {
  /** The extensions that were loaded for it. */
  set: ExtensionSet;
  /** The conversation, with all its branches. */
  tree: SessionTree;
  resources: Resources;
  model: Model | undefined;
  /** Extensions of the project that an extension of the user's let run; undefined: nobody was asked. */
  trusted: readonly Source[] | undefined;
  thinkingLevel: ThinkingLevel;
  /** What a session that is taken up again brings with it. */
  restores: { readonly model: boolean; readonly thinkingLevel: boolean };
}

/** What belongs to the work that is going on, and is of no use when it has ended. */
export interface CurrentRun {
  /** Of the turn that is going on, or of the last one. */
  turnId: string | undefined;
  /** The system prompt of that turn. */
  systemPrompt: string;
  running: Running | undefined;
  /** Between agent_start and agent_end: what is said now waits for the next step. */
  streaming: boolean;
  compacting: AbortController | undefined;
  /** A login that waits for its user. */
  login: AbortController | undefined;
  /** The model that goes on with this turn, because others failed too often. */
  standIn: Model | undefined;
  /** Those of the models that may stand in that were tried in this turn. */
  readonly failedModels: Set<string>;
  /** Calls a tool for one that runs; there while tools can run. */
  callTool: Host["executeTool"] | undefined;
  /** Why the last turn broke off, if it did. */
  lastError: unknown;
}

/** One agent: what is fixed for it, and the places of what changes with its session and its work. */
export interface Core {
  readonly cwd: string;
  readonly mode: Mode;
  readonly hasUI: boolean;
  readonly ui: ExtensionUIContext;
  readonly otherSessions: HostSessions;
  readonly models: Models;
  /** What whoever runs the agent asked for. */
  readonly wantedModel: string | Model | undefined;
  readonly queue: MessageQueue;
  readonly emitter: Emitter;
  readonly tools: ToolTable;
  readonly protection: Protection;
  readonly behaviour: AgentBehaviour;
  readonly customPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  readonly adjustResources: (found: Resources) => Resources;
  /** Loads the extensions anew: at the start, on reload, for another session. */
  readonly loadExtensions: (more: readonly Source[]) => Promise<ExtensionSet>;
  /** Whether extensions are asked about those of the project that nobody agreed to. */
  readonly asksForTrust: boolean;
  /** Of the session. Nothing begins while one is under way. */
  readonly changes: SessionChanges;
  /** The watch over code of extensions that never yields. */
  readonly watch: Watch;
  readonly log: Log;
  readonly session: CurrentSession;
  readonly run: CurrentRun;
  readonly side: SideState;
  /** The MCP servers that extensions registered. */
  readonly mcp: McpServers;
}
