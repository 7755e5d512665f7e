import { messageOf } from "../../errors/index.ts";
import { failureOf } from "../models/index.ts";

/** Shorter than this, a text is not what made a request too long. */
const SHORTEST = 1_000;

/**
 * Goes through a text with a model: as a whole or, if the provider says that this is too long, one
 * half after the other. `before` is what came out of the part before.
 */
export async function inParts(
  text: string,
  before: string,
  ask: (part: string, before: string) => Promise<string>,
): Promise<string> {
  try {
    return await ask(text, before);
  } catch (thrown) {
    if (text.length < SHORTEST || !isOverflow(thrown)) throw thrown;
  }
  const middle = middleOf(text);
  const first = await inParts(text.slice(0, middle), before, ask);
  return inParts(text.slice(middle), first, ask);
}

function isOverflow(thrown: unknown): boolean {
  const failed = { stopReason: "error", errorMessage: messageOf(thrown) } as const;
  return failureOf(failed)?.kind === "overflow";
}

/** Between two messages if there is such a place about there, never inside of a character. */
function middleOf(text: string): number {
  const half = Math.floor(text.length / 2);
  const gap = text.lastIndexOf("\n\n", half);
  if (gap > text.length / 4) return gap + 2;
  const isInside = /[\udc00-\udfff]/.test(text.charAt(half));
  return isInside ? half - 1 : half;
}
