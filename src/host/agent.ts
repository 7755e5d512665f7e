import { messageOf } from "../errors/index.ts";
import type {
  BashExecutionMessage,
  CustomMessage,
  Model,
  SeamEvent,
  ThinkingLevel,
  UserContent,
} from "../events/index.ts";
import type {
  Cancelled,
  ExtensionCommandContext,
  ExtensionSet,
  OutgoingMessage,
  SendMessageOptions,
  SendUserMessageOptions,
} from "../extensions/index.ts";
import type { HostActions } from "./bind-host.ts";
import { type CompactOutcome, type CompactReason, compact } from "./compact.ts";
import type { Core } from "./core.ts";
import { type Entered, enter, noteSkill, type PromptOptions } from "./prompt-input.ts";
import type { MessageQueue } from "./queue.ts";
import { endSession } from "./replace-session.ts";
import { SessionFile, type SessionTree } from "./session/index.ts";
import type { SessionControl } from "./session-control.ts";
import type { GoalChange, SideState } from "./side-state.ts";

import { runTurn } from "./turn.ts";
import { userBash } from "./user-bash.ts";

/** The embedded agent: a model, its tools, a session, and extensions that have a say in all of it. */
export class Agent {
  readonly #core: Core;
  readonly #control: SessionControl;
  readonly #side: SideState;
  readonly #unwatch: () => Promise<void>;
  #disposed = false;

  constructor(core: Core, control: SessionControl, side: SideState, unwatch: () => Promise<void>) {
    this.#core = core;
    this.#control = control;
    this.#side = side;
    this.#unwatch = unwatch;
  }

  /** Told of every event, in order. The function returned ends it. */
  subscribe(listener: (event: SeamEvent) => void): () => void {
    return this.#core.emitter.subscribe(listener);
  }

  get session(): SessionTree {
    return this.#core.session;
  }
  get extensions(): ExtensionSet {
    return this.#core.set;
  }
  get model(): Model | undefined {
    return this.#core.model;
  }
  get thinkingLevel(): ThinkingLevel {
    return this.#core.thinkingLevel;
  }
  /** Messages that wait: they can be listed, edited and cancelled by id. */
  get queue(): MessageQueue {
    return this.#core.queue;
  }
  get isIdle(): boolean {
    return this.#core.running === undefined;
  }
  /** An extension asked for the end of the program. */
  get shutdownRequested(): boolean {
    return this.#core.shutdownRequested;
  }
  /** Why the last turn broke off, if it did: a full disk, a missing model. */
  get lastError(): unknown {
    return this.#side.lastError;
  }

