import type { Now, SessionCard, StreamEvent } from "../../src/view/api.ts";

type Question = Now["questions"][number];

/** A question that was answered a moment ago: everybody who looks sees by whom. */
export interface Answered {
  readonly question: Question;
  readonly text: string;
  readonly at: number;
}

/** What is going on right now, as the page knows it. */
export interface LiveState {
  readonly sessions: readonly SessionCard[];
  readonly questions: readonly Question[];
  readonly answered: readonly Answered[];
  readonly version: string;
  readonly host: string;
}

export const NOTHING: LiveState = {
  sessions: [],
  questions: [],
  answered: [],
  version: "",
  host: "",
};

/** So long an answer stays to be seen. */
const SHOWN_FOR = 8_000;

/**
 * What the server says as a whole replaces what is known, but for answers people still look at.
 * `meanwhile` is what happened since the server was asked: it may have answered before that.
 */
export function fresh(
  before: LiveState,
  now: Now,
  meanwhile: readonly StreamEvent[] = [],
  at = 0,
): LiveState {
  const whole: LiveState = { ...before, ...now };
  return meanwhile.reduce((state, event) => next(state, event, at), whole);
}

/** What one event of the stream makes of it. Events it has nothing to do with change nothing. */
export function next(state: LiveState, event: StreamEvent, at: number): LiveState {
  switch (event.type) {
    case "session":
      return { ...state, sessions: placed(state.sessions, event.session) };
    case "asked": {
      const others = state.questions.filter(({ id }) => id !== event.question.id);
      return { ...state, questions: [...others, event.question] };
    }
    case "held":
      return {
        ...state,
        questions: state.questions.map((question) =>
          question.id === event.id ? { ...question, isHeld: true as const } : question,
        ),
      };
    case "settled": {
      const { question } = event;
      const questions = state.questions.filter(({ id }) => id !== event.id);
      // The page that gave the answer hears of it twice.
      const isTold = state.answered.some((one) => one.question.id === event.id);
      if (isTold)
        return questions.length === state.questions.length ? state : { ...state, questions };
      return {
        ...state,
        questions,
        answered: [
          ...still(state.answered, at),
          { question, text: settledText(event.settled), at },
        ],
      };
    }
    case "shown":
      return {
        ...state,
        sessions: state.sessions.map((session) =>
          isSame(session, event) ? withShown(session, event) : session,
        ),
      };
    default:
      return state;
  }
}

/** Without answers that were seen long enough; the same state if there are none. */
export function tidied(state: LiveState, at: number): LiveState {
  const answered = still(state.answered, at);
  return answered.length === state.answered.length ? state : { ...state, answered };
}

function still(answered: readonly Answered[], at: number): readonly Answered[] {
  return answered.filter((one) => at - one.at < SHOWN_FOR);
}

function settledText(settled: Extract<StreamEvent, { type: "settled" }>["settled"]): string {
  if ("cancelled" in settled) {
    return settled.who ? `${settled.why} (${settled.who})` : settled.why;
  }
  const remembered = settled.rule ? ", from now on without asking" : "";
  return `${settled.who} answered “${settled.value}”${remembered}`;
}

export function isSame(
  one: { readonly agent: string; readonly session: string },
  other: { readonly agent: string; readonly session: string },
): boolean {
  return one.agent === other.agent && one.session === other.session;
}

/** A session keeps its place: rows that jump while one reaches for them are worse than old order. */
function placed(sessions: readonly SessionCard[], one: SessionCard): readonly SessionCard[] {
  const at = sessions.findIndex((session) => isSame(session, one));
  return at < 0 ? [one, ...sessions] : sessions.with(at, one);
}

function withShown(
  session: SessionCard,
  { kind, key, lines }: Extract<StreamEvent, { type: "shown" }>,
): SessionCard {
  const others = session.shown.filter((one) => one.kind !== kind || one.key !== key);
  return { ...session, shown: lines ? [...others, { kind, key, lines }] : others };
}
