import { useRef, useState } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import { Link } from "../app/link.tsx";
import { live } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { baseName } from "../parts/format.ts";
import { inSight } from "../parts/in-sight.ts";
import { Scrollable } from "../parts/scrollable.tsx";
import {
  askerOf,
  choicesOf,
  type Question,
  questionAddress,
  rememberedFor,
  wholeOf,
} from "./answers.ts";
import { Deadline } from "./deadline.tsx";
import { type Given, giveAnswer, sentAnswers, takeBack } from "./sent-answers.ts";
import { TypedAnswer } from "./typed-answer.tsx";

/** A key pressed sooner was meant for what was here before. */
const TOO_SOON = 400;

/** A question that waits for a person, with everything it takes to answer it. */
export function QuestionCard({ question, isFirst }: { question: Question; isFirst: boolean }) {
  const [isRemembering, setRemembering] = useState(false);
  const shownAt = useRef(Date.now());
  const card = useRef<HTMLElement>(null);
  const choices = choicesOf(question);
  const remembered = rememberedFor(question);

  const sent = sentAnswers.value.get(question.id);
  const isBusy = sent !== undefined;

  const answer = async (given: Given) => {
    await giveAnswer(question, given);
    setRemembering(false);
  };
  const byKey = (act: () => void) => () => {
    if (!isFirst) return false;
    if (Date.now() - shownAt.current >= TOO_SOON) act();
    return true;
  };
  const choose = (key: string) =>
    byKey(() => {
      const choice = choices.find((one) => one.key === key);
      if (choice) void answer({ value: choice.value });
      else if (key === "y") card.current?.querySelector<HTMLElement>("input, textarea")?.focus();
    });
  useKeys({
    "answer.yes": choose("y"),
    "answer.no": choose("n"),
    "answer.1": choose("1"),
    "answer.2": choose("2"),
    "answer.3": choose("3"),
    "answer.4": choose("4"),
    "answer.hold": byKey(() => void answer({ act: "hold" })),
    ...(remembered.length > 0
      ? { "answer.always": byKey(() => setRemembering((before) => !before)) }
      : {}),
  });

  return (
    <section
      ref={card}
      class="ask"
      aria-label={`Waiting for you: ${question.title}`}
      data-question={question.id}
    >
      <Head question={question} />
      <What question={question} />
      {choices.length === 0 ? (
        <TypedAnswer
          question={question}
          isBusy={isBusy}
          give={(value) => void answer({ value })}
          cancel={() => void answer({ act: "cancel" })}
          hold={() => void answer({ act: "hold" })}
        />
      ) : (
        <div class="row choices">
          {choices.map((choice) => (
            <button
              type="button"
              key={choice.value}
              class={choice.kind === "yes" ? "go" : ""}
              disabled={isBusy}
              onClick={() => void answer({ value: choice.value })}
            >
              {choice.label}
              {isFirst && choice.key && <kbd>{choice.key}</kbd>}
            </button>
          ))}
          <button type="button" disabled={isBusy} onClick={() => void answer({ act: "hold" })}>
            Not now{isFirst && <kbd>.</kbd>}
          </button>
          {remembered.length > 0 && (
            <button
              type="button"
              aria-expanded={isRemembering}
              disabled={isBusy}
              onClick={() => setRemembering(!isRemembering)}
            >
              Always…{isFirst && <kbd>a</kbd>}
            </button>
          )}
          <Deadline question={question} />
        </div>
      )}
      {sent?.isLate && (
        <p class="unsent" role="alert">
          <b>Your answer{said(question, sent.given)} has not arrived: Seam does not answer.</b> It
          is sent again until it does.{" "}
          <button type="button" onClick={() => takeBack(question.id)}>
            Take it back
          </button>
        </p>
      )}
      {isRemembering && (
        <div class="remember">
          {choices
            .filter(({ kind }) => kind !== "other")
            .map((choice) => (
              <div class="row" key={choice.value}>
                <span class="dim">{choice.kind === "yes" ? "Always allow" : "Never allow"}</span>
                {remembered.map(({ what, label }) => (
                  <button
                    type="button"
                    key={what}
                    disabled={isBusy}
                    onClick={() => void answer({ value: choice.value, remember: what })}
                  >
                    {label}
                  </button>
                ))}
              </div>
            ))}
          <p class="dim small">
            Holds for {baseName(question.cwd)} until you remove it under Rules.
          </p>
        </div>
      )}
    </section>
  );
}

/** What was chosen, as its button calls it. A text that was typed still stands in its field. */
function said(question: Question, { value, act }: Given): string {
  if (act !== undefined) return act === "hold" ? " “Not now”" : " “Cancel”";
  const choice = choicesOf(question).find((one) => one.value === value);
  return choice ? ` “${choice.label}”` : "";
}

function Head({ question }: { question: Question }) {
  const session = live.value.sessions.find((one) => isSame(one, question));
  const from = [askerOf(question, session), baseName(question.cwd), session?.branch];
  return (
    <header>
      <h2 dir="auto">{inSight(question.title)}</h2>
      <Link class="from" to={questionAddress(question)}>
        {from.filter(Boolean).join(" · ")}
      </Link>
      <p>
        {question.by === "seam" ? "Seam" : question.by} asks
        {question.message && !isTheWhole(question) ? (
          <>
            . <bdi>{inSight(question.message)}</bdi>
          </>
        ) : (
          "."
        )}
        {question.isHeld && <b class="held"> · put off: the agent waits</b>}
      </p>
    </header>
  );
}

/** A message that is longer than a sentence, or has lines, is shown below the title instead. */
function isTheWhole({ message = "" }: Question): boolean {
  return message.includes("\n") || message.length > 200;
}

function What({ question }: { question: Question }) {
  const { call, message } = question;
  const whole = call && wholeOf(call);
  const isSaid = whole !== undefined && message?.trim() === whole.trim();
  return (
    <>
      {isTheWhole(question) && !isSaid && (
        <Scrollable class="whole words" label="What it says">
          {inSight(message ?? "")}
        </Scrollable>
      )}
      {whole !== undefined && (
        <Scrollable class="whole" label="The whole of it">
          <pre>{inSight(whole)}</pre>
        </Scrollable>
      )}
      {call?.diff && <DiffView text={call.diff} />}
    </>
  );
}
