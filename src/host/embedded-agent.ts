import type {
  BashExecutionMessage,
  Model,
  SeamEvent,
  ThinkingLevel,
  UserContent,
} from "../events/index.ts";
import {
  type Cancelled,
  type ContextUsage,
  commandsOf,
  type ExtensionCommandContext,
  type ExtensionSet,
  type ModelRegistry,
  type OutgoingMessage,
  type SendMessageOptions,
  type SendUserMessageOptions,
  type SlashCommandInfo,
} from "../extensions/index.ts";
import { contextUsage, type HostActions, otherCommands } from "./bind-host.ts";
import { compact } from "./compact.ts";
import type { Core } from "./core.ts";
import { Deliveries, type Delivery } from "./deliveries.ts";
import type { Moved } from "./move-in-tree.ts";
import { enter, type PromptOptions, type SayOptions } from "./prompt-input.ts";
import type { MessageQueue } from "./queue.ts";
import { END_MS, endSession, startSession } from "./replace-session.ts";
import { SessionFile, type SessionTree } from "./session/index.ts";
import { SessionControl, type SessionPlace } from "./session-control.ts";
import type { GoalChange } from "./side-state.ts";
import { type UserBashOptions, UserCommands } from "./user-bash.ts";

/** The embedded agent: a model, its tools, a session, and extensions that have a say in all of it. */
export class EmbeddedAgent {
  readonly #core: Core;
  readonly #control: SessionControl;
  readonly #commands = new UserCommands();
  readonly #deliveries: Deliveries;
  readonly #unlisten: () => void;
  #shutdownRequested = false;
  #waitsForRetry = false;
  #end: Promise<void> | undefined;