  /**
   * Hands the agent something to work on and waits until it is idle again. While it works,
   * `deliverAs` says when the message is brought up; then this returns at once.
   */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    const entered = await this.#enter(text, options);
    if (entered.kind === "handled") return;
    if (entered.skill) {
      await this.#core.emitter.tell(noteSkill(this.#core, entered.skill), 0);
    }
    const delivered = this.#deliver(entered.message, options.deliverAs ?? "followUp");
    options.onAccepted?.();
    await delivered;
  }

  /** Brings something up before the agent's next step. Returns the id of the waiting message. */
  steer(text: string): string {
    return this.queue.add("steer", userMessage(text));
  }

  /** Brings something up when the agent would stop. Returns the id of the waiting message. */
  followUp(text: string): string {
    return this.queue.add("followUp", userMessage(text));
  }

  /** Stops the work. Always returns, whatever tools and extensions do. */
  async abort(): Promise<void> {
    const { running, compacting, cuts } = this.#core;
    if (!running && !compacting) return;
    const abort = () => {
      compacting?.abort();
      running?.controller.abort();
    };
    await cuts.step(abort, undefined);
    await running?.done;
  }

  async waitForIdle(): Promise<void> {
    while (this.#core.running) await this.#core.running.done;
  }

  async compact(customInstructions?: string) {
    const core = this.#core;
    const reason: CompactReason = "manual";
    const options = customInstructions === undefined ? {} : { customInstructions };
    const work = () => compact(core, reason, options);
    return core.cuts.apart(work).catch((thrown: unknown): CompactOutcome => {
      if (!core.cuts.isCut(thrown)) throw thrown;
      return { aborted: true, error: messageOf(thrown) };
    });
  }

  /** Runs a command for the user; the model sees it unless it is excluded. */
  bash(command: string, options?: { excludeFromContext?: boolean }): Promise<BashExecutionMessage> {
    return userBash(this.#core, command, options);
  }

  async setModel(model: Model, source: "set" | "cycle" = "set"): Promise<boolean> {
    const core = this.#core;
    if (!core.models.hasConfiguredAuth(model)) return false;
    const previous = core.model ? { previousModel: core.model } : {};
    core.model = model;
    core.session.appendModelChange(model.provider, model.id);
    await core.emitter.tell({ type: "model_select", model, ...previous, source }, 0);
    return true;
  }

  findModel(provider: string, modelId: string): Model | undefined {
    return this.#core.models.find(provider, modelId);
  }

  /** Holds at once; resolves when extensions have been told. */
  async setThinkingLevel(level: ThinkingLevel): Promise<void> {
    const event = this.#thinkAt(level);
    if (event) await this.#core.emitter.tell(event, 0);
  }

  /** Sets what the session is to achieve; null drops it. */
  setGoal(objective: string | null, options?: { tokenBudget?: number }): Promise<void> {
    return this.#side.setGoal(this.#core, objective, options);
  }
  /** Pauses, resumes, completes or drops the goal. */
  changeGoal(change: GoalChange): Promise<void> {
    return this.#side.changeGoal(this.#core, change);
  }
  get goal() {
    return this.#side.goal;
  }
  get todos() {
    return this.#side.todos;
  }

  newSession(options?: Parameters<ExtensionCommandContext["newSession"]>[0]): Promise<Cancelled> {
    return this.#control.newSession(options);
  }
  fork(...args: Parameters<ExtensionCommandContext["fork"]>): Promise<Cancelled> {
    return this.#control.fork(...args);
  }
  navigateTree(...args: Parameters<ExtensionCommandContext["navigateTree"]>): Promise<Cancelled> {
    return this.#control.navigateTree(...args);
  }
  switchSession(...args: Parameters<ExtensionCommandContext["switchSession"]>): Promise<Cancelled> {
    return this.#control.switchSession(...args);
  }
  reload(): Promise<void> {
    return this.#control.reload();
  }

  /** Ends the session: extensions are told, files are closed. */
  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.abort();
    this.#side.stop();
    await endSession(this.#core, "quit");
    await this.#unwatch();
    if (this.session instanceof SessionFile) this.session.close();
  }

  /** What extensions can make the agent do. */
  hostActions(): HostActions {
    const control = this.#control;
    return {
      sendMessage: (message, options) => this.#sendMessage(message, options),
      sendUserMessage: (content, options) => this.#sendUserMessage(content, options),
      setModel: (model) => this.setModel(model),
      setThinkingLevel: (level) => {
        const event = this.#thinkAt(level);
        if (event) this.#core.emitter.emit(event);
      },
      shutdown: () => {
        this.#core.shutdownRequested = true;
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
    const previousLevel = core.thinkingLevel;
    if (level === previousLevel) return undefined;
    core.thinkingLevel = level;
    core.session.appendThinkingLevelChange(level);
    return { type: "thinking_level_select", level, previousLevel };
  }

  async #enter(text: string, options: PromptOptions): Promise<Entered> {
    try {
      return await enter(this.#core, text, options);
    } catch (thrown) {
      if (!this.#core.cuts.isCut(thrown)) throw thrown;
      // A command did not come back.
      this.#side.lastError = thrown;
      return { kind: "handled" };
    }
  }

  async #deliver(
    message: ReturnType<typeof userMessage> | CustomMessage,
    kind: "steer" | "followUp",
  ): Promise<void> {
    const core = this.#core;
    if (core.running) {
      this.queue.add(kind, message);
      return;
    }
    this.#side.stopIdleTimer();
    let goesOn = await runTurn(core, this.#side, [message]);
    // Something may have been queued while the turn was coming to its end. After an abort it waits.
    while (goesOn && !core.running && this.queue.pending > 0) {
      const waiting = [...this.queue.take("steer"), ...this.queue.take("followUp")];
      goesOn = await runTurn(core, this.#side, waiting);
    }
    this.#side.startIdleTimer(core);
  }

  async #sendMessage(message: OutgoingMessage, options: SendMessageOptions = {}): Promise<void> {
    const { deliverAs = "steer", triggerTurn = false } = options;
    const full: CustomMessage = { role: "custom", ...message, timestamp: Date.now() };
    if (deliverAs === "nextTurn") {
      this.queue.add("nextTurn", full);
    } else if (this.#core.streaming || triggerTurn) {
      await this.#deliver(full, deliverAs);
    } else {
      const { customType, content, display, details } = message;
      this.session.appendCustomMessageEntry(customType, content, display, details);
    }
  }

  async #sendUserMessage(
    content: string | UserContent[],
    { deliverAs = "followUp" }: SendUserMessageOptions = {},
  ): Promise<void> {
    await this.#deliver({ role: "user", content, timestamp: Date.now() }, deliverAs);
  }
}

function userMessage(text: string) {
  return { role: "user" as const, content: text as string | UserContent[], timestamp: Date.now() };
}
