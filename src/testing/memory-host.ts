import { SeamError } from "../errors/index.ts";
import type { Model, ThinkingLevel, UserContent } from "../events/index.ts";
import type {
  CompactOptions,
  ExtensionProblem,
  ExtensionSet,
  From,
  Host,
  OtherSession,
  OutgoingMessage,
  ProviderConfig,
  RegisteredMcpServer,
  RoutedModel,
  SendMessageOptions,
  SendUserMessageOptions,
  SessionRef,
  WithSession,
} from "../extensions/index.ts";
import { copyBranch, forkPoint, SessionTree, scriptedModels, treePoint } from "../host/index.ts";
import { runTool } from "./run-tool.ts";
import { type Answer, scriptedUI, type UIRecord } from "./scripted-ui.ts";

/** A message that an extension sent. */
export type SentMessage =
  | { kind: "user"; content: string | UserContent[]; options?: SendUserMessageOptions }
  | { kind: "custom"; message: OutgoingMessage; options?: SendMessageOptions };

/** What an extension wanted of the session of another agent. */
export type LedSession =
  | { kind: "hold" | "release" | "interrupt"; to: SessionRef }
  | { kind: "say"; to: SessionRef; text: string };

interface MemoryHostOptions {
  readonly cwd: string;
  readonly load: () => Promise<ExtensionSet>;
  readonly answers: readonly Answer[] | undefined;
  readonly replies: readonly string[] | undefined;
  readonly sessions: readonly OtherSession[] | undefined;
  readonly settings: Readonly<Record<string, unknown>> | undefined;
}

type Reason = "startup" | "reload" | "new" | "resume" | "fork";

/** A session in memory with everything an extension can ask a host for, and no agent. */
export class MemoryHost implements Host {
  readonly cwd: string;
  readonly mode = "test";
  readonly hasUI: boolean;
  readonly ui: Host["ui"];
  readonly seen: UIRecord;
  readonly modelRegistry: ReturnType<typeof scriptedModels>;
  readonly scopedModels = [];
  readonly signal = undefined;
  readonly projectTrusted = true;
  readonly led: LedSession[] = [];
  readonly sessions: Host["sessions"];
  readonly sent: SentMessage[] = [];
  readonly logged: string[] = [];
  readonly problems: ExtensionProblem[] = [];
  readonly #load: () => Promise<ExtensionSet>;
  sessionManager: SessionTree;
  model: Model | undefined;
  #set: ExtensionSet | undefined;
  #activeTools: string[] | undefined;
  #thinking: ThinkingLevel = "off";
  #nested = 0;
  readonly #settings: Readonly<Record<string, unknown>>;

  constructor(options: MemoryHostOptions) {
    const { cwd, load, answers, replies = [], sessions: others = [], settings = {} } = options;
    this.cwd = cwd;
    this.#settings = settings;
    this.#load = load;
    this.hasUI = answers !== undefined;
    const { ui, seen } = scriptedUI(answers ?? []);
    this.ui = ui;
    this.seen = seen;
    // Nothing of this machine: no keys from the environment, no endpoints from its files.
    const nowhere = { env: {}, modelsFile: "", authFile: "" };
    this.modelRegistry = scriptedModels(
      replies.map((text) => ({ text })),
      nowhere,
    );
    this.model = this.modelRegistry.defaultModel();
    this.sessionManager = new SessionTree({ cwd });
    const lead = (order: LedSession) => void this.led.push(order);
    this.sessions = {
      list: async () => others.map((one) => ({ ...one })),
      hold: async (to) => lead({ kind: "hold", to }),
      release: async (to) => lead({ kind: "release", to }),
      say: async (to, text) => {
        lead({ kind: "say", to, text });
        return "next step";
      },
      interrupt: async (to) => {
        lead({ kind: "interrupt", to });
        return "next step";
      },
    };
  }

