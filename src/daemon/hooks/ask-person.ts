import type { HookRow } from "../../agents/index.ts";
import type { Decision } from "../../dispatch/index.ts";
import { YES_NO } from "../inbox/dialog-question.ts";
import type { HookMoment } from "../inbox/hook-moment.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { HELD } from "../inbox/unanswered.ts";
import type { Session } from "../sessions/session.ts";

interface Asking {
  readonly inbox: Inbox;
  readonly session: Session;
  readonly row: HookRow;
  readonly moment: HookMoment;
}

/**
 * A decision that wants a person to be asked, after the inbox was. Where nobody answered there it
 * stays as it is: then the agent's own dialog is next, and without one what the handler wants.
 */
export async function askPerson(
  decision: Decision,
  { inbox, session, row, moment }: Asking,
): Promise<Decision> {
  const { ask, ...rest } = decision;
  if (!ask || decision.block || !row.powers.includes("block")) return decision;
  const call = moment.call(decision.inputs);
  const settled = await inbox.ask({
    key: moment.keyFor("gate"),
    agent: session.agent.name,
    session: session.id,
    cwd: session.cwd,
    method: "confirm",
    title: call ? `Run ${call.tool}?` : "Go on?",
    message: ask.reason,
    choices: YES_NO,
    by: ask.by,
    ...(call && { call }),
    deadline: moment.deadline,
    otherwise:
      ask.unanswered === "block"
        ? "The agent asks in its own dialog; where it has none, the call is stopped."
        : "The call runs.",
  });
  const answer = moment.heard(settled, ask.by);
  if (answer === "yes") return rest;
  if (answer === undefined) return decision;
  return {
    ...rest,
    block: { reason: `${ask.reason} ${REFUSED[settled.who ?? ""] ?? NO}`, by: ask.by },
  };
}

const NO = "The user said no.";
const REFUSED: Readonly<Record<string, string>> = {
  "a rule": "The user said that this is never to be done here.",
};

/** What becomes of a call that somebody put off and nobody came back to in time. */
export function putOff(decision: Decision, moment: HookMoment): Decision {
  if (!moment.isPutOff || decision.block?.reason === PUT_OFF) return decision;
  return { ...decision, block: { reason: PUT_OFF, by: "you" } };
}

const PUT_OFF = `This is ${HELD}. Nobody said no to it.`;
