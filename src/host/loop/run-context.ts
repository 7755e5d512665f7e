import type { Asker } from "../../dispatch/index.ts";
import type {
  AgentMessage,
  AssistantMessage,
  BoundaryContext,
  EntryDraft,
  Message,
  Model,
  ThinkingLevel,
} from "../../events/index.ts";
import type { ModelRegistry } from "../../extensions/index.ts";
import type { Call } from "../../protection/index.ts";
import type { Emitter } from "../emitter.ts";
import type { MessageQueue } from "../queue.ts";
import type { ActiveTool } from "../tools/active-tool.ts";
import type { Round } from "./round.ts";

/** Watches the model's output for patterns. */
export interface OutputWatcher {
  /** True as soon as the answer must be interrupted. `block` is the content block's index. */
  push(delta: string, block: number): boolean;
  /** What to tell the model before it tries again; undefined if nothing was recognised. */
  verdict(): AgentMessage | undefined;
}

export interface RetryPolicy {
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** Models that go on with the turn, one after the other, when asking again was in vain. */
  readonly fallbackModels?: readonly string[];
}

/** The model that is to answer a request, and how hard it is to think. */
export interface Answering {
  readonly model: Model;
  readonly thinkingLevel: ThinkingLevel;
}

/** A request for which a model is looked for. `failed`: the answer that is asked for again. */
export interface Asking {
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
  readonly failed?: AssistantMessage | undefined;
}

/** Everything one run needs of the agent. What can change while it runs is asked for each time. */
export interface RunContext {
  readonly emitter: Emitter;
  /** Puts a question of an extension to the user, if there is one. */
  readonly asker: Asker;
  /** What Seam itself has against a call, unless the user agreed to it. */
  against(call: Call): Promise<string | undefined>;
  readonly models: ModelRegistry;
  readonly queue: MessageQueue;
  readonly retry: RetryPolicy;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly round: Round;
  /** For this run only: a handler of before_agent_start may have changed it. */
  readonly systemPrompt: string;
  /** The model that is selected. */
  model(): Model;
  /** The one that answers: another one where the selected one is virtual or failed too often. */
  answering(asking: Asking): Promise<Answering>;
  /** Another model goes on with the turn, if there is one; the names of both. */
  fallBack(): { from: string; to: string } | undefined;
  tools(): ReadonlyMap<string, ActiveTool>;
  /** The conversation as it stands. */
  messages(): AgentMessage[];
  /** Writes a message to the session; it is on disk when this returns its entry id. */
  append(message: AgentMessage): string;
  /** What the model would be asked with now. */
  boundaryContext(): BoundaryContext;
  /** Adds to the session what extensions want in it. */
  appendDrafts(drafts: readonly EntryDraft[]): void;
  newWatcher(): OutputWatcher | undefined;
  /**
   * Before a round, and after an answer that did not fit. True: try again. `tries`: how often that
   * was done already for the same answer.
   */
  makeRoom(reason: "threshold" | "overflow" | "incomplete", tries?: number): Promise<boolean>;
}
