import { explain, SeamError, usageError } from "../errors/index.ts";
import { type Model, nearest, type SeamEvent, type ThinkingLevel } from "../events/index.ts";
import {
  type ExtensionSet,
  type ExtensionUIContext,
  type HostSessions,
  headlessUI,
  type LoadOptions,
  loadExtensions,
  type Mode,
  type Source,
} from "../extensions/index.ts";
import { Protection } from "../protection/index.ts";
import { createCodingTools } from "../tools/index.ts";
import { DEFAULT_COMPACTION } from "./compaction/index.ts";
import type { AgentBehaviour, Core, CurrentRun, CurrentSession, Log } from "./core.ts";
import { EmbeddedAgent } from "./embedded-agent.ts";
import { Emitter } from "./emitter.ts";
import { NO_RESOURCES, type Resources } from "./load-resources.ts";
import { McpServers } from "./mcp/mcp-servers.ts";
import { Models } from "./models/index.ts";
import { piModules } from "./pi/pi-modules.ts";
import { MessageQueue } from "./queue.ts";
import { SessionTree } from "./session/index.ts";
import { SessionChanges } from "./session-changes.ts";
import type { SessionPlace } from "./session-control.ts";
import { SideState } from "./side-state.ts";
import { type HostTool, ToolTable } from "./tools/tool-table.ts";
import {
  describeSuspects,
  NO_WATCH,
  STUCK_ENTRY,
  type Watch,
  type WatchdogOptions,
  watchOver,
} from "./watchdog/index.ts";

type Flags = Readonly<Record<string, boolean | string>>;

/** What an agent is made of. Everything has a default. */
export interface AgentOptions {
  readonly cwd?: string;
  /** "provider/model", "scripted:turns.json", or a model. Without it, the first one with a key. */
  readonly model?: string | Model;
  readonly models?: Models;
  readonly thinkingLevel?: ThinkingLevel;
  readonly extensions?: LoadOptions["sources"];
  /**
   * Whether extensions of the user's may decide, with `project_trust`, about those of the project
   * that nobody agreed to.
   */
  readonly asksForTrust?: boolean;
  /** Values of flags that extensions register. */
  readonly flags?: Flags | ((set: ExtensionSet) => Flags);
  /** Where compiled extensions are kept between runs. */
  readonly cacheDir?: string | false;
  readonly deadlines?: LoadOptions["deadlines"];
  /** What is done about code of extensions that never yields ("report"); false: nothing. */
  readonly watchdog?: WatchdogOptions | false;
  /** The session to work in. Without it, one in memory. */
  readonly session?: SessionTree;
  /** How further sessions are made and opened. Without it, in memory. */
  readonly sessions?: SessionPlace;
  /** The sessions of others, for `pi.sessions`: `machineSessions()`. Without it that refuses. */
  readonly otherSessions?: HostSessions;
  /** The tools to offer, of Seam's own and of extensions; all of them without it. */
  readonly tools?: readonly string[];
  /** Tools that are not offered. */
  readonly excludeTools?: readonly string[];
  /** "all": no tools but those of `tools`; "builtin": none of Seam's own. */
  readonly noTools?: "all" | "builtin";
  /** What becomes of names in these lists that no tool has ("refuse"). */
  readonly unknownTools?: "refuse" | "warn";
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Changes the skills, prompts, rules and context files that were found. */
  readonly resources?: (found: Resources) => Resources;
  readonly mode?: Mode;
  /** Without it there is nobody to ask. */
  readonly ui?: ExtensionUIContext;
  /** Whether somebody is there for `ui` at the moment; always, if not said. */
  readonly isAttended?: () => boolean;
  readonly compaction?: Partial<AgentBehaviour["compaction"]>;
  readonly retry?: Partial<AgentBehaviour["retry"]>;
  readonly maxTodoReminders?: number;
  /** What becomes of calls that would change what Seam relies on ("ask"). */
  readonly protectSeam?: AgentBehaviour["protectSeam"];
  readonly onLog?: Log;
  /** Is called with every event, in order, also with those before the agent is there. */
  readonly onEvent?: (event: SeamEvent) => void;
}

/**
 * An agent that is ready to be prompted.
 *
 * @example
 * const agent = await createAgent({ model: "anthropic/claude-sonnet-5-5" });
 * agent.subscribe((event) => console.log(event.type));
 * await agent.prompt("What does this project do?");
 * await agent.dispose();
 */
