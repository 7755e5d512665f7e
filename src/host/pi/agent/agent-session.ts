import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type ImageContent,
  type Model,
  type SeamEvent,
  THINKING_LEVELS,
  type ThinkingLevel,
  textOfContent,
  type UserContent,
} from "../../../events/index.ts";
import type {
  ExtensionAPI,
  ExtensionContext,
  ExtensionUIContext,
  OutgoingMessage,
  SendMessageOptions,
} from "../../../extensions/index.ts";
import type { EmbeddedAgent } from "../../embedded-agent.ts";
import type { Models } from "../../models/index.ts";
import { sessionHtml } from "../../session-html.ts";
import { sessionStats } from "../../session-stats.ts";
import type { SessionManager } from "../sessions/session-manager.ts";
import type { SettingsManager } from "../settings/settings-manager.ts";
import { AgentFace } from "./agent-face.ts";
import type { DefaultResourceLoader } from "./resource-loader.ts";
import { type SessionEvent, sessionEvent } from "./session-events.ts";

/** What a session consists of: Seam's agent, and what it was made from. */
export interface SessionParts {
  readonly agent: EmbeddedAgent;
  readonly models: Models;
  readonly sessionManager: SessionManager;
  readonly settingsManager: SettingsManager;
  readonly resourceLoader: DefaultResourceLoader;
  /** The API and context of the session that is current. */
  readonly inside: { pi: ExtensionAPI; ctx: ExtensionContext };
  /** Who is asked by dialogs of extensions. */
  readonly bindings: { uiContext?: ExtensionUIContext };
}

interface PromptOptions {
  readonly images?: ImageContent[];
  readonly streamingBehavior?: "steer" | "followUp";
  readonly source?: "interactive" | "rpc" | "extension";
  readonly preflightResult?: (disposition: "started" | "queued" | "handled") => void;
}

interface Bindings {
  readonly uiContext?: ExtensionUIContext;
  readonly onError?: (error: { extensionPath: string; event: string; error: string }) => void;
}

