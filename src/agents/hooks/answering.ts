import type { UserContent } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { textOf } from "./content.ts";
import { type Json, jsonText } from "./fields.ts";
import { type HookAnswer, NO_ANSWER } from "./hook-answer.ts";
import type { Evidence, Payload } from "./hook-support.ts";
import { POWERS, type Power } from "./power.ts";
import type { Told } from "./told.ts";

/** What the agent is told through a power. */
interface Said {
  block: string;
  ask: string;
  rewrite_input: Json;
  replace_result: { content: readonly UserContent[]; isError: boolean; text: string };
  add_context: string;
  block_prompt: string;
  rewrite_prompt: string;
  continue: string;
  cancel: string;
  interrupt: string;
  message: string;
}

interface Asked {
  readonly hook: string;
  readonly payload: Payload;
  /** All that is to be told, for words that depend on what else is said. */
  readonly told: Told;
}

/** A part of the answer: fields of the JSON that is printed, or an exit code and a reason. */
export type Spoken = { readonly say: Json } | { readonly exit: number; readonly stderr: string };

/** How an agent wants to hear something. Undefined: this cannot be said to this payload. */
export type Wording<P extends Power> = (said: Said[P], asked: Asked) => Spoken | undefined;

/** Everything an agent can be told in answer to one hook, and how that is known. */
export type Wordings = {
  readonly [P in Power]?: { readonly evidence: Evidence; readonly words: Wording<P> };
};

/** Proved on the agent's own program. */
export const real = <Words>(words: Words) => ({ evidence: "real", words }) as const;
/** Known only from recorded payloads and documents, not proved on the program. */
export const fixture = <Words>(words: Words) => ({ evidence: "fixture", words }) as const;

const NO_REASON = "Not allowed.";
const reasonOf = (reason: string) => (reason.trim() === "" ? NO_REASON : reason);
const something = (text: string | undefined) => (text?.trim() ? text : undefined);

/** What each power has to say; undefined if that is nothing. */
const SAID: { readonly [P in Power]: (told: Told) => Said[P] | undefined } = {
  block: ({ block }) => block && reasonOf(block.reason),
  ask: ({ ask }) => ask && reasonOf(ask.reason),
  rewrite_input: ({ input }) => input && { ...input },
  replace_result: ({ result }) => result && { ...result, text: textOf(result.content) },
  add_context: ({ context }) => something(context),
  block_prompt: ({ prompt }) =>
    prompt?.blocked === undefined ? undefined : reasonOf(prompt.blocked),
  rewrite_prompt: ({ prompt }) => prompt?.text,
  continue: ({ goOn }) => something(goOn),
  cancel: ({ cancel }) => cancel && reasonOf(cancel.reason),
  interrupt: ({ interrupt }) => interrupt && reasonOf(interrupt.reason),
  message: ({ message }) => something(message),
};

/** After one of these, only the end of the turn and a message for the user can be said. */
const FINAL: readonly Power[] = ["block", "block_prompt", "cancel"];
const BESIDE: readonly Power[] = ["interrupt", "message"];

/** The answer to a hook: what is to be told, as far as this agent has words for it. */
export function answerWith(wordings: Wordings, given: Asked): HookAnswer {
  const asked = canAsk(wordings, given) ? given : withoutQuestion(given);
  const all = (powers: readonly Power[]) =>
    powers.flatMap((power) => speak(wordings, power, asked) ?? []);
  const final = all(FINAL);
  const spoken = final.length > 0 ? [...final, ...all(BESIDE)] : all(POWERS);
  const exit = spoken.find((part) => "exit" in part);
  // An exit code is the whole answer: agents do not read what is printed beside it.
  if (exit) return { stdout: "", stderr: exit.stderr, exitCode: exit.exit };
  const say = spoken.flatMap((part) => ("say" in part ? [part.say] : [])).reduce(merged, {});
  return Object.keys(say).length > 0 ? { stdout: jsonText(say), exitCode: 0 } : NO_ANSWER;
}

/** Whether the agent has words for the question. */
export function canAsk(wordings: Wordings, asked: Asked): boolean {
  return speak(wordings, "ask", asked) !== undefined;
}

/** A question that cannot be put is a no: the call must not run as if nobody had asked. */
function withoutQuestion(asked: Asked): Asked {
  const { ask, ...rest } = asked.told;
  return ask ? { ...asked, told: { block: ask, ...rest } } : asked;
}

function speak<P extends Power>(
  wordings: { readonly [Q in P]?: { readonly words: Wording<Q> } },
  power: P,
  asked: Asked,
): Spoken | undefined {
  const words = wordings[power]?.words;
  const said = words && SAID[power](asked.told);
  return said === undefined ? undefined : words?.(said, asked);
}

function merged(a: Json, b: Json): Json {
  const result = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = result[key];
    result[key] = isRecord(before) && isRecord(value) ? merged(before, value) : value;
  }
  return result;
}
