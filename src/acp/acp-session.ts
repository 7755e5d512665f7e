import {
  type StopReason as AcpStopReason,
  type AgentContext,
  type ClientCapabilities,
  type McpServer,
  methods,
  type PromptRequest,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { messageOf } from "../errors/index.ts";
import type { Model, SeamEvent, StopReason } from "../events/index.ts";
import type { ExtensionUIContext, InlineExtension } from "../extensions/index.ts";
import type { EmbeddedAgent } from "../host/index.ts";
import { acpUI } from "./acp-ui.ts";
import { configOptions, setConfigOption } from "./config-options.ts";
import { editorServers } from "./editor-servers.ts";
import { promptContent } from "./prompt-content.ts";
import { Updates } from "./updates.ts";

interface Wanted {
  readonly cwd: string;
  /** The id of a saved one to go on with; a new one without it. */
  readonly resume?: string;
}

/** The session that a client wants, and the servers it brings along. */
export interface OpenRequest extends Wanted {
  readonly mcpServers: readonly McpServer[];
}

/** What a session is opened with. */
export interface SessionRequest extends Wanted {
  /** What the editor brings along; they come after all others. */
  readonly extensions: readonly InlineExtension[];
  readonly ui: ExtensionUIContext;
  readonly onEvent: (event: SeamEvent) => void;
}

/** An agent in its session, and the models it can be switched to. */
export interface OpenedSession {
  readonly agent: EmbeddedAgent;
  readonly models: readonly Model[];
}

/** Who is at the other end. */
export interface AcpClient {
  readonly context: AgentContext;
  readonly capabilities: ClientCapabilities;
}

/** Why a prompt is over, in the protocol's words; an error is one of the request. */
const ENDS: Readonly<Record<Exclude<StopReason, "error">, AcpStopReason>> = {
  stop: "end_turn",
  toolUse: "end_turn",
  length: "max_tokens",
  aborted: "cancelled",
};

/** One conversation of one client with the embedded agent. */
export class AcpSession {
  readonly #opened: OpenedSession;
  readonly #updates: Updates;
  readonly #tell: (update: SessionUpdate) => void;
  readonly #refused: readonly string[];
  #isPrompted = false;
  #isCancelled = false;

  private constructor(
    opened: OpenedSession,
    updates: Updates,
    tell: (update: SessionUpdate) => void,
    refused: readonly string[],
  ) {
    this.#opened = opened;
    this.#updates = updates;
    this.#tell = tell;
    this.#refused = refused;
  }

  static async open(
    open: (request: SessionRequest) => Promise<OpenedSession>,
    { mcpServers, ...request }: OpenRequest,
    { context, capabilities }: AcpClient,
  ): Promise<AcpSession> {
    const updates = new Updates(request.cwd);
    let id: string | undefined;
    // In order, and never in the way of the agent: a client that does not read is not waited for.
    const tell = (update: SessionUpdate) => {
      if (id === undefined) return;
      const told = context.notify(methods.client.session.update, { sessionId: id, update });
      told.catch(() => {});
    };
    const ui = acpUI({
      client: context,
      capabilities,
      cwd: request.cwd,
      sessionId: () => id ?? "",
      updates,
      tell,
    });
    let session: AcpSession | undefined;
    const onEvent = (event: SeamEvent) => session?.take(event);
    const refused: string[] = [];
    const extensions = editorServers(mcpServers, (text) => refused.push(text));
    const opened = await open({ ...request, extensions, ui, onEvent });
    id = opened.agent.session.getSessionId();
    session = new AcpSession(opened, updates, tell, refused);
    return session;
  }

  get id(): string {
    return this.#opened.agent.session.getSessionId();
  }

  get configOptions(): SessionConfigOption[] {
    return configOptions(this.#opened.agent, this.#opened.models);
  }

  take(event: SeamEvent): void {
    const { agent } = this.#opened;
    for (const update of this.#updates.of(event, agent.model?.contextWindow)) this.#tell(update);
    if (event.type === "tool_execution_end" && event.toolName === "todo") this.#tellPlan();
    if (event.type === "model_select" || event.type === "thinking_level_select") {
      const options = this.configOptions;
      this.#tell({ sessionUpdate: "config_option_update", configOptions: options });
    }
  }

  /** Commands of extensions, prompts and skills, and what cannot be used. Told once the client knows the session. */
  tellOffers(): void {
    const availableCommands = this.#opened.agent.commands.map(({ name, description }) => ({
      name,
      description: description ?? name,
      input: { hint: "arguments" },
    }));
    this.#tell({ sessionUpdate: "available_commands_update", availableCommands });
    for (const title of this.#refused) {
      this.#tell({ sessionUpdate: "notice", severity: "warning", title });
    }
  }

  /** The conversation so far, for a client that shows it again. */
  tellHistory(): void {
    const { messages } = this.#opened.agent.session.buildContext();
    for (const update of this.#updates.history(messages)) this.#tell(update);
  }

  async prompt({ prompt }: PromptRequest): Promise<AcpStopReason> {
    if (this.#isPrompted) {
      throw RequestError.invalidRequest(undefined, "The session still works on another prompt.");
    }
    this.#isPrompted = true;
    this.#isCancelled = false;
    let last: { reason: StopReason; error?: string } | undefined;
    const stop = this.#opened.agent.subscribe((event) => {
      if (event.type !== "message_end" || event.message.role !== "assistant") return;
      const { stopReason, errorMessage } = event.message;
      last = { reason: stopReason, ...(errorMessage !== undefined && { error: errorMessage }) };
    });
    try {
      const { text, images } = promptContent(prompt);
      const { agent } = this.#opened;
      await agent.prompt(text, { source: "rpc", ...(images.length > 0 && { images }) });
      await agent.waitForIdle();
      if (this.#isCancelled) return "cancelled";
      const failed = last?.reason === "error" ? (last.error ?? "no reason") : undefined;
      const broken = agent.lastError === undefined ? failed : messageOf(agent.lastError);
      if (broken !== undefined) throw RequestError.internalError(undefined, broken);
      // A command of an extension has no answer of a model, and is done all the same.
      return last && last.reason !== "error" ? ENDS[last.reason] : "end_turn";
    } finally {
      stop();
      this.#isPrompted = false;
    }
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    await this.#opened.agent.abort();
  }

  async setConfigOption(request: { configId: string; value: unknown }): Promise<void> {
    await setConfigOption(this.#opened.agent, this.#opened.models, request);
  }

  close(): Promise<void> {
    return this.#opened.agent.dispose();
  }

  #tellPlan(): void {
    const entries = this.#opened.agent.todos.flatMap(({ content, status }) =>
      // What was given up is no part of the plan any more.
      status === "abandoned" ? [] : [{ content, status, priority: "medium" as const }],
    );
    this.#tell({ sessionUpdate: "plan", entries });
  }
}
