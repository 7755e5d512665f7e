import type { Now } from "../../src/view/api.ts";
import type { Address } from "../data/address.ts";

export type Question = Now["questions"][number];

/** Where it is shown what a question is about: the session that asks, or the board of a crew's run. */
export function questionAddress(question: Question): Address {
  const { agent, session, run } = question;
  return run === undefined
    ? { view: "now", session: { agent, session }, query: {} }
    : { view: "crews", query: { run } };
}

/** Who asks, in a word or two. */
export function askerOf(question: Question, session: { readonly agentType: string } | undefined) {
  return question.run === undefined ? (session?.agentType ?? question.agent) : "Crew";
}
export type RememberedFor = NonNullable<Question["rememberable"]>[number];

/** A choice of a question, with the key that gives it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** y, n, or a digit. */
  readonly key?: string;
  readonly kind: "yes" | "no" | "other";
}

const YES = /^(yes|y|allow|approve|accept|ok|run|proceed|continue)\b/i;
const NO = /^(no|n|deny|reject|block|cancel|stop|abort|don'?t|never)\b/i;

/** How a question can be answered. Texts that are typed have no choices. */
export function choicesOf(question: Question): readonly Choice[] {
  if (question.method === "confirm") {
    const isAct = question.call !== undefined;
    return [
      { value: "yes", label: isAct ? "Allow" : "Yes", key: "y", kind: "yes" },
      { value: "no", label: isAct ? "Deny" : "No", key: "n", kind: "no" },
    ];
  }
  if (question.method !== "select") return [];
  const values = question.choices ?? [];
  const yes = values.filter((value) => YES.test(value));
  const no = values.filter((value) => NO.test(value));
  return values.map((value, n) => {
    // Two choices that both say yes have numbers: a key must not guess which is meant.
    if (yes.length === 1 && yes[0] === value) return { value, label: value, key: "y", kind: "yes" };
    if (no.length === 1 && no[0] === value) return { value, label: value, key: "n", kind: "no" };
    return { value, label: value, kind: "other", ...(n < 4 ? { key: String(n + 1) } : {}) };
  });
}

const REMEMBERED: Readonly<Record<RememberedFor, (question: Question) => string>> = {
  command: () => "this command",
  path: () => "this file",
  tool: ({ call }) => (call ? `every ${call.tool}` : "every call of this tool"),
};

/** What "always" and "never" can hold for, in words. */
export function rememberedFor(
  question: Question,
): readonly { readonly what: RememberedFor; readonly label: string }[] {
  return (question.rememberable ?? []).map((what) => ({
    what,
    label: REMEMBERED[what](question),
  }));
}

/** What a call is about, whole: its command, or its input as it is. */
export function wholeOf(call: NonNullable<Question["call"]>): string | undefined {
  if (call.diff) return undefined;
  const { command, content, path } = call.input;
  if (typeof command === "string") return command;
  if (typeof content === "string")
    return typeof path === "string" ? `${path}\n\n${content}` : content;
  if (Object.keys(call.input).length === 0) return undefined;
  return JSON.stringify(call.input, null, 2);
}

/** What a question is about, in one line: of a call what it would do, else what is said. */
export function subjectOf({ call, message }: Question): string | undefined {
  const path = call?.input.path;
  const isChange = call?.diff !== undefined && typeof path === "string";
  const whole = isChange ? path : ((call && wholeOf(call)) ?? message);
  return whole?.trim().split("\n", 1)[0] || undefined;
}

/** Those of the session one looks at first, then by how long they wait. What was put off comes last. */
export function ordered(
  questions: readonly Question[],
  at: { readonly agent: string; readonly session: string } | undefined,
): readonly Question[] {
  const rank = (question: Question) => {
    if (question.isHeld) return 2;
    return at && question.agent === at.agent && question.session === at.session ? 0 : 1;
  };
  return questions.toSorted((one, other) => rank(one) - rank(other));
}
