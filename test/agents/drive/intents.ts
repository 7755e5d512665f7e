import { isAbsolute, join } from "node:path";
import type { LateToolCall, Script, ToolCall, Turn } from "../model-server/script.ts";

/** What a test wants the model to do, in words that hold for every agent. */
export type Intent =
  | { readonly do: "shell"; readonly command: string }
  | { readonly do: "write"; readonly path: string; readonly content: string }
  | { readonly do: "edit"; readonly path: string; readonly before: string; readonly after: string }
  | { readonly do: "read"; readonly path: string }
  | { readonly do: "skill"; readonly name: string }
  | { readonly do: "subagent"; readonly prompt: string }
  /** A subagent that nobody waits for. */
  | { readonly do: "background"; readonly prompt: string };

type Native = ToolCall | LateToolCall;

/**
 * The same in the agent's own tools; what is missing, this agent has no tool for. Several calls are
 * made in turns of their own, one after the other.
 */
export type Tools = {
  readonly [Kind in Intent["do"]]?: (
    intent: Extract<Intent, { do: Kind }>,
  ) => ToolCall | readonly Native[];
};

/** Intents and calls in the agent's own words can be mixed. */
export type IntentScript = Script<Intent | Native>;

interface Words {
  readonly tools: Tools;
  readonly endOfSubagent?: (result: string) => ToolCall;
}

/** Paths in intents are relative to `cwd`; agents get them absolute, as most insist on that. */
export function inNativeWords(script: IntentScript, words: Words, cwd: string): Script {
  const native = (turns: IntentScript["turns"]) =>
    turns.flatMap((turn) => nativeTurns(turn, words.tools, cwd));
  return {
    ...script,
    turns: native(script.turns),
    subagents: (script.subagents ?? []).map(({ prompt, turns }) => ({
      prompt,
      turns: handedIn(native(turns), words),
    })),
  };
}

function nativeTurns(turn: Turn<Intent | Native>, tools: Tools, cwd: string): Turn<Native>[] {
  const { toolCalls, ...rest } = turn;
  if (!toolCalls) return [rest];
  const calls = toolCalls.map((call) => nativeCalls(call, tools, cwd));
  const later = calls.flatMap(([, ...others]) => others);
  return [
    { ...rest, toolCalls: calls.flatMap(([first]) => first ?? []) },
    ...later.map((call) => ({ toolCalls: [call] })),
  ];
}

function nativeCalls(call: Intent | Native, tools: Tools, cwd: string): readonly Native[] {
  if (typeof call === "function" || !("do" in call)) return [call];
  const intent = "path" in call ? { ...call, path: absolute(call.path, cwd) } : call;
  // The table has for each kind the function that takes this kind: the compiler cannot follow.
  const make = tools[intent.do] as ((intent: Intent) => Native | readonly Native[]) | undefined;
  if (!make) throw new Error(`This agent has no tool for "${intent.do}".`);
  return [make(intent)].flat();
}

function handedIn(turns: Turn<Native>[], { endOfSubagent }: Words): Turn<Native>[] {
  const last = turns.at(-1);
  if (!endOfSubagent || !last || last.toolCalls) return turns;
  const { text = "", ...rest } = last;
  return [...turns.slice(0, -1), { ...rest, toolCalls: [endOfSubagent(text)] }];
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}
