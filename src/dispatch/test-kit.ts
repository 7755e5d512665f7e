/** What the tests of this room share: extensions, sample events, handlers that misbehave. */
import type { AgentMessage, EventMap } from "../events/index.ts";
import {
  Dispatcher,
  type DispatcherOptions,
  type HandlerCall,
  type Owner,
  type Problem,
} from "./index.ts";

/** What handlers of a test extension get as their second argument. */
export interface TestContext {
  readonly call: HandlerCall;
}

export interface TestOwner extends Owner {
  /** One for every context that was made. */
  readonly calls: readonly HandlerCall[];
}

export function extension(name: string, options: { critical?: boolean } = {}): TestOwner {
  const calls: HandlerCall[] = [];
  return {
    name,
    path: `/extensions/${name}.ts`,
    ...options,
    calls,
    createContext(call): TestContext {
      calls.push(call);
      return { call };
    },
  };
}

/** A dispatcher and everything that was reported to it. */
export function setUp(options: DispatcherOptions = {}) {
  const problems: Problem[] = [];
  const dispatcher = new Dispatcher({ onProblem: (problem) => problems.push(problem), ...options });
  const codes = () => problems.map(({ error }) => error.code);
  return { dispatcher, problems, codes };
}

export function never(): Promise<never> {
  return new Promise(() => {});
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Lets everything run that is ready to. */
export function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function deferred<T = void>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

type Settle = (value?: unknown) => void;
/** Spelt out of line: an object with a `then` is what the linter warns of, and what is tested. */
export const THEN = "then";

/** Something that has a `then` and is not a promise. */
export function thenable(then: (resolve: Settle, reject: Settle) => void): unknown {
  return { [THEN]: then };
}

/** The ways in which a handler fails. Use with `deadlineMs: 20`. */
export const FAILURES = [
  {
    how: "throws",
    code: "SEAM_HANDLER_THREW",
    run: () => {
      throw new Error("boom");
    },
  },
  {
    how: "rejects",
    code: "SEAM_HANDLER_THREW",
    run: async () => {
      throw new Error("boom");
    },
  },
  { how: "never returns", code: "SEAM_HANDLER_TIMEOUT", run: never },
  { how: "returns nonsense", code: "SEAM_HANDLER_RESULT", run: () => "nonsense" },
  { how: "resolves to nonsense", code: "SEAM_HANDLER_RESULT", run: async () => 42 },
] as const;

export function toolCall(input: Record<string, unknown> = { command: "ls" }) {
  return {
    type: "tool_call",
    toolName: "bash",
    toolCallId: "call-1",
    input,
  } as const satisfies EventMap["tool_call"];
}

export function toolResult(text = "out"): EventMap["tool_result"] {
  return {
    type: "tool_result",
    toolName: "bash",
    toolCallId: "call-1",
    input: { command: "ls" },
    content: [{ type: "text", text }],
    isError: false,
  };
}

export function said(content: string): AgentMessage {
  return { role: "user", content, timestamp: 0 };
}

export function contextOf(...texts: string[]): EventMap["context"] {
  return { type: "context", messages: texts.map(said) };
}

export function input(text = "hello"): EventMap["input"] {
  return { type: "input", text, source: "interactive" };
}

export function beforeFork(): EventMap["session_before_fork"] {
  return { type: "session_before_fork", entryId: "entry-1" };
}

export function beforeAgentStart(systemPrompt = "base"): EventMap["before_agent_start"] {
  return { type: "before_agent_start", prompt: "do it", systemPrompt };
}

export function userBash(): EventMap["user_bash"] {
  return { type: "user_bash", command: "ls", excludeFromContext: false, cwd: "/" };
}

export function discover(): EventMap["resources_discover"] {
  return { type: "resources_discover", cwd: "/", reason: "startup" };
}

export function turnStart(turnIndex = 0): EventMap["turn_start"] {
  return { type: "turn_start", turnIndex, timestamp: 0 };
}

/** One event of every kind that comes to a decision. */
export const DECIDED = [
  { kind: "gate", event: toolCall() },
  { kind: "transform", event: contextOf("hello") },
  { kind: "claim", event: userBash() },
  { kind: "collect", event: discover() },
] as const;
