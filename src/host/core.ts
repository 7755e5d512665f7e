import type { Model, ThinkingLevel } from "../events/index.ts";
import type { ExtensionSet, ExtensionUIContext, Mode } from "../extensions/index.ts";
import type { Protect, Protection } from "../protection/index.ts";
import type { HostActions } from "./bind-host.ts";
import type { Changes } from "./changes.ts";
import type { CompactionSettings } from "./compaction/index.ts";
import type { Emitter } from "./emitter.ts";
import type { Resources } from "./load-resources.ts";
import type { RetryPolicy } from "./loop/run-context.ts";
import type { Models } from "./models/index.ts";
import type { MessageQueue } from "./queue.ts";
import type { SessionTree } from "./session/index.ts";
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

/** The state of one agent: what its parts share. */
export interface Core {
  readonly cwd: string;
  readonly mode: Mode;
  readonly hasUI: boolean;
  readonly ui: ExtensionUIContext;
  readonly models: Models;
  readonly queue: MessageQueue;
  readonly emitter: Emitter;
  readonly tools: ToolTable;
  readonly protection: Protection;
  readonly behaviour: AgentBehaviour;
  readonly customPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  /** Loads the extensions anew: at the start, on reload, for another session. */
  readonly loadExtensions: () => Promise<ExtensionSet>;
  /** What extensions can make the agent do. */
  readonly actions: HostActions;
  /** Chooses a model if none is chosen yet. `late`: say so, and fail if there is none. */
  readonly chooseModel: (late: boolean) => void;
  /** Called when a session has begun and its resources are there, and when it moved in its tree. */
  readonly branchChanged: () => void;
  /** Of the session. Nothing begins while one is under way. */
  readonly changes: Changes;
  /** The watch over code of extensions that never yields. */
  readonly watch: Watch;
  readonly log: (level: "debug" | "info" | "warn" | "error", text: string) => void;
  set: ExtensionSet;
  session: SessionTree;
  resources: Resources;
  model: Model | undefined;
  thinkingLevel: ThinkingLevel;
  systemPrompt: string;
  /** Of the turn that is going on, or of the last one. */
  turnId: string | undefined;
  running: Running | undefined;
  /** Between agent_start and agent_end: what is said now waits for the next step. */
  streaming: boolean;
  compacting: AbortController | undefined;
  /** A login that waits for its user. */
  login?: AbortController | undefined;
  shutdownRequested: boolean;
  /** What a session that is taken up again brings with it. */
  restores: { readonly model: boolean; readonly thinkingLevel: boolean };
}
