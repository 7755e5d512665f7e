import { type DecisionOf, decideToolCall, type ToolCallDecision } from "../dispatch/index.ts";
import { SeamError, usageError } from "../errors/index.ts";
import {
  explainUnknownEvent,
  isEventName,
  payloadMismatch,
  type SeamEvent,
} from "../events/index.ts";
import {
  type ExtensionProblem,
  type ExtensionSet,
  type LoadOptions,
  loadExtensions,
  type OtherSession,
} from "../extensions/index.ts";
import { piModules, type SessionTree } from "../host/index.ts";
import type { ToolResult } from "../tools/index.ts";
import { type LedSession, MemoryHost, type SentMessage } from "./memory-host.ts";
import { askIn, runTool } from "./run-tool.ts";
import type { Answer, UIRecord } from "./scripted-ui.ts";

const REGISTER = "Check the name. Only what the extensions of this host registered is there.";

/** What a test host runs, and how its dialogs are answered. */
export interface TestHostOptions {
  /** Paths of extension files, or factories. */
  readonly extensions: LoadOptions["sources"];
  readonly cwd?: string;
  /**
   * Answers to dialogs, in order; `true` or `false` to a gate that asks. Without any, `ctx.hasUI`
   * is false, and nobody can be asked.
   */
  readonly answers?: readonly Answer[];
  /** What models say when an extension asks one. */
  readonly replies?: readonly string[];
  /** What `pi.sessions.list()` gives: the sessions of other agents. */
  readonly sessions?: readonly OtherSession[];
  /** What `pi.getSettings()` gives. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Puts what was said and kept before into the session, which is then resumed. */
  readonly session?: (session: SessionTree) => void;
  readonly flags?: Readonly<Record<string, boolean | string>>;
  readonly deadlines?: LoadOptions["deadlines"];
}

/** A place to run extensions without an agent. */
export interface TestHost {
  /** Sends an event and waits for the decision; observed events are delivered when it returns. */
  emit<Event extends SeamEvent>(event: Event): Promise<DecisionOf<Event["type"]>>;
  /** Puts a tool call through tool_call, the schema and tool_admit. Nothing is run. */
  toolCall(toolName: string, input: Record<string, unknown>): Promise<ToolCallDecision>;
  /** Runs a tool an extension registered, with all events around it. */
  runTool(toolName: string, input: Record<string, unknown>): Promise<ToolResult>;
  /** Runs a command: "/name arguments". */
  command(line: string): Promise<void>;
  /** Loads the extensions anew into the same session, as `ctx.reload()` does. */
  reload(): Promise<void>;
  readonly extensions: ExtensionSet;
  readonly session: SessionTree;
  readonly ui: UIRecord;
  readonly sent: readonly SentMessage[];
  /** What extensions wanted of the sessions of other agents. */
  readonly led: readonly LedSession[];
  readonly problems: readonly ExtensionProblem[];
  dispose(): Promise<void>;
}

/**
 * Loads extensions into a session in memory. Throws if one of them does not load: what it would have
 * stopped would else seem allowed.
 *
 * @example
 * const host = await createTestHost({ extensions: ["./no-rm.ts"] });
 * const decision = await host.toolCall("bash", { command: "rm -rf /" });
 * console.log(decision.blocked); // true
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const { extensions: sources, cwd = process.cwd(), deadlines, flags = {} } = options;
  const load = async () => {
    const modules = piModules;
    const set = await loadExtensions({ cwd, sources, modules, ...(deadlines && { deadlines }) });
    for (const [name, value] of Object.entries(flags)) set.setFlag(name, value);
    return set;
  };
  const { answers, replies, sessions, settings } = options;
  const host = new MemoryHost({ cwd, load, answers, replies, sessions, settings });
  options.session?.(host.sessionManager);
  await host.start(options.session ? "resume" : "startup");
  const [failure] = host.set.failures;
  if (failure) {
    await host.stop("quit");
    throw failure.problem.error;
  }
  let calls = 0;

  return {
    async emit(event) {
      if (!isEventName(event.type)) {
        const { type } = event as { type: unknown };
        const hint = explainUnknownEvent(String(type));
        throw new SeamError("SEAM_EVENT_UNKNOWN", { path: "The test", event: String(type), hint });
      }
      const detail = payloadMismatch(event.type, event);
      if (detail) {
        throw usageError(
          `${event.type}: ${detail}`,
          "Give the event the payload that docs/events.md shows.",
        );
      }
      const decision = await host.set.dispatcher.emit(event);
      await host.set.dispatcher.settled();
      return decision;
    },
    toolCall(toolName, input) {
      const event = { type: "tool_call" as const, toolName, toolCallId: `call-${++calls}`, input };
      const schema = host.set.tools().find(({ tool }) => tool.name === toolName)?.tool.parameters;
      return decideToolCall(host.set.dispatcher, event, {
        trace: true,
        schema,
        asker: askIn(host),
      });
    },
    runTool: async (toolName, input) => {
      if (!host.set.tools().some(({ tool }) => tool.name === toolName)) {
        throw usageError(`There is no tool "${toolName}".`, REGISTER);
      }
      return runTool(host, { toolName, toolCallId: `call-${++calls}` }, input);
    },
    async command(line) {
      const [, name, args = ""] = /^\/?(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
      const command = host.set.commands().find((one) => one.invocationName === name);
      if (!command) throw usageError(`There is no command /${name}.`, REGISTER);
      await command.run(args);
    },
    reload: () => host.reload(),
    get extensions() {
      return host.set;
    },
    get session() {
      return host.sessionManager;
    },
    get ui() {
      return host.seen;
    },
    get led() {
      return host.led;
    },
    get sent() {
      return host.sent;
    },
    get problems() {
      return host.problems;
    },
    dispose: () => host.stop("quit"),
  };
}
