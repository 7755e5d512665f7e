import { messageOf } from "../../errors/index.ts";
import type { SeamEvent } from "../../events/index.ts";

/**
 * An event as one JSON value. What repeats the whole conversation each time is left out, so that
 * the output grows with what is said and not with its square: the pieces of message_update add up
 * and the whole comes with message_end; of a request there is only how many messages it has.
 */
export function jsonEvent(event: SeamEvent): unknown {
  const { native: _native, ...rest } = event;
  if (rest.type === "context") {
    const { messages, ...ids } = rest;
    return { ...ids, messageCount: messages.length };
  }
  if (rest.type === "before_provider_request") {
    const { payload: _payload, ...ids } = rest;
    return ids;
  }
  if (rest.type === "message_update") {
    const { message: _message, assistantMessageEvent, ...ids } = rest;
    const { partial: _partial, ...step } = { partial: undefined, ...assistantMessageEvent };
    return { ...ids, assistantMessageEvent: step };
  }
  if ("signal" in rest) {
    const { signal: _signal, ...plain } = rest;
    return plain;
  }
  return rest;
}

/** One line of JSON, whatever an extension put into the event. */
export function jsonLine(value: unknown): string {
  try {
    return `${JSON.stringify(value, plain)}\n`;
  } catch {
    // A circle in a tool's details must not end the stream.
    return withoutHarm(value);
  }
}

function withoutHarm(value: unknown): string {
  try {
    return `${JSON.stringify(value, withoutCircles())}\n`;
  } catch (thrown) {
    // Something in it throws when it is looked at.
    const type = (value as { type?: unknown } | null)?.type;
    return `${JSON.stringify({ type, unreadable: messageOf(thrown) })}\n`;
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Set) return [...value];
  if (value instanceof Map) return Object.fromEntries(value);
  return value;
}

function withoutCircles() {
  const open: unknown[] = [];
  return function (this: unknown, key: string, value: unknown): unknown {
    const item = plain(key, value);
    if (typeof item !== "object" || item === null) return item;
    while (open.length > 0 && open.at(-1) !== this) open.pop();
    if (open.includes(item)) return "[circular]";
    open.push(item);
    return item;
  };
}
