import { expect, expectTypeOf, it } from "vitest";
import {
  type AgentMessage,
  EVENT_NAMES,
  type EventMap,
  type EventName,
  isEventName,
  type ResultMap,
  type SeamEvent,
  type UserContent,
} from "./index.ts";

// Checked by tsc; what each line promises about values is asserted beside it.

it("an event is its name, its payload and the ids", () => {
  expectTypeOf<EventMap["tool_call"]["type"]>().toEqualTypeOf<"tool_call">();
  expectTypeOf<EventMap["tool_call"]["input"]>().toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf<EventMap["tool_call"]["sessionId"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<EventMap["context"]["messages"]>().toEqualTypeOf<AgentMessage[]>();
  expectTypeOf<EventMap["session_before_switch"]["reason"]>().toEqualTypeOf<
    "new" | "resume" | "fork"
  >();
  expectTypeOf<EventMap["session_tree"]["newLeafId"]>().toEqualTypeOf<string | null>();
  const event: EventMap["turn_start"] = { type: "turn_start", turnIndex: 0, timestamp: 0 };
  expect(isEventName(event.type)).toBe(true);
});

it("a result is what handlers may return, and nothing for observers", () => {
  expectTypeOf<ResultMap["turn_start"]>().toEqualTypeOf<undefined>();
  expectTypeOf<ResultMap["tool_call"]["block"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<ResultMap["tool_result"]["content"]>().toEqualTypeOf<UserContent[] | undefined>();
  expectTypeOf<ResultMap["before_provider_request"]>().not.toBeUnknown();
  const result: ResultMap["input"] = { action: "transform", text: "x" };
  expect(result.action).toBe("transform");
});

it("names are known to the type checker, one by one", () => {
  expectTypeOf<"tool_call">().toExtend<EventName>();
  expectTypeOf<"tool_cal">().not.toExtend<EventName>();
  expectTypeOf<SeamEvent["type"]>().toEqualTypeOf<EventName>();
  expect(new Set(EVENT_NAMES).size).toBe(EVENT_NAMES.length);
});
