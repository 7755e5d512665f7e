import {
  type HookAnswer,
  type HookRow,
  type HookSupport,
  type Payload,
  type Reading,
  type Told,
  tell,
} from "../../agents/index.ts";
import { type Decision, joinAsks, UNDECIDED } from "../../dispatch/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import { type Grant, PROTECTION, type Protection } from "../../protection/index.ts";
import type { Deaths } from "../deaths.ts";
import type { Grants } from "../grants/grants.ts";
import { HookMoment } from "../inbox/hook-moment.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Log } from "../log.ts";
import type { Interruptions } from "../presence/interruptions.ts";
import type { LedSessions } from "../presence/lead-sessions.ts";
import type { Session } from "../sessions/session.ts";
import { askExtensions } from "./ask-extensions.ts";
import { askPerson, putOff } from "./ask-person.ts";
import { withoutPair } from "./persist-pair.ts";

/** Who has a say in what an agent is told. */
export interface Deciders {
  readonly protection: Protection;
  readonly inbox: Inbox;
  readonly leading: LedSessions;
  readonly grants: Grants;
  readonly interruptions: Interruptions;
  readonly log: Log;
  readonly deaths: Deaths;
}

/** A hook that is understood. */
export interface Understood {
  readonly hooks: HookSupport;
  readonly row: HookRow;
  readonly reading: Reading;
  readonly session: Session;
  readonly events: readonly SeamEvent[];
}

/** Decides about a hook, and says it in the agent's own words. */
export async function answerHook(
  deciders: Deciders,
  understood: Understood,
  entry: { readonly id: string; readonly at: string; readonly hook: string },
  payload: Payload,
): Promise<{ told: Told; answer: HookAnswer }> {
  const { hooks, row, reading, session } = understood;
  const { hook } = entry;
  const { grants } = deciders;
  const grant = grants.of(session);
  const events = understood.events.map(({ type }) => type);
  const ended = () => deciders.interruptions.decision(session, withoutPair(understood.events), row);
  const moment = new HookMoment(entry, reading);
  const decider = hooks.inside ? lead : decide;
  const decided = ended() ?? (await decider(deciders, understood, moment, grant));
  // Somebody may have interrupted the turn while others were asked.
  const whole = { ...UNDECIDED, ...decided, ...ended() };
  const decision = grant ? grants.confine(grant, reading.tools ?? [], whole) : whole;
  const { messages, notices } = session;
  if (grant && !hooks.inside) grants.hand(grant, session);
  const waiting = grant && [...messages];
  const agentType = session.agent.type;
  const hearer = { agentType, hooks, row, reading, hook, payload, messages, notices };
  const { told, answer, unsaid } = tell(decision, hearer);
  if (grant && waiting) {
    grants.handedOver(grant, waiting, session);
    grants.heard(grant, entry, reading, { events, blocked: told.block?.reason });
  }
  for (const what of unsaid) {
    deciders.log.warn(`${agentType} cannot be told in ${row.events[0]}: ${what}`);
  }
  return { told: { ...reading.decided, ...told }, answer };
}

/** What the user decides about a hook of an agent whose extensions decide inside of it. */
async function lead(
  { leading }: Deciders,
  { session, events, row }: Understood,
  moment: HookMoment,
): Promise<Decision> {
  const held = await leading.pass(session, events, row, moment);
  return held ? { ...UNDECIDED, block: held } : UNDECIDED;
}

/** What the user, Seam's own protection and the extensions of the session decide about a hook. */
async function decide(
  { protection, inbox, leading, grants, deaths }: Deciders,
  understood: Understood,
  moment: HookMoment,
  grant: Grant | undefined,
): Promise<Decision> {
  const { row, session } = understood;
  const events = withoutPair(understood.events);
  const ends = events.find(({ type }) => type === "session_shutdown");
  if (ends) {
    void session.end(ends);
    return UNDECIDED;
  }
  if (grant && events.some(({ type }) => type === "tool_call")) {
    const { tools = [], cwd = session.cwd } = understood.reading;
    const refused = grants.against(grant, tools, cwd);
    if (refused) return { ...UNDECIDED, block: refused };
  }
  const object = () => objection(protection, understood, events);
  const blocks = session.protect === "block";
  const blocked = blocks ? object() : undefined;
  if (blocked) return { ...UNDECIDED, block: blocked };
  const stays = leading.pass(session, events, row, moment);
  const held = stays && (await stays);
  if (held) return { ...UNDECIDED, block: held };
  const died = deaths.failureOf(moment.id, (path) => session.hasExtension(path));
  const asked = askExtensions(session, row, events, moment, died);
  // The protection reads the shell command while the extensions think: both take as long.
  const against = blocks ? undefined : object();
  const said = await asked;
  const question = against && joinAsks(said.ask, { ...against, unanswered: "block" });
  const decision = question ? { ...said, ask: question } : said;
  const asks = decision.ask && (await askPerson(decision, { inbox, session, row, moment }));
  return putOff(permitted(asks ?? decision, events, moment), moment);
}

/** A call that runs after a person was asked about it was allowed by that person. */
function permitted(
  decision: Decision,
  events: readonly SeamEvent[],
  { permission }: HookMoment,
): Decision {
  const isCall = events.some(({ type }) => type === "tool_call");
  const isOpen = isCall && !decision.block && !decision.ask;
  return permission && isOpen ? { ...decision, allowed: permission } : decision;
}

/** What Seam itself has against a tool call, whatever extensions say. */
function objection(
  protection: Protection,
  { session, row, reading }: Understood,
  events: readonly SeamEvent[],
): { reason: string; by: string } | undefined {
  const isCall = events.some(({ type }) => type === "tool_call");
  if (!isCall || !row.powers.includes("block") || session.protect === "allow") return undefined;
  const reason = protection.against(reading.tools ?? [], reading.cwd ?? session.cwd);
  return reason === undefined ? undefined : { reason, by: PROTECTION };
}