  get set(): ExtensionSet {
    if (!this.#set) throw new Error("The test host has not been started.");
    return this.#set;
  }

  async start(reason: Reason, previousSessionFile?: string): Promise<void> {
    this.#set = await this.#load();
    // Problems of earlier sessions stay visible: a stale object complains only after its end.
    for (const problem of this.#set.problems) this.problems.push(problem);
    this.#set.onProblem((problem) => this.problems.push(problem));
    this.#set.bind(this);
    const previous = previousSessionFile === undefined ? {} : { previousSessionFile };
    this.#set.dispatcher.emit({ type: "session_start", reason, ...previous });
    await this.#set.dispatcher.settled();
  }

  async stop(reason: "quit" | "reload" | "new" | "resume" | "fork"): Promise<void> {
    this.set.dispatcher.emit({ type: "session_shutdown", reason });
    await this.set.dispatcher.settled();
    this.set.dispose();
  }

  // What ctx offers.
  can = () => true;
  isIdle = () => true;
  abort = () => {};
  hasPendingMessages = () => false;
  shutdown = () => {};
  getContextUsage = () => {
    const contextWindow = this.model?.contextWindow ?? 0;
    return { tokens: 0, contextWindow, percent: 0 };
  };
  getSystemPrompt = () => "You are a test.";
  getSystemPromptOptions = () => ({
    cwd: this.cwd,
    appendSystemPrompt: "",
    selectedTools: this.getActiveTools(),
    hiddenTools: [],
    toolSnippets: {},
    toolGuidelines: {},
    promptGuidelines: [],
    sections: {},
    contextFiles: [],
    skills: [],
  });
  getSettings = () => ({ ...this.#settings });
  compact(options?: CompactOptions): void {
    const firstKeptEntryId = this.sessionManager.getLeafId() ?? "";
    const result = { summary: "Compacted.", firstKeptEntryId, tokensBefore: 0 };
    this.sessionManager.appendCompaction(result, false);
    options?.onComplete?.(result);
  }

  // What pi offers.
  sendMessage(message: OutgoingMessage, options?: SendMessageOptions): void {
    this.sent.push({ kind: "custom", message, ...(options && { options }) });
    const { customType, content, display, details } = message;
    this.sessionManager.appendCustomMessageEntry(customType, content, display, details);
  }
  sendUserMessage(content: string | UserContent[], options?: SendUserMessageOptions): void {
    this.sent.push({ kind: "user", content, ...(options && { options }) });
    this.sessionManager.appendMessage({ role: "user", content, timestamp: Date.now() });
  }
  appendEntry = (customType: string, data: unknown) =>
    void this.sessionManager.appendCustomEntry(customType, data);
  setSessionName = (name: string) => void this.sessionManager.appendSessionName(name);
  getSessionName = () => this.sessionManager.getSessionName();
  setLabel = (entryId: string, label: string | undefined) =>
    void this.sessionManager.appendLabel(entryId, label);
  getActiveTools = () => this.#activeTools ?? this.set.tools().map(({ tool }) => tool.name);
  setActiveTools = (names: string[]) => {
    this.#activeTools = [...names];
  };
  getBuiltinTools = () => [];
  getOtherCommands = () => [];
  async setModel(model: Model): Promise<boolean> {
    const previousModel = this.model;
    this.model = model;
    const previous = previousModel ? { previousModel } : {};
    this.set.dispatcher.emit({ type: "model_select", model, ...previous, source: "set" });
    return true;
  }
  getThinkingLevel = () => this.#thinking;
  setThinkingLevel(level: ThinkingLevel): void {
    const previousLevel = this.#thinking;
    this.#thinking = level;
    this.set.dispatcher.emit({ type: "thinking_level_select", level, previousLevel });
  }
  registerProvider = (name: string, config: ProviderConfig) =>
    this.modelRegistry.register(name, config);
  unregisterProvider = (name: string) => this.modelRegistry.unregister(name);
  registerVirtualModel = (model: RoutedModel) => this.modelRegistry.registerVirtual(model);
  unregisterVirtualModel = (provider: string, id: string) =>
    this.modelRegistry.unregisterVirtual(provider, id);
  mcpServersChanged(servers: RegisteredMcpServer[]): void {
    const told = servers.map(({ config, ...server }) => ({ ...server, config: { ...config } }));
    this.set.dispatcher.emit({ type: "mcp_servers_change", servers: told });
  }
  callableTools = () =>
    this.set.tools().map(({ tool: { name, label = name, description, parameters } }) => ({
      name,
      label,
      description,
      parameters,
    }));
  async executeTool(...[callerId, name, args]: Parameters<Host["executeTool"]>) {
    const id = `${callerId}/${++this.#nested}`;
    const input = { ...Object(args) };
    const result = await runTool(this, { toolName: name, toolCallId: id }, input, callerId);
    const toolCall = { type: "toolCall" as const, id, name, arguments: input };
    return { toolCall, result, isError: result.isError === true };
  }
  toolsChanged = () => {};
  log = (_level: string, text: string) => void this.logged.push(text);

  // What commands can do.
  waitForIdle = async () => {};
  async newSession(options: Parameters<Host["newSession"]>[0] = {}) {
    if (await this.#refused("new")) return { cancelled: true };
    const { parentSession, setup } = options;
    const parent = parentSession === undefined ? {} : { parentSession };
    const next = new SessionTree({ cwd: this.cwd, ...parent });
    await setup?.(next);
    return this.#replace("new", next, options);
  }
  async fork(...[entryId, options = {}]: Parameters<Host["fork"]>) {
    const { position = "before" } = options;
    const { dispatcher } = this.set;
    const asked = await dispatcher.emit({ type: "session_before_fork", entryId, position });
    if (asked.blocked) return { cancelled: true };
    const { leafId } = forkPoint(this.sessionManager, entryId, position);
    const header = new SessionTree({ cwd: this.cwd }).getHeader();
    const { session } = SessionTree.fromEntries(header, copyBranch(this.sessionManager, leafId));
    return this.#replace("fork", session, options);
  }
  async navigateTree(...[targetId, options = {}]: Parameters<Host["navigateTree"]>) {
    if (!this.sessionManager.getEntry(targetId)) {
      throw new SeamError("SEAM_SESSION_ENTRY", { entry: targetId, detail: "is not there" });
    }
    const oldLeafId = this.sessionManager.getLeafId();
    const preparation = {
      targetId,
      oldLeafId,
      commonAncestorId: null,
      entriesToSummarize: [],
      userWantsSummary: options.summarize === true,
    };
    const { signal } = new AbortController();
    const { dispatcher } = this.set;
    const asked = await dispatcher.emit({ type: "session_before_tree", preparation, signal });
    if (asked.blocked) return { cancelled: true };
    const { leafId: newLeafId } = treePoint(this.sessionManager, targetId);
    this.sessionManager.moveTo(newLeafId);
    dispatcher.emit({ type: "session_tree", newLeafId, oldLeafId });
    await dispatcher.settled();
    return { cancelled: false };
  }
  async switchSession(...[file, options = {}]: Parameters<Host["switchSession"]>) {
    if (await this.#refused("resume", file)) return { cancelled: true };
    return this.#replace("resume", new SessionTree({ cwd: this.cwd, file }), options);
  }
  async reload(): Promise<void> {
    await this.stop("reload");
    await this.start("reload");
  }

  async #refused(reason: "new" | "resume", targetSessionFile?: string): Promise<boolean> {
    const target = targetSessionFile === undefined ? {} : { targetSessionFile };
    const { dispatcher } = this.set;
    return (await dispatcher.emit({ type: "session_before_switch", reason, ...target })).blocked;
  }

  async #replace(
    reason: "new" | "resume" | "fork",
    next: SessionTree,
    { withSession, from }: { withSession?: WithSession } & From,
  ) {
    const previous = this.sessionManager.getSessionFile();
    await this.stop(reason);
    this.sessionManager = next;
    await this.start(reason, previous);
    await withSession?.(this.set.replacedContext(from));
    return { cancelled: false };
  }
}