  private constructor(core: Core, place: SessionPlace) {
    this.#core = core;
    this.#deliveries = new Deliveries(core);
    this.#unlisten = core.models.onLoginLost((provider, disabledCause) => {
      core.emitter.emit({ type: "credential_disabled", provider, disabledCause });
    });
    this.#control = new SessionControl(core, place, {
      stopWork: () => this.abort(),
      actions: () => this.#actions(),
    });
  }

  /** An agent that has begun to work in the session it was given. */
  static async started(
    core: Core,
    place: SessionPlace,
    onEvent?: (event: SeamEvent) => void,
  ): Promise<EmbeddedAgent> {
    const agent = new EmbeddedAgent(core, place);
    if (onEvent) agent.subscribe(onEvent);
    core.emitter.note(["auto_retry_start"], () => {
      agent.#waitsForRetry = true;
    });
    core.emitter.note(["message_start", "auto_retry_end"], () => {
      agent.#waitsForRetry = false;
    });
    const reason = core.session.tree.getEntries().length > 0 ? "resume" : "startup";
    await core.changes.make(() => startSession(core, agent.#actions(), reason));
    return agent;
  }

  /** Calls the listener with every event, in order, until the function it returns is called. */
  subscribe(listener: (event: SeamEvent) => void): () => void {
    return this.#core.emitter.subscribe(listener);
  }

  get session(): SessionTree {
    return this.#core.session.tree;
  }
  get extensions(): ExtensionSet {
    return this.#core.session.set;
  }
  get model(): Model | undefined {
    return this.#core.session.model;
  }
  get thinkingLevel(): ThinkingLevel {
    return this.#core.session.thinkingLevel;
  }
  /** The models there are, and which of them can be asked. */
  get models(): ModelRegistry {
    return this.#core.models;
  }
  /** How full the model's context is; undefined where nobody knows. */
  get contextUsage(): ContextUsage | undefined {
    return contextUsage(this.#core);
  }
  /** Where extensions say that themes are. */
  get themePaths(): readonly string[] {
    return this.#core.session.resources.themePaths;
  }
  /** Messages that wait: they can be listed, edited and cancelled by id. */
  get queue(): MessageQueue {
    return this.#core.queue;
  }
  get isIdle(): boolean {
    return this.#core.run.running === undefined;
  }
  get isCompacting(): boolean {
    return this.#core.run.compacting !== undefined;
  }
  /** What can be entered with a slash: commands of extensions, prompts, skills. */
  get commands(): readonly SlashCommandInfo[] {
    return [...commandsOf(this.#core.session.set), ...otherCommands(this.#core)];
  }
  /** An extension asked for the end of the program. */
  get shutdownRequested(): boolean {
    return this.#shutdownRequested;
  }
  /** Why the last turn broke off, if it did: a full disk, a missing model. */
  get lastError(): unknown {
    return this.#core.run.lastError;
  }

  /**
   * Hands the agent something to work on and waits until it is idle again. While it works,
   * `deliverAs` says when the message is brought up; then this returns at once.
   */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    const delivery = await this.#bringUp(text, options.deliverAs ?? "followUp", options);
    if (!delivery) return;
    options.onAccepted?.();
    if (delivery.queuedId === undefined) await delivery.work;
  }

  /**
   * Brings something up before the agent's next step. Returns the id of the waiting message;
   * undefined if it does not wait, because the agent was idle and works on it now.
   */
  async steer(text: string, options: SayOptions = {}): Promise<string | undefined> {
    return (await this.#bringUp(text, "steer", { ...options, refuseCommands: true }))?.queuedId;
  }

  /** The same, when the agent would stop. */
  async followUp(text: string, options: SayOptions = {}): Promise<string | undefined> {
    return (await this.#bringUp(text, "followUp", { ...options, refuseCommands: true }))?.queuedId;
  }

  /** A message of a program's, as an extension would send it. */
  sendMessage(message: OutgoingMessage, options?: SendMessageOptions): Promise<void> {
    return this.#deliveries.sendMessage(message, options);
  }
  sendUserMessage(
    content: string | UserContent[],
    options?: SendUserMessageOptions,
  ): Promise<void> {
    return this.#deliveries.sendUserMessage(content, options);
  }

  /** Whether the conversation is compacted by itself when it gets long. */
  get autoCompacts(): boolean {
    return this.#core.behaviour.compaction.enabled;
  }

  /** From now on it behaves differently. */
  adjust(change: { compaction?: { enabled: boolean }; retry?: { maxRetries: number } }): void {
    const { behaviour } = this.#core;
    Object.assign(behaviour.compaction, change.compaction);
    Object.assign(behaviour.retry, change.retry);
  }

  /** Stops the work. Always returns, whatever tools and extensions do. */
  async abort(): Promise<void> {
    const { running, compacting, login } = this.#core.run;
    if (!running && !compacting && !login && !this.#commands.any) return;
    compacting?.abort();
    login?.abort();
    running?.controller.abort();
    this.#commands.abort();
    await running?.done;
    await this.#commands.ended();
  }

  /** Stops waiting for another try of a model that failed. An agent that works goes on. */
  async abortRetry(): Promise<void> {
    if (this.#waitsForRetry) await this.abort();
  }

  /** Stops the commands of the user, and nothing else. */
  async abortBash(): Promise<void> {
    this.#commands.abort();
    await this.#commands.ended();
  }

  async waitForIdle(): Promise<void> {
    const core = this.#core;
    for (;;) {
      const entering = this.#deliveries.entered();
      if (!core.run.running && !entering && !this.#deliveries.any) return;
      await (core.run.running?.done ?? entering ?? core.changes.settled());
    }
  }

  async compact(customInstructions?: string) {
    const core = this.#core;
    const options = customInstructions === undefined ? {} : { customInstructions };
    return core.changes.begin(() => compact(core, "manual", options));
  }

  /** Runs a command for the user; the model sees it unless it is excluded. */
  bash(command: string, options?: UserBashOptions): Promise<BashExecutionMessage> {
    const core = this.#core;
    return core.changes.begin(() => this.#commands.run(core, command, options));
  }

  async setModel(model: Model, source: "set" | "cycle" = "set"): Promise<boolean> {
    const core = this.#core;
    core.changes.assertOpen();
    if (!core.models.hasConfiguredAuth(model)) return false;
    const previous = core.session.model ? { previousModel: core.session.model } : {};
    core.session.model = model;
    core.session.tree.appendModelChange(model.provider, model.id);
    await core.emitter.tell({ type: "model_select", model, ...previous, source }, 0);
    return true;
  }

  findModel(provider: string, modelId: string): Model | undefined {
    return this.#core.models.find(provider, modelId);
  }

  /** Holds at once; resolves when extensions have been told. */
  async setThinkingLevel(level: ThinkingLevel): Promise<void> {
    this.#core.changes.assertOpen();
    const event = this.#thinkAt(level);
    if (event) await this.#core.emitter.tell(event, 0);
  }

  /** Sets what the session is to achieve; null drops it. */
  async setGoal(objective: string | null, options?: { tokenBudget?: number }): Promise<void> {
    this.#core.changes.assertOpen();
    return this.#core.side.setGoal(objective, options);
  }
  /** Pauses, resumes, completes or drops the goal. */
  async changeGoal(change: GoalChange): Promise<void> {
    this.#core.changes.assertOpen();
    return this.#core.side.changeGoal(change);
  }
  get goal() {
    return this.#core.side.goal;
  }
  get todos() {
    return this.#core.side.todos;
  }

  newSession(options?: Parameters<ExtensionCommandContext["newSession"]>[0]): Promise<Cancelled> {
    return this.#control.newSession(options);
  }
  fork(...args: Parameters<ExtensionCommandContext["fork"]>): Promise<Moved> {
    return this.#control.fork(...args);
  }
  navigateTree(...args: Parameters<ExtensionCommandContext["navigateTree"]>): Promise<Moved> {
    return this.#control.navigateTree(...args);
  }
  switchSession(...args: Parameters<ExtensionCommandContext["switchSession"]>): Promise<Cancelled> {
    return this.#control.switchSession(...args);
  }
  reload(): Promise<void> {
    return this.#control.reload();
  }

  /** Ends the session: extensions are told, files are closed. Nothing can be done with it then. */
  dispose(): Promise<void> {
    this.#end ??= this.#endAll();
    return this.#end;
  }

  async #endAll(): Promise<void> {
    // First of all, so that nothing begins any more.
    const changed = this.#core.changes.close(END_MS);
    await this.abort();
    await changed;
    this.#deliveries.stop();
    this.#unlisten();
    await endSession(this.#core, "quit");
    await this.#core.watch.end();
    if (this.session instanceof SessionFile) this.session.close();
  }

  /** What extensions can make the agent do. */
  #actions(): HostActions {
    const control = this.#control;
    return {
      sendMessage: (message, options) => this.#deliveries.sendMessage(message, options),
      sendUserMessage: (content, options) => this.#deliveries.sendUserMessage(content, options),
      setModel: (model) => this.setModel(model),
      setThinkingLevel: (level) => {
        const event = this.#thinkAt(level);
        if (event) this.#core.emitter.emit(event);
      },
      shutdown: () => {
        this.#shutdownRequested = true;
      },
      waitForIdle: () => this.waitForIdle(),
      newSession: control.newSession,
      fork: control.fork,
      navigateTree: control.navigateTree,
      switchSession: control.switchSession,
      reload: control.reload,
    };
  }

  /** Returns the event that tells of it, unless nothing changed. */
  #thinkAt(level: ThinkingLevel): SeamEvent | undefined {
    const core = this.#core;
    const previousLevel = core.session.thinkingLevel;
    if (level === previousLevel) return undefined;
    core.session.thinkingLevel = level;
    core.session.tree.appendThinkingLevelChange(level);
    return { type: "thinking_level_select", level, previousLevel };
  }

  /** The way of everything the user says. Nothing comes of what a command or an extension took. */
  async #bringUp(
    text: string,
    kind: "steer" | "followUp",
    options: Parameters<typeof enter>[2],
  ): Promise<Delivery | undefined> {
    const core = this.#core;
    const { changes, emitter } = core;
    const entered = await changes.begin(() => enter(core, text, { ...options, deliverAs: kind }));
    if (entered.kind === "handled") return undefined;
    const { message, skill } = entered;
    if (skill) await emitter.tell(await changes.begin(() => core.side.noteSkill(skill)), 0);
    return changes.begin(() => this.#deliveries.deliver(message, kind));
  }
}
