import { useState } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import { clock } from "../data/clock.ts";
import { live } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { baseName, countdown } from "../parts/format.ts";
import { ordered, type Question } from "./answers.ts";
import { chosen } from "./chosen.ts";
import { QuestionCard } from "./question-card.tsx";

/** More than these would leave no room for what they are about. */
const MOST_LINES = 2;

/** What waits for a person, above everything: one question whole, the others in a line each. */
export function Inbox() {
  const { questions, answered } = live.value;
  const [wanted, setWanted] = useState<string | undefined>(undefined);
  const [isWhole, setWhole] = useState(false);
  const inOrder = ordered(questions, chosen.value);
  const first = inOrder.find(({ id }) => id === wanted) ?? inOrder[0];
  const others = inOrder.filter((question) => question !== first);
  useKeys({
    "answer.next": () => {
      if (inOrder.length < 2 || !first) return false;
      setWanted(inOrder[(inOrder.indexOf(first) + 1) % inOrder.length]?.id);
      return true;
    },
  });
  if (!first && answered.length === 0) return null;
  return (
    <div class="inbox" aria-live="polite">
      {answered.map(({ question, text }) => (
        <p class="answered" key={question.id}>
          ✓ {text} <span class="faint">{question.title}</span>
        </p>
      ))}
      {first && <QuestionCard key={first.id} question={first} isFirst />}
      {(isWhole ? others : others.slice(0, MOST_LINES)).map((question) => (
        <WaitingLine key={question.id} question={question} open={() => setWanted(question.id)} />
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
      <span class="cut">{question.title}</span>
      <span class="cut faint">
        {session?.agentType ?? question.agent} · {baseName(question.cwd)}
      </span>
      <span class="push faint">
        {question.isHeld ? "put off" : left !== undefined && countdown(left)}
      </span>
    </button>
  );
}
