import { describe, expect, it } from "vitest";
import type { AgentMessage, EventMap } from "../events/index.ts";
import { decideToolCall } from "./index.ts";
import { DECIDED, extension, said, setUp, toolCall, turnStart } from "./test-kit.ts";

/** An object that counts whatever is done to it. */
function counted<T extends object>(target: T): { value: T; touches: () => number } {
  let touches = 0;
  const traps: ProxyHandler<T> = {};
  for (const name of [
    "get",
    "set",
    "has",
    "ownKeys",
    "getPrototypeOf",
    "deleteProperty",
  ] as const) {
    Object.assign(traps, {
      [name]: (...args: unknown[]) => {
        touches++;
        return Reflect.apply(Reflect[name], Reflect, args);
      },
    });
  }
  return { value: new Proxy(target, traps), touches: () => touches };
}

/** A session with an extension that listens, but to something else. */
function withBystander() {
  const session = setUp();
  const bystander = extension("bystander");
  session.dispatcher.on(bystander, "session_start", () => {});
  return { ...session, bystander };
}

describe.each(DECIDED)("without a listener a $kind", ({ event }) => {
  it("is decided at once, without a promise, and nothing is wrong", () => {
    const { dispatcher } = withBystander();
    const decision = dispatcher.emit(event);
    expect(decision).not.toBeInstanceOf(Promise);
    expect(decision).toMatchObject({ aborted: false });
  });

  it("makes no context", () => {
    const { dispatcher, bystander } = withBystander();
    dispatcher.emit(event);
    expect(bystander.calls).toHaveLength(0);
  });

  it("costs the same again after the last listener left", () => {
    const { dispatcher, bystander } = withBystander();
    const off = dispatcher.on(bystander, event.type, async () => undefined);
    expect(dispatcher.emit(event)).toBeInstanceOf(Promise);
    off();
    expect(dispatcher.emit(event)).not.toBeInstanceOf(Promise);
    expect(bystander.calls).toHaveLength(1);
  });
});

it("observation without a listener makes no context", () => {
  const { dispatcher, bystander } = withBystander();
  expect(dispatcher.emit(turnStart())).toBeUndefined();
  expect(bystander.calls).toHaveLength(0);
});

it("a gate without a listener gives back the very event, unread", () => {
  const { dispatcher } = withBystander();
  const { value, touches } = counted<Record<string, unknown>>({ command: "ls" });
  const event = toolCall(value);
  const decision = dispatcher.emit(event);
  expect("event" in decision && decision.event).toBe(event);
  expect(decision).toMatchObject({ blocked: false, changedBy: [] });
  expect(touches()).toBe(0);
});

it("a transform without a listener gives back the very event, no message is read", () => {
  const { dispatcher } = withBystander();
  const { value, touches } = counted<AgentMessage[]>([said("a"), said("b")]);
  const event: EventMap["context"] = { type: "context", messages: value };
  const decision = dispatcher.emit(event);
  expect("event" in decision && decision.event).toBe(event);
  expect(touches()).toBe(0);
});

it("with a listener messages are read: the count above would have shown it", async () => {
  const { dispatcher, bystander } = withBystander();
  const { value, touches } = counted<AgentMessage[]>([said("a")]);
  dispatcher.on(bystander, "context", () => {});
  await dispatcher.emit({ type: "context", messages: value });
  expect(touches()).toBeGreaterThan(0);
});

it("a tool call nobody listens to runs with the very input the model gave, unread", async () => {
  const { dispatcher } = withBystander();
  const { value, touches } = counted<Record<string, unknown>>({ command: "ls" });
  const decision = await decideToolCall(dispatcher, toolCall(value));
  expect(decision.input).toBe(value);
  expect(decision.originalInput).toBe(value);
  expect(touches()).toBe(0);
});

it("handlers that do not wait make no promise either", () => {
  const { dispatcher } = setUp();
  for (const { event } of DECIDED) dispatcher.on(extension("quick"), event.type, () => undefined);
  for (const { event } of DECIDED) expect(dispatcher.emit(event)).not.toBeInstanceOf(Promise);
});
