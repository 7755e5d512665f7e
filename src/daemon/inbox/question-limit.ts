import type { Question } from "./question.ts";

/** Each question is kept on disk and told to everybody attached, which takes time from all hooks. */
const MOST_OF_A_SESSION = 100;
const MOST_IN_ALL = 1_000;

interface Waiting {
  readonly question: Question;
  readonly settled?: unknown;
}

/** Whether so many questions wait that a session may not ask another one. */
export function isFull(
  waiting: ReadonlyMap<string, Waiting>,
  { agent, session }: Pick<Question, "agent" | "session">,
): boolean {
  if (waiting.size < MOST_OF_A_SESSION) return false;
  const open = [...waiting.values()].filter(({ settled }) => settled === undefined);
  const its = open.filter(
    ({ question }) => question.agent === agent && question.session === session,
  );
  return open.length >= MOST_IN_ALL || its.length >= MOST_OF_A_SESSION;
}
