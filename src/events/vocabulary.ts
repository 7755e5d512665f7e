import { messageEvents } from "./catalog/message.ts";
import { noticeEvents } from "./catalog/notice.ts";
import { providerEvents } from "./catalog/provider.ts";
import { runEvents } from "./catalog/run.ts";
import { sessionEvents } from "./catalog/session.ts";
import { toolEvents } from "./catalog/tool.ts";
import { userEvents } from "./catalog/user.ts";
import type { Declaration, EventOf, ResultOf } from "./declaration.ts";

/** Every event there is. */
export const EVENTS = {
  ...sessionEvents,
  ...userEvents,
  ...runEvents,
  ...messageEvents,
  ...providerEvents,
  ...toolEvents,
  ...noticeEvents,
};

export type EventName = keyof typeof EVENTS;

/** Name → event object. */
export type EventMap = { [Name in EventName]: EventOf<(typeof EVENTS)[Name]> };

/** Name → what its handlers may return. */
export type ResultMap = { [Name in EventName]: ResultOf<(typeof EVENTS)[Name]> };

export type SeamEvent = EventMap[EventName];

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

/** The declaration of an event, without the types of its payload and result. */
export function declarationOf(name: EventName): Declaration {
  return EVENTS[name];
}