/** Pi's session with its agent: a face of Seam's embedded agent, which does the work. */
export class AgentSession {
  readonly #parts: SessionParts;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #ends: (() => void)[] = [];
  readonly agent: AgentFace;
  #retries = true;
  #compacts = true;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.agent = new AgentFace(parts);
    this.#ends.push(parts.agent.subscribe((event) => this.#pass(event)));
  }

  get sessionManager(): SessionManager {
    return this.#parts.sessionManager;
  }
  get settingsManager(): SettingsManager {
    return this.#parts.settingsManager;
  }
  get resourceLoader(): DefaultResourceLoader {
    return this.#parts.resourceLoader;
  }
  get modelRegistry(): Models {
    return this.#parts.models;
  }
  get state() {
    return this.agent.state;
  }
  get messages() {
    return this.state.messages;
  }
  get model(): Model | undefined {
    return this.#parts.agent.model;
  }
  get thinkingLevel(): ThinkingLevel {
    return this.#parts.agent.thinkingLevel;
  }
  get isStreaming(): boolean {
    return !this.isIdle;
  }
  get isIdle(): boolean {
    return this.#parts.agent.isIdle;
  }
  get isCompacting(): boolean {
    return this.#parts.agent.isCompacting;
  }
  get systemPrompt(): string {
    return this.#parts.inside.ctx.getSystemPrompt();
  }
  get sessionFile(): string | undefined {
    return this.#parts.agent.session.getSessionFile();
  }
  get sessionId(): string {
    return this.#parts.agent.session.getSessionId();
  }
  get sessionName(): string | undefined {
    return this.#parts.agent.session.getSessionName();
  }
  get promptTemplates() {
    return this.resourceLoader.getPrompts().prompts;
  }
  get pendingMessageCount(): number {
    return this.#parts.agent.queue.pending;
  }
  get scopedModels(): { model: Model }[] {
    return this.#parts.models.getAvailable().map((model) => ({ model }));
  }
  get autoRetryEnabled(): boolean {
    return this.#retries;
  }
  get autoCompactionEnabled(): boolean {
    return this.#compacts;
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The extensions run already; from now on their dialogs ask whoever is given. */
  async bindExtensions({ uiContext, onError }: Bindings = {}): Promise<void> {
    if (uiContext) this.#parts.bindings.uiContext = uiContext;
    if (!onError) return;
    const { extensions } = this.#parts.agent;
    this.#ends.push(
      extensions.onProblem(({ path, event = "", error }) =>
        onError({ extensionPath: path, event, error: error.message }),
      ),
    );
  }

  /** Works until it is idle, or until the text waits for an agent that works already. */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    const { images, source, streamingBehavior, preflightResult } = options;
    const wasIdle = this.isIdle;
    if (!wasIdle && streamingBehavior === undefined) {
      throw new Error("The agent works already: say with streamingBehavior when to bring this up.");
    }
    await this.#parts.agent.prompt(text, {
      ...(images && { images }),
      ...(source && { source }),
      ...(streamingBehavior && { deliverAs: streamingBehavior }),
      onAccepted: () => {
        preflightResult?.(wasIdle ? "started" : "queued");
        if (!wasIdle) this.#queueChanged();
      },
    });
  }
  async steer(text: string, images?: ImageContent[]): Promise<"queued" | "handled"> {
    const id = await this.#parts.agent.steer(text, images ? { images } : {});
    this.#queueChanged();
    return id === undefined ? "handled" : "queued";
  }
  async followUp(text: string, images?: ImageContent[]): Promise<"queued" | "handled"> {
    const id = await this.#parts.agent.followUp(text, images ? { images } : {});
    this.#queueChanged();
    return id === undefined ? "handled" : "queued";
  }
  async sendCustomMessage(message: OutgoingMessage, options?: SendMessageOptions): Promise<void> {
    await this.#parts.agent.sendMessage(message, options);
  }
  async sendUserMessage(
    content: string | UserContent[],
    options?: { deliverAs?: "steer" | "followUp" },
  ): Promise<void> {
    await this.#parts.agent.sendUserMessage(content, options);
  }
  clearQueue(): { steering: string[]; followUp: string[] } {
    const cleared = { steering: this.getSteeringMessages(), followUp: this.getFollowUpMessages() };
    this.#parts.agent.queue.clear();
    this.#queueChanged();
    return cleared;
  }
  getSteeringMessages = () => this.#waiting("steer");
  getFollowUpMessages = () => this.#waiting("followUp");

  abort = () => this.#parts.agent.abort();
  waitForIdle = () => this.#parts.agent.waitForIdle();
  abortCompaction = () => void this.#parts.agent.abort();
  abortBranchSummary = this.abortCompaction;
  abortRetry = this.abortCompaction;
  dispose(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#listeners.clear();
    // Nobody waits for it, as in Pi; what went wrong is in the log.
    this.#parts.agent.dispose().catch(() => {});
  }

  async setModel(model: Model): Promise<void> {
    if (await this.#parts.agent.setModel(model)) return;
    throw new Error(`There is no key for ${model.provider}/${model.id}.`);
  }
  async cycleModel(direction: "forward" | "backward" = "forward") {
    const all = this.#parts.models.getAvailable();
    if (all.length < 2) return undefined;
    const at = all.findIndex(
      ({ id, provider }) => id === this.model?.id && provider === this.model.provider,
    );
    const model = all[(at + (direction === "forward" ? 1 : all.length - 1)) % all.length];
    if (!model) return undefined;
    await this.#parts.agent.setModel(model, "cycle");
    return { model, thinkingLevel: this.thinkingLevel, isScoped: false };
  }
  setThinkingLevel(level: ThinkingLevel): void {
    void this.#parts.agent.setThinkingLevel(level);
  }
  getAvailableThinkingLevels(): ThinkingLevel[] {
    const { model } = this;
    if (!model?.reasoning) return ["off"];
    return THINKING_LEVELS.filter((level) => model.thinkingLevelMap?.[level] !== null);
  }
  supportsThinking = () => this.model?.reasoning === true;
  cycleThinkingLevel(): ThinkingLevel | undefined {
    const levels = this.getAvailableThinkingLevels();
    const next = levels[(levels.indexOf(this.thinkingLevel) + 1) % levels.length];
    if (levels.length < 2 || next === undefined) return undefined;
    this.setThinkingLevel(next);
    return next;
  }

  getActiveToolNames = () => this.#parts.inside.pi.getActiveTools();
  getCallableToolNames = this.getActiveToolNames;
  getAllTools = () => this.#parts.inside.pi.getAllTools();
  getToolDefinition = (name: string) =>
    this.#parts.agent.extensions.tools().find(({ tool }) => tool.name === name)?.tool ??
    this.getAllTools().find((tool) => tool.name === name);
  setActiveToolsByName(names: string[]): void {
    this.#parts.inside.pi.setActiveTools(names);
  }

  async compact(instructions?: string) {
    const { result, error } = await this.#parts.agent.compact(instructions);
    if (!result) throw new Error(error ?? "The compaction failed.");
    return result;
  }
  setAutoCompactionEnabled(enabled: boolean): void {
    this.#compacts = enabled;
    this.#parts.agent.adjust({ compaction: { enabled } });
  }
  setAutoRetryEnabled(enabled: boolean): void {
    this.#retries = enabled;
    const { maxRetries } = this.settingsManager.getRetrySettings();
    this.#parts.agent.adjust({ retry: { maxRetries: enabled ? Number(maxRetries) : 0 } });
  }

  async executeBash(
    command: string,
    onChunk?: (chunk: string) => void,
    options: { excludeFromContext?: boolean } = {},
  ) {
    const { output, exitCode, cancelled, truncated, fullOutputPath } = await this.#parts.agent.bash(
      command,
      options,
    );
    onChunk?.(output);
    return { output, exitCode, cancelled, truncated, fullOutputPath };
  }
  abortBash = () => void this.#parts.agent.abortBash();

  setSessionName(name: string): void {
    this.#parts.inside.pi.setSessionName(name);
  }
  navigateTree = (...args: Parameters<EmbeddedAgent["navigateTree"]>) =>
    this.#parts.agent.navigateTree(...args);
  reload = () => this.#parts.agent.reload();
  getUserMessagesForForking() {
    return this.#parts.agent.session
      .getEntries()
      .flatMap((entry) =>
        entry.type === "message" && entry.message.role === "user"
          ? [{ entryId: entry.id, text: textOfContent(entry.message.content) }]
          : [],
      );
  }
  getSessionStats = () => sessionStats(this.#parts.agent.session, this.getContextUsage());
  getContextUsage = () => this.#parts.inside.ctx.getContextUsage();
  getLastAssistantText(): string | undefined {
    const last = this.messages.findLast(({ role }) => role === "assistant");
    return last?.role === "assistant" ? textOfContent(last.content).trim() || undefined : undefined;
  }
  async exportToHtml(path?: string): Promise<string> {
    const file = resolve(path ?? `session-${this.sessionId}.html`);
    writeFileSync(file, sessionHtml(this.#parts.agent.session));
    return file;
  }
  exportToJsonl(path?: string): string {
    const { session } = this.#parts.agent;
    const file = resolve(path ?? `session-${this.sessionId}.jsonl`);
    const lines = [session.getHeader(), ...session.getBranch()].map((one) => JSON.stringify(one));
    writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
  }
  /** Hands Seam's own agent to a mode that leads it. */
  serve = (lead: (agent: EmbeddedAgent) => Promise<void>) => lead(this.#parts.agent);
  hasExtensionHandlers = (event: string) =>
    this.#parts.agent.extensions.extensions.some(({ events }) => events.has(event));

  #waiting(kind: "steer" | "followUp"): string[] {
    const { queue } = this.#parts.agent;
    return queue
      .list()
      .flatMap((one) => (one.kind === kind ? [textOfContent(one.message.content)] : []));
  }

  #queueChanged(): void {
    const steering = this.getSteeringMessages();
    this.#tell({ type: "queue_update", steering, followUp: this.getFollowUpMessages() });
  }

  #pass(event: SeamEvent): void {
    const passed = sessionEvent(event);
    if (!passed) return;
    this.#tell(passed);
    const said = event.type === "message_start" && event.message.role === "user";
    if (said) this.#queueChanged();
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
