import { crewEvents } from "./catalog/crew.ts";
import { messageEvents } from "./catalog/message.ts";
import { noticeEvents } from "./catalog/notice.ts";
import { providerEvents } from "./catalog/provider.ts";
import { runEvents } from "./catalog/run.ts";
import { sessionEvents } from "./catalog/session.ts";
import { toolEvents } from "./catalog/tool.ts";
import { userEvents } from "./catalog/user.ts";
import type { EventMap } from "./contract.ts";
import type { Declaration } from "./declaration.ts";

/** Every event there is. */
export const EVENTS = {
  ...sessionEvents,
  ...userEvents,
  ...runEvents,
  ...messageEvents,
  ...providerEvents,
  ...toolEvents,
  ...noticeEvents,
  ...crewEvents,
};

/** The name of an event, as `pi.on` takes it. */
export type EventName = keyof typeof EVENTS;

/** An event of a crew: fired by the run, whatever agents work in it. */
export type CrewEventName = keyof typeof crewEvents;

/** Whether an event is one of crews, which no agent fires. */
export function isCrewEvent(name: EventName): name is CrewEventName {
  return Object.hasOwn(crewEvents, name);
}

/** Any event; its `type` says which. */
export type SeamEvent = EventMap[EventName];

/**
 * The names of all events.
 *
 * @example
 * for (const name of EVENT_NAMES) pi.on(name, (event) => pi.logger.info(event.type));
 */
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/**
 * Whether there is an event of this name.
 *
 * @example
 * isEventName("tool_call"); // true
 * isEventName("toolcall"); // false
 */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

/**
 * The declaration of an event, without the types of its payload and result.
 *
 * @example
 * declarationOf("tool_call").kind; // "gate"
 */
export function declarationOf(name: EventName): Declaration {
  return EVENTS[name];
}

/** The lifecycle every agent's hooks are reduced to by recorders, and what Seam calls each step. */
export const LIFECYCLE = {
  SessionStart: "session_start",
  TurnStart: "agent_start",
  TurnEnd: "agent_end",
  Compaction: "session_before_compact",
  SessionEnd: "session_shutdown",
  SubagentStart: "subagent_start",
  SubagentEnd: "subagent_end",
} as const satisfies Record<string, EventName>;
