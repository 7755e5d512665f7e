import { clock } from "../data/clock.ts";
import { countdown } from "../parts/format.ts";
import type { Question } from "./answers.ts";

/** What happens if nobody answers, and when. */
export function Deadline({ question }: { question: Question }) {
  const { deadline, otherwise } = question;
  if (!deadline) return <small class="push dim">without an answer: {inside(otherwise)}</small>;
  const left = Date.parse(deadline) - clock.value;
  return (
    <small class="push dim" data-soon={left < 60_000}>
      <b>{countdown(left)}</b> left; without an answer: {inside(otherwise)}
    </small>
  );
}

/** A sentence as a part of another one. */
function inside(sentence: string): string {
  return /^[A-Z][a-z]/.test(sentence) ? sentence[0]?.toLowerCase() + sentence.slice(1) : sentence;
}
