import { signal } from "@preact/signals";
import type { Answered } from "../../src/view/api.ts";
import { tell } from "../app/notices.tsx";
import { asRefused, isUnreachable, post } from "../data/http.ts";
import { live, readNow } from "../data/live.ts";
import { next } from "../data/live-state.ts";
import type { Question, RememberedFor } from "./answers.ts";

/** What a person said to a question. */
export interface Given {
  readonly value?: string;
  readonly act?: "cancel" | "hold";
  readonly remember?: RememberedFor;
}

/** An answer on its way to Seam. */
interface Sent {
  readonly given: Given;
  /** It did not arrive, and is sent again until it does. */
  readonly isLate: boolean;
  readonly takenBack: AbortController;
}

/** By question. They are kept here because another question may take the card's place meanwhile. */
export const sentAnswers = signal<ReadonlyMap<string, Sent>>(new Map());

const AGAIN_MS = 1_000;
/** A daemon that says nothing for so long hangs. It may still have heard: the next try will tell. */
const SILENT_MS = 10_000;
/** The question was closed by somebody else, or by this very answer, whose receipt got lost. */
const CLOSED: ReadonlySet<string> = new Set(["SEAM_INBOX_ANSWERED", "SEAM_INBOX_UNKNOWN"]);
const WHO = "the page";

/**
 * Answers a question. The page shows it at once, also when its stream is interrupted. While Seam does
 * not answer, the page says so and sends the answer again, until it arrives or is taken back.
 */
export async function giveAnswer(question: Question, given: Given): Promise<void> {
  const { id } = question;
  if (sentAnswers.peek().has(id)) return;
  const takenBack = new AbortController();
  note(id, { given, isLate: false, takenBack });
  try {
    for (let isLate = false; !takenBack.signal.aborted; ) {
      const answered = await sentOnce(id, given, isLate);
      if (answered === "unreachable") {
        isLate = true;
        note(id, { given, isLate, takenBack });
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        continue;
      }
      if (answered) show(question, answered);
      return;
    }
  } finally {
    note(id, undefined);
  }
}

export function takeBack(id: string): void {
  sentAnswers.peek().get(id)?.takenBack.abort();
  note(id, undefined);
}

/** Undefined if Seam does not take the answer: then the page has said why. */
async function sentOnce(
  id: string,
  given: Given,
  isLate: boolean,
): Promise<Answered | "unreachable" | undefined> {
  try {
    const late = AbortSignal.timeout(SILENT_MS);
    return await post<Answered>("api/answer", { id, who: WHO, ...given }, late);
  } catch (error) {
    const refused = asRefused(error);
    if (isUnreachable(refused)) return "unreachable";
    const isClosed = CLOSED.has(refused.code);
    tell(refused.message, isLate && isClosed ? "warning" : "error", refused.next);
    if (isClosed) await readNow();
    return undefined;
  }
}

function show(question: Question, answered: Answered): void {
  const { id } = question;
  live.value = next(
    live.peek(),
    "held" in answered
      ? { type: "held", id, who: WHO }
      : { type: "settled", id, question, settled: answered.settled },
    Date.now(),
  );
}

function note(id: string, sent: Sent | undefined): void {
  const all = new Map(sentAnswers.peek());
  if (sent) all.set(id, sent);
  else all.delete(id);
  sentAnswers.value = all;
}
