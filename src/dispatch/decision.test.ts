import { expect, expectTypeOf, it } from "vitest";
import type { EventMap, ResultMap } from "../events/index.ts";
import type {
  ClaimDecision,
  CollectDecision,
  DecisionOf,
  GateDecision,
  TransformDecision,
} from "./index.ts";
import { contextOf, discover, setUp, toolCall, turnStart, userBash } from "./test-kit.ts";

// The types are checked by tsc, the shapes they promise by running.

it("a gate comes to a GateDecision", async () => {
  const decision = await setUp().dispatcher.emit(toolCall());
  expectTypeOf(decision).toEqualTypeOf<GateDecision<"tool_call">>();
  expectTypeOf(decision.event).toEqualTypeOf<EventMap["tool_call"]>();
  expectTypeOf<NonNullable<typeof decision.result>>().toEqualTypeOf<ResultMap["tool_call"]>();
  expect(Object.keys(decision).sort()).toEqual(["aborted", "blocked", "changedBy", "event"]);
});

it("a transform comes to a TransformDecision", async () => {
  const decision = await setUp().dispatcher.emit(contextOf("a"));
  expectTypeOf(decision).toEqualTypeOf<TransformDecision<"context">>();
  expect(Object.keys(decision).sort()).toEqual(["aborted", "changedBy", "event"]);
});

it("a claim comes to a ClaimDecision", async () => {
  const decision = await setUp().dispatcher.emit(userBash());
  expectTypeOf(decision).toEqualTypeOf<ClaimDecision<"user_bash">>();
  expect(decision).toEqual({ aborted: false });
});

it("a collection comes to a CollectDecision", async () => {
  const decision = await setUp().dispatcher.emit(discover());
  expectTypeOf(decision).toEqualTypeOf<CollectDecision<"resources_discover">>();
  expect(decision).toEqual({ aborted: false, results: [] });
});

it("observation comes to nothing", async () => {
  const decision = await setUp().dispatcher.emit(turnStart());
  expectTypeOf(decision).toEqualTypeOf<undefined>();
  expectTypeOf<DecisionOf<"turn_start">>().toEqualTypeOf<undefined>();
  expect(decision).toBeUndefined();
});
