import type { Attempt, AttemptEnd } from "../model/run.ts";
import type { AgentChoice, Role, TaskSpec } from "../model/workflow.ts";

/** What is tried next after an attempt that did not do its task. */
export type Rung =
  | {
      /** The same session goes on, a new one of the same agent begins, or another agent or model. */
      readonly kind: "resume" | "fresh" | "other";
      readonly choice: AgentChoice;
      /** What the agent is told beside its task. */
      readonly extra: string;
    }
  | { readonly kind: "wait"; readonly until: string; readonly reason: string }
  | {
      readonly kind: "person";
      readonly question: string;
      /** What a task failed for that a person gives up; a Seam before this one did not keep it. */
      readonly why?: string;
    };

/** How often each way is tried after failures, from the cheapest to a person. */
export const LADDER: readonly {
  readonly kind: "resume" | "fresh" | "other";
  readonly times: number;
}[] = [
  { kind: "resume", times: 2 },
  { kind: "fresh", times: 1 },
  { kind: "other", times: 2 },
];

/** A limit that does not say when it ends is looked at again after this time. */
const LIMIT_MINUTES = 30;
/** An attempt that was ended from outside does not count as a failure, up to this many times. */
const MOST_ENDED = 20;

interface Situation {
  /** All attempts at the task, with the one that ended last. */
  readonly attempts: readonly Attempt[];
  readonly end: AttemptEnd;
  readonly choices: readonly AgentChoice[];
  readonly now: Date;
  /**
   * The attempt whose work was good, and did not fit what others did: that is no failing of those before
   * it, so the ladder begins anew with it.
   */
  readonly since?: number;
  readonly ladder?: typeof LADDER;
}

/** The agents that may do a task, best first: of the task, else of its role, else of the run. */
export function choicesFor(
  spec: TaskSpec,
  role: Role | undefined,
  ofTheRun: readonly AgentChoice[],
): readonly AgentChoice[] {
  return [spec.agents, role?.agents ?? [], ofTheRun].find((list) => list.length > 0) ?? [];
}

/** Which way to go on after an attempt that ended like this. */
export function nextRung(situation: Situation): Rung {
  const { attempts, end, choices, now, since = 0, ladder = LADDER } = situation;
  const last = attempts.at(-1);
  const current = last && choiceOf(last);
  if (last === undefined || current === undefined) {
    const [first] = choices;
    if (first) return { kind: "fresh", choice: first, extra: "" };
    return person("No agent may do this task.");
  }
  const others = choices.filter((choice) => !isBarred(choice, attempts, now));
  const reason = "reason" in end ? end.reason : "it ended without doing its task";
  switch (end.kind) {
    case "limited":
      return others[0]
        ? other(others[0], reason)
        : { kind: "wait", until: reset(attempts, now), reason };
    case "logged-out":
    case "unavailable":
    case "ungated": {
      const [next] = others;
      if (!next) return WAYS_OUT[end.kind](last.agent, whole(reason));
      // Who could not be started has left nothing to look at.
      return end.kind === "unavailable"
        ? { kind: "other", choice: next, extra: "" }
        : other(next, reason);
    }
    case "over-budget":
      return person(`The budget is used up: ${whole(reason)}`, "Give it more?");
    case "ended": {
      const ended = attempts.filter((one) => one.end?.kind === "ended").length;
      if (ended > MOST_ENDED) {
        return person(`The agent was ended ${ended} times: ${whole(reason)}`, AGAIN);
      }
      return again(last, current, last.session === undefined ? BEGUN : INTERRUPTED);
    }
    default:
      return climb({ attempts, last, current, others, reason, since, ladder });
  }
}

const AGAIN = "Try again?";

const person = (why: string, ask?: string): Rung => ({
  kind: "person",
  question: ask === undefined ? why : `${why} ${ask}`,
  why,
});

const WAYS_OUT = {
  "logged-out": (agent: string, reason: string) =>
    person(`${agent} is not logged in: ${reason}`, "Log in, then answer to try again."),
  // The reason says already what can be done.
  unavailable: (_agent: string, reason: string) => person(reason, "Then answer to try again."),
  ungated: (agent: string, reason: string) =>
    person(
      `${agent} did not call Seam: ${reason}`,
      "Let it run its hooks, then answer to try again.",
    ),
} as const;

const INTERRUPTED = "You were interrupted. Go on where you stopped.";
const BEGUN =
  "Another session began this and was interrupted. Look at what is there before you go on.";

interface Climb {
  readonly attempts: readonly Attempt[];
  readonly last: Attempt;
  readonly current: AgentChoice;
  readonly others: readonly AgentChoice[];
  readonly reason: string;
  readonly since: number;
  readonly ladder: typeof LADDER;
}

function climb({ attempts, last, current, others, reason, since, ladder }: Climb): Rung {
  const counted = attempts.filter(({ number }) => number >= since);
  const failures = counted.filter(({ end }) => end && FAILURES.has(end.kind)).length;
  const rungs = ladder.flatMap(({ kind, times }) => Array.from({ length: times }, () => kind));
  const extra = `The last try did not succeed: ${reason}`;
  const unused = others.filter((choice) => !counted.some((one) => isSame(choiceOf(one), choice)));
  for (const kind of rungs.slice(Math.max(0, failures - 1))) {
    if (kind === "resume") return again(last, current, extra);
    if (kind === "fresh") return { kind, choice: current, extra };
    // Without another agent or model that was not tried, the next rung is a person.
    if (unused[0]) return { kind, choice: unused[0], extra };
  }
  return person(`It did not succeed after ${attempts.length} tries: ${whole(reason)}`, AGAIN);
}

/** Ends that say that the task was not done, and count as a step up the ladder. */
const FAILURES: ReadonlySet<AttemptEnd["kind"]> = new Set(["finished", "failed", "stalled"]);

function again(last: Attempt, choice: AgentChoice, extra: string): Rung {
  return { kind: last.session === undefined ? "fresh" : "resume", choice, extra };
}

const other = (choice: AgentChoice, reason: string): Rung => ({
  kind: "other",
  choice,
  extra: `Another agent began this and had to stop: ${reason}. Look at what is there before you go on.`,
});

/** An agent that is at its limit, logged out, not there or without a gate cannot take over now. */
function isBarred(choice: AgentChoice, attempts: readonly Attempt[], now: Date): boolean {
  return attempts.some(({ agent, model, end }) => {
    if (agent !== choice.agent) return false;
    if (end && end.kind in WAYS_OUT) return true;
    // Some limits are of one model alone: another model of the same agent may still go on.
    if (end?.kind !== "limited" || model !== choice.model) return false;
    return end.until === undefined || new Date(end.until) > now;
  });
}

/** The first moment at which one of the limits ends. */
function reset(attempts: readonly Attempt[], now: Date): string {
  const ends = attempts.flatMap(({ end }) =>
    end?.kind === "limited" && end.until !== undefined ? [new Date(end.until).getTime()] : [],
  );
  const coming = ends.filter((time) => time > now.getTime());
  const time = coming.length > 0 ? Math.min(...coming) : now.getTime() + LIMIT_MINUTES * 60_000;
  return new Date(time).toISOString();
}

const choiceOf = ({ agent, model }: Attempt): AgentChoice =>
  model === undefined ? { agent } : { agent, model };

const isSame = (one: AgentChoice, two: AgentChoice) =>
  one.agent === two.agent && one.model === two.model;

/** A reason as a sentence, whether or not it already is one. */
function whole(reason: string): string {
  const text = reason.trim();
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