export async function createAgent(options: AgentOptions = {}): Promise<EmbeddedAgent> {
  const { cwd = process.cwd(), models = new Models(), ui, onLog = () => {} } = options;
  for (const problem of models.problems) onLog("warn", explain(problem));
  const session: CurrentSession = {
    set: await emptySet(cwd),
    tree: options.session ?? new SessionTree({ cwd }),
    resources: NO_RESOURCES,
    model: undefined,
    trusted: undefined,
    thinkingLevel: options.thinkingLevel ?? "off",
    // What was asked for counts more than what the session had.
    restores: {
      model: options.model === undefined,
      thinkingLevel: options.thinkingLevel === undefined,
    },
  };
  const run: CurrentRun = {
    turnId: undefined,
    systemPrompt: "",
    running: undefined,
    streaming: false,
    compacting: undefined,
    login: undefined,
    standIn: undefined,
    failedModels: new Set(),
    callTool: undefined,
    lastError: undefined,
  };
  const emitter = new Emitter(
    () => session.set.dispatcher,
    () => ({
      agent: "seam",
      sessionId: session.tree.getSessionId(),
      ...(run.turnId !== undefined && { turnId: run.turnId }),
    }),
    (text) => onLog("error", text),
  );
  const behaviour = behaviourOf(options);
  const side = new SideState({ session, run, emitter, behaviour, log: onLog });
  const tools: HostTool[] = [...createCodingTools(cwd), ...side.tools()];
  const table = new ToolTable(tools, () => session.set, {
    ...options,
    failed: (path, thrown) =>
      session.set.contain(path, () => {
        throw thrown;
      }),
  });
  const core: Core = {
    cwd,
    mode: options.mode ?? "print",
    get hasUI() {
      return ui !== undefined && options.isAttended?.() !== false;
    },
    ui: ui ?? headlessUI(),
    otherSessions: options.otherSessions ?? NO_SESSIONS,
    models,
    wantedModel: options.model,
    queue: new MessageQueue(),
    emitter,
    tools: table,
    protection: new Protection(),
    behaviour,
    customPrompt: options.systemPrompt,
    appendSystemPrompt: options.appendSystemPrompt,
    adjustResources: options.resources ?? ((found) => found),
    loadExtensions: (more) => load(cwd, options, more),
    asksForTrust: options.asksForTrust ?? false,
    changes: new SessionChanges(),
    watch: watchFor(options, session, onLog),
    log: onLog,
    session,
    run,
    side,
    mcp: new McpServers({ cwd, tools: table, emitter, log: onLog }),
  };
  const agent = await EmbeddedAgent.started(
    core,
    options.sessions ?? inMemory(cwd),
    options.onEvent,
  ).catch(async (thrown) => {
    await core.watch.end();
    throw thrown;
  });
  session.restores = { model: true, thinkingLevel: true };
  try {
    checkTools(options, tools, core);
  } catch (thrown) {
    await agent.dispose();
    throw thrown;
  }
  return agent;
}

/** A list that means something else than it says would leave a tool in, or out, unnoticed. */
function checkTools(options: AgentOptions, own: readonly HostTool[], { session, log }: Core): void {
  const { tools = [], excludeTools = [], unknownTools = "refuse" } = options;
  const registered = session.set.tools().map(({ tool }) => tool.name);
  const names = [...new Set([...own.map(({ name }) => name), ...registered])];
  for (const unknown of [...tools, ...excludeTools].filter((name) => !names.includes(name))) {
    const close = nearest(unknown, names);
    const hint = close ? `Did you mean "${close}"?` : `There are: ${names.join(", ")}.`;
    const error = usageError(`There is no tool "${unknown}".`, hint);
    if (unknownTools === "refuse") throw error;
    log("warn", explain(error));
  }
}

function behaviourOf(options: AgentOptions): AgentBehaviour {
  return {
    compaction: { ...DEFAULT_COMPACTION, idleMs: 0, ...options.compaction },
    retry: { maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000, ...options.retry },
    maxTodoReminders: options.maxTodoReminders ?? 3,
    protectSeam: options.protectSeam ?? "ask",
  };
}

/** Without extensions there is nothing to watch over. */
function watchFor(
  { extensions = [], watchdog = {} }: AgentOptions,
  session: CurrentSession,
  log: Log,
): Watch {
  if (watchdog === false || extensions.length === 0) return NO_WATCH;
  const { afterMs = 10_000, onStuck = "report" } = watchdog;
  return watchOver({
    options: { afterMs, onStuck },
    warn: (text) => log("warn", text),
    report: ({ suspicion, heldMs }) => {
      const who = describeSuspects(suspicion);
      const seconds = Math.round(heldMs / 100) / 10;
      log("error", new SeamError("SEAM_HANDLER_STUCK", { who, seconds }).message);
      session.tree.appendCustomEntry(STUCK_ENTRY, { ...suspicion, heldMs, ended: false });
    },
    sessionFile: () => session.tree.getSessionFile(),
  });
}

/** `more`: extensions of the project, which run before those of the user. */
async function load(
  cwd: string,
  options: AgentOptions,
  more: readonly Source[],
): Promise<ExtensionSet> {
  const { extensions = [], flags = {}, cacheDir = false, deadlines } = options;
  const isLater = (one: (typeof extensions)[number]) =>
    typeof one === "object" && "scope" in one && one.scope !== "cli" && one.scope !== "project";
  const first = extensions.filter((one) => !isLater(one));
  const set = await loadExtensions({
    cwd,
    sources: [...first, ...more, ...extensions.filter(isLater)],
    cacheDir,
    modules: piModules,
    ...(deadlines && { deadlines }),
  });
  const values = typeof flags === "function" ? flags(set) : flags;
  for (const [name, value] of Object.entries(values)) set.setFlag(name, value);
  return set;
}

/** Takes the place of the extensions until they are loaded. */
function emptySet(cwd: string): Promise<ExtensionSet> {
  return loadExtensions({ cwd, sources: [] });
}

function inMemory(cwd: string): SessionPlace {
  return {
    create: ({ parentSession, entries = [] } = {}) => {
      const session = new SessionTree({
        cwd,
        ...(parentSession !== undefined && { parentSession }),
      });
      return SessionTree.fromEntries(session.getHeader(), entries).session;
    },
    open: (file) => {
      throw usageError(
        `Cannot open ${file}: the sessions of this agent are in memory.`,
        "Give createAgent() the option sessions, with a place where they are kept.",
      );
    },
  };
}

const refuse = async (): Promise<never> => {
  throw new SeamError("SEAM_AGENT_CANNOT", { agent: "this program", method: "pi.sessions" });
};
/** A program that embeds an agent says itself whether its extensions may reach others. */
const NO_SESSIONS: HostSessions = {
  list: refuse,
  hold: refuse,
  release: refuse,
  say: refuse,
  interrupt: refuse,
};
