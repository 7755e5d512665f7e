import { useState } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import { clock } from "../data/clock.ts";
import { live } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { go } from "../data/route.ts";
import { baseName, countdown } from "../parts/format.ts";
import { inSight } from "../parts/in-sight.ts";
import { askerOf, ordered, type Question, questionAddress, subjectOf } from "./answers.ts";
import { chosen } from "./chosen.ts";
import { QuestionCard } from "./question-card.tsx";

/** More than these would leave no room for what they are about. */
const MOST_LINES = 2;

/**
 * What waits for a person, above everything: one question whole, the others in a line each. Above a
 * conversation only a question of its own is shown whole; a line leads to where the others are from.
 */
export function Inbox() {
  const { questions, answered } = live.value;
  const [wanted, setWanted] = useState<string | undefined>(undefined);
  const [isWhole, setWhole] = useState(false);
  const at = chosen.value;
  const inOrder = ordered(questions, at);
  const isHere = (question: Question) => at === undefined || isSame(question, at);
  const here = inOrder.filter(isHere);
  const first = here.find(({ id }) => id === wanted) ?? here[0];
  const others = inOrder.filter((question) => question !== first);
  const open = (question: Question) => {
    setWanted(question.id);
    if (!isHere(question)) go(questionAddress(question));
  };
  useKeys({
    "answer.next": () => {
      const next = inOrder[first ? (inOrder.indexOf(first) + 1) % inOrder.length : 0];
      if (!next || next === first) return false;
      open(next);
      return true;
    },
  });
  if (inOrder.length + answered.length === 0) return null;
  return (
    <div class="inbox" aria-live="polite">
      {answered.map(({ question, text }) => (
        <p class="answered" key={question.id}>
          ✓ {text} <span class="faint">{inSight(question.title)}</span>
        </p>
      ))}
      {first && <QuestionCard key={first.id} question={first} isFirst />}
      {(isWhole ? others : others.slice(0, MOST_LINES)).map((question) => (
        <WaitingLine key={question.id} question={question} open={() => open(question)} />
      ))}
      {others.length > MOST_LINES && (
        <button type="button" class="text small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `and ${others.length - MOST_LINES} more`}
        </button>
      )}
    </div>
  );
}

function WaitingLine({ question, open }: { question: Question; open: () => void }) {
  const left = question.deadline ? Date.parse(question.deadline) - clock.value : undefined;
  const session = live.value.sessions.find((one) => isSame(one, question));
  return (
    <button type="button" class="waiting-line" onClick={open}>
      <span class="dot" aria-hidden="true" />
      <span class="title">{inSight(question.title)}</span>
      <span class="cut subject">{inSight(subjectOf(question) ?? "")}</span>
      <span class="faint where">
        {askerOf(question, session)} · {baseName(question.cwd)}
      </span>
      <span class="push faint time">
        {question.isHeld ? "put off" : left !== undefined && countdown(left)}
      </span>
    </button>
  );
}
