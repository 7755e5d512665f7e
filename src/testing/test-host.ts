import {
  type Asker,
  type DecisionOf,
  decideToolCall,
  type ToolCallDecision,
} from "../dispatch/index.ts";
import { messageOf, SeamError } from "../errors/index.ts";
import {
  type EventMap,
  explainUnknownEvent,
  isEventName,
  mismatch,
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
import { askUser, type SessionTree } from "../host/index.ts";
import type { ToolResult } from "../tools/index.ts";
import { type LedSession, MemoryHost, type SentMessage } from "./memory-host.ts";
import type { Answer, UIRecord } from "./scripted-ui.ts";

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
 * assert(decision.blocked);
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const { extensions: sources, cwd = process.cwd(), deadlines, flags = {} } = options;
  const load = async () => {
    const set = await loadExtensions({ cwd, sources, ...(deadlines && { deadlines }) });
    for (const [name, value] of Object.entries(flags)) set.setFlag(name, value);
    return set;
  };
  const { answers, replies, sessions } = options;
  const host = new MemoryHost({ cwd, load, answers, replies, sessions });
  await host.start("startup");
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
      if (detail) throw new SeamError("SEAM_USAGE", { detail: `${event.type}: ${detail}` });
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
    runTool: (toolName, input) => runTool(host, toolName, `call-${++calls}`, input),
    async command(line) {
      const [, name, args = ""] = /^\/?(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
      const command = host.set.commands().find((one) => one.invocationName === name);
      if (!command) throw new SeamError("SEAM_USAGE", { detail: `There is no command /${name}.` });
      await command.run(args);
    },
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

/** Questions of gates go to the scripted person, like all others. */
function askIn(host: MemoryHost): Asker {
  return (question) => askUser(host, question);
}

async function runTool(
  host: MemoryHost,
  toolName: string,
  toolCallId: string,
  input: Record<string, unknown>,
): Promise<ToolResult> {
  const { dispatcher } = host.set;
  const found = host.set.tools().find(({ tool }) => tool.name === toolName);
  if (!found) throw new SeamError("SEAM_USAGE", { detail: `There is no tool "${toolName}".` });
  const { tool, extension } = found;
  const call = { toolName, toolCallId };
  dispatcher.emit({ type: "tool_execution_start", ...call, args: input });
  let result: ToolResult;
  try {
    const args = (tool.prepareArguments?.(input) ?? input) as Record<string, unknown>;
    const problem = mismatch(tool.parameters, args);
    if (problem !== undefined) throw new Error(`The arguments are wrong: ${problem}.`);
    const { parameters: schema } = tool;
    const event = { type: "tool_call" as const, ...call, input: args };
    const decision = await decideToolCall(dispatcher, event, { schema, asker: askIn(host) });
    if (decision.blocked) {
      result = failed(decision.reason ?? "");
    } else {
      const onUpdate = (partialResult: ToolResult) =>
        void dispatcher.emit({ type: "tool_execution_update", ...call, args, partialResult });
      const ctx = host.set.context(extension);
      const ran = await tool
        .execute(toolCallId, decision.input, undefined, onUpdate, ctx)
        .catch((thrown: unknown) => failed(messageOf(thrown)));
      result = await transformed(host, call, decision.input, ran);
    }
  } catch (thrown) {
    result = failed(messageOf(thrown));
  }
  dispatcher.emit({
    type: "tool_execution_end",
    ...call,
    result,
    isError: result.isError === true,
  });
  await dispatcher.settled();
  return result;
}

function failed(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

async function transformed(
  host: MemoryHost,
  call: { toolName: string; toolCallId: string },
  input: Readonly<Record<string, unknown>>,
  { content, details, isError = false, terminate }: ToolResult,
): Promise<ToolResult> {
  const before: EventMap["tool_result"] = {
    type: "tool_result",
    ...call,
    input: { ...input },
    content,
    details,
    isError,
  };
  const { event, withheldBy } = await host.set.dispatcher.emit(before);
  if (withheldBy !== undefined) {
    const text = `The result was withheld: ${withheldBy} failed to check it.`;
    return { content: [{ type: "text", text }], isError: true };
  }
  const { content: c, details: d, isError: e } = event;
  return { content: c, details: d, isError: e, ...(terminate && { terminate }) };
}
