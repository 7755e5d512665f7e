import type { AssistantMessage, Message, Model, ThinkingLevel } from "../../events/index.ts";
import type { ExtensionContext } from "./context.ts";

/** A model with how hard it is to think. */
export interface ChosenModel {
  model: Model;
  thinkingLevel?: ThinkingLevel;
}

/** What a router is asked: which model is to answer this request? */
export interface ModelRouteRequest<State = unknown> {
  /** The virtual model that is selected. */
  model: Model;
  thinkingLevel: ThinkingLevel;
  /**
   * `user`: the first request after the user spoke. `continuation`: any other in the turn. `retry`:
   * after one that failed. `direct`: outside of the conversation, such as a summary.
   */
  reason: "user" | "continuation" | "retry" | "direct";
  /** The model that answered last. */
  previous?: ChosenModel;
  /** Of a `retry`: what failed. */
  failed?: ChosenModel & { message: AssistantMessage };
  /** What the router returned last on this branch of the session. */
  state?: State;
  messages: readonly Message[];
  signal?: AbortSignal;
}

/** The model that answers one request. */
export interface ModelRoute<State = unknown> {
  model: Model;
  thinkingLevel: ThinkingLevel;
  /** The session keeps it for the next request. If it is left out, what was kept stays. */
  state?: State;
}

/**
 * A model one can select that hands each request to a real one.
 *
 * @example
 * pi.registerVirtualModel({
 *   provider: "mine",
 *   id: "auto",
 *   name: "Auto",
 *   route: ({ messages, thinkingLevel }, ctx) => {
 *     const id = messages.length > 50 ? "claude-opus-4-8" : "claude-haiku-4-5";
 *     const model = ctx.modelRegistry.find("anthropic", id);
 *     if (!model) throw new Error(`There is no ${id}.`);
 *     return { model, thinkingLevel };
 *   },
 * });
 */
export interface VirtualModel<State = unknown> {
  /** The provider it is listed under. */
  provider: string;
  id: string;
  name: string;
  /** Those that can be selected; only `off` if they are left out. */
  thinkingLevels?: readonly ThinkingLevel[];
  /** The user sees this until a real model has answered. */
  contextWindow?: number;
  maxTokens?: number;
  input?: ("text" | "image")[];
  route(
    request: ModelRouteRequest<State>,
    ctx: ExtensionContext,
  ): ModelRoute<State> | Promise<ModelRoute<State>>;
}

/** The api of models that only name others. */
export const VIRTUAL_API = "pi-virtual";
