import { SeamError } from "../../errors/index.ts";
import type { Question, Settled } from "./question.ts";

/** Other words for a choice that people type. */
const SHORT: Readonly<Record<string, string>> = { y: "yes", n: "no", allow: "yes", deny: "no" };

/**
 * The answer a question takes: one of its choices, however it is written, or the text. A choice can
 * also be named by its number, from 1 on, where it is not itself called so.
 */
export function checkedAnswer({ id, choices, method }: Question, given = ""): string {
  if (!choices) return given;
  const wanted = given.trim().toLowerCase();
  const meant = method === "confirm" ? (SHORT[wanted] ?? wanted) : wanted;
  const found =
    choices.find((choice) => choice === given) ??
    choices.find((choice) => choice.trim().toLowerCase() === meant) ??
    (/^\d+$/.test(meant) ? choices[Number(meant) - 1] : undefined) ??
    onlyOne(choices.filter((choice) => choice.toLowerCase().startsWith(meant)));
  if (found === undefined || meant === "") {
    throw new SeamError("SEAM_INBOX_CHOICE", { id, given, choices: choices.join(", ") });
  }
  return found;
}

function onlyOne(found: readonly string[]): string | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** Whoever answers a question that is closed hears who was faster. */
export function alreadyAnswered(id: string, settled: Settled): SeamError {
  const what = "value" in settled ? `${settled.who} answered "${settled.value}"` : settled.why;
  return new SeamError("SEAM_INBOX_ANSWERED", { id, what });
}
