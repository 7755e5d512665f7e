import { usageError } from "../../errors/index.ts";
import { nearest, THINKING_LEVELS } from "../../events/index.ts";
import type { SessionChoice } from "./open-session.ts";

const MODES = ["text", "json", "rpc"] as const;

function oneOf<T extends string>(option: string, given: string, known: readonly T[]): T {
  const found = known.find((one) => one === given);
  if (found) return found;
  const close = nearest(given, known);
  const hint = close ? `Did you mean ${close}?` : `It is one of: ${known.join(", ")}.`;
  throw usageError(`${option} cannot be "${given}".`, hint);
}

export const modeOf = (given: string) => oneOf("--mode", given, MODES);
export const levelOf = (given: string) => oneOf("--thinking", given, THINKING_LEVELS);

/** None of these makes sense beside another. */
export function checkChoice(choice: SessionChoice): void {
  const given = [
    ...(choice.continue ? ["--continue"] : []),
    ...(choice.resume === undefined ? [] : ["--resume"]),
    ...(choice.fork === undefined ? [] : ["--fork"]),
    ...(choice.session === undefined ? [] : ["--session"]),
    ...(choice.noSession ? ["--no-session"] : []),
  ];
  if (given.length > 1) {
    throw usageError(`${given.join(" and ")} cannot be used together.`, "Leave out all but one.");
  }
}
