import { expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import { decide } from "./decide.ts";
import { UNDECIDED } from "./index.ts";
import { extension, setUp, toolCall } from "./test-kit.ts";

type Call = EventMap["tool_call"];

it("no handler, no decision", async () => {
  const { dispatcher } = setUp();
  expect(await decide(dispatcher, [toolCall()])).toEqual(UNDECIDED);
});

it("the calls of one hook run as a whole: one block stops all, the first reason counts", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("guard"), "tool_call", ({ input }: Call) =>
    input.command === "ls" ? undefined : { block: true, reason: `not ${input.command}` },
  );
  const events = ["ls", "rm a", "rm b"].map((command) => toolCall({ command }));
  const { block, inputs } = await decide(dispatcher, events);
  expect({ block, inputs }).toEqual({ block: { reason: "not rm a", by: "guard" }, inputs: [] });
});

it("a changed input says which of the calls it belongs to, and who changed it", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("quiet"), "tool_call", ({ input }: Call) => {
    if (input.command === "npm test") input.command = "npm test --silent";
  });
  const events = [toolCall(), toolCall({ command: "npm test" })];
  expect((await decide(dispatcher, events)).inputs).toEqual([
    { index: 1, input: { command: "npm test --silent" }, by: ["quiet"] },
  ]);
});

it("what stands after a gate that closed does not happen", async () => {
  const { dispatcher } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("guard"), "tool_call", () => ({ block: true }));
  dispatcher.on(extension("watcher"), "tool_execution_start", () => void seen.push("started"));
  const { toolCallId, toolName, input: args } = toolCall();
  const start = { type: "tool_execution_start", toolCallId, toolName, args } as const;
  await decide(dispatcher, [toolCall(), start]);
  await dispatcher.settled(1_000);
  expect(seen).toEqual([]);
  await decide(dispatcher, [start]);
  await dispatcher.settled(1_000);
  expect(seen).toEqual(["started"]);
});
