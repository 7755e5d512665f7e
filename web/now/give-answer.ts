import type { Answered } from "../../src/view/api.ts";
import { attempt } from "../app/notices.tsx";
import { post } from "../data/http.ts";
import { live } from "../data/live.ts";
import { next } from "../data/live-state.ts";
import type { Question, RememberedFor } from "./answers.ts";

interface Given {
  readonly value?: string;
  readonly act?: "cancel" | "hold";
  readonly remember?: RememberedFor;
}

/** Answers a question. The page shows it at once, also when its stream is interrupted. */
export async function giveAnswer(question: Question, given: Given): Promise<boolean> {
  const { id } = question;
  const who = "the page";
  const answered = await attempt(() => post<Answered>("api/answer", { id, who, ...given }));
  if (!answered) return false;
  live.value = next(
    live.peek(),
    "held" in answered
      ? { type: "held", id, who }
      : { type: "settled", id, question, settled: answered.settled },
    Date.now(),
  );
  return true;
}
