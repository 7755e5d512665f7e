import { expect, it } from "vitest";
import { sendableRecord } from "./sendable-record.ts";

it.each([
  ["sleep 60 > log &", true],
  ["make && make test", undefined],
])("the record hears that %s may run on, without the command", (command, runsOn) => {
  const tool = { name: "bash", nativeName: "Bash", callId: "1", nativeInput: { command } };
  const sent = sendableRecord({
    ...{
      seq: 1,
      id: "1",
      at: "2026-05-25T12:00:00.000Z",
      agent: "claude-code",
      hook: "PostToolUse",
    },
    reading: { sessionId: "s", tools: [{ ...tool, input: { command } }] },
    events: ["tool_execution_end"],
    told: {},
  });
  expect(sent.reading?.tools?.[0]).toMatchObject({ input: {}, nativeInput: {} });
  expect(sent.reading?.tools?.[0]?.runsOn).toBe(runsOn);
});
