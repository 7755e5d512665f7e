import { explain, SeamError } from "../errors/index.ts";
import { type Model, nearest, type SeamEvent, type ThinkingLevel } from "../events/index.ts";
import {
  type ExtensionSet,
  type ExtensionUIContext,
  type HostSessions,
  headlessUI,
  type LoadOptions,
  loadExtensions,
  type Mode,
} from "../extensions/index.ts";
import { Protection } from "../protection/index.ts";
import { createCodingTools } from "../tools/index.ts";
import { Changes } from "./changes.ts";
import { DEFAULT_COMPACTION } from "./compaction/index.ts";
import type { AgentBehaviour, Core, CurrentRun, CurrentSession, Log } from "./core.ts";
import { EmbeddedAgent } from "./embedded-agent.ts";
import { Emitter } from "./emitter.ts";
import { NO_RESOURCES, type Resources } from "./load-resources.ts";
import { Models } from "./models/index.ts";
import { piModules } from "./pi/pi-modules.ts";
import { MessageQueue } from "./queue.ts";
import { SessionTree } from "./session/index.ts";
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
  /** Built-in tools to offer; all of them without it. */
  readonly tools?: readonly string[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Has a say in the skills, prompts, rules and context files that were found. */
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
  /** Told of every event, in order, also of those before there is an agent to subscribe to. */
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
  const wanted = options.tools;
  const offered = wanted ? tools.filter(({ name }) => wanted.includes(name)) : tools;
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
    tools: new ToolTable(offered, () => session.set),
    protection: new Protection(),
    behaviour,
    customPrompt: options.systemPrompt,
    appendSystemPrompt: options.appendSystemPrompt,
    adjustResources: options.resources ?? ((found) => found),
    loadExtensions: () => load(cwd, options),
    changes: new Changes(),
    watch: watchFor(options, session, onLog),
    log: onLog,
    session,
    run,
    side,
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
    checkTools(wanted ?? [], tools, core);
  } catch (thrown) {
    await agent.dispose();
    throw thrown;
  }
  return agent;
}

/** Tools of extensions may be named too; they are offered in any case. */
function checkTools(wanted: readonly string[], own: readonly HostTool[], { tools }: Core): void {
  const names = [...new Set([...own.map(({ name }) => name), ...tools.active().keys()])];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const close = nearest(unknown, names);
  const hint = close ? `Did you mean "${close}"?` : `There are: ${names.join(", ")}.`;
  throw new SeamError("SEAM_USAGE", { detail: `There is no tool "${unknown}". ${hint}` });
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

async function load(cwd: string, options: AgentOptions): Promise<ExtensionSet> {
  const { extensions: sources = [], flags = {}, cacheDir = false, deadlines } = options;
  const set = await loadExtensions({
    cwd,
    sources,
    cacheDir,
    modules: piModules,
    ...(deadlines && { deadlines }),
  });
  const values = typeof flags === "function" ? flags(set) : flags;
  for (const [name, value] of Object.entries(values)) set.setFlag(name, value);
  return set;
}

/** Stands in until the extensions are loaded. */
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
      throw new SeamError("SEAM_USAGE", { detail: `Cannot open ${file}: sessions are in memory.` });
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
