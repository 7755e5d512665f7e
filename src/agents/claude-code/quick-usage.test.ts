import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { fixtureContent } from "../transcripts/test-kit.ts";
import { quickUsage } from "./quick-usage.ts";
import { transcript } from "./transcript.ts";

/** What is found by parsing; children only as such, not by name. */
function byParsing(line: string) {
  const entries = transcript.lines?.parse(JSON.parse(line), new Map(), 0) ?? [];
  return entries.flatMap(({ usage, inSubagent }) =>
    usage ? [{ usage, child: inSubagent !== undefined }] : [],
  );
}
function quickly(line: string) {
  return quickUsage(Buffer.from(line))?.map(({ usage, inSubagent }) => ({
    usage,
    child: inSubagent !== undefined,
  }));
}

const ANSWER = {
  parentUuid: "p",
  isSidechain: false,
  message: {
    id: "msg_1",
    type: "message",
    model: "m",
    content: [{ type: "text", text: "x" }],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation: { a: 0 },
      service_tier: 'a "} tier\\',
    },
  },
  type: "assistant",
  uuid: "u",
};

describe("usage without parsing", () => {
  it.each(["main.jsonl", "compacted.jsonl", "tui.jsonl"])("is that of parsing: %s", (name) => {
    const lines = fixtureContent("claude-code", name).toString().trimEnd().split("\n");
    let found = 0;
    for (const line of lines) {
      const quick = quickly(line);
      if (quick) expect(quick).toEqual(byParsing(line));
      found += quick?.length ?? 0;
    }
    expect(found).toBeGreaterThan(4);
  });

  it("is that of parsing or none, whatever else is in a line", () => {
    const tricky = fc.constantFrom(
      '"usage":{"input_tokens":9}',
      '"type":"user"',
      '"id":"msg_9"',
      '","id":"msg_9","content":"',
      "usage",
      "<synthetic>",
      "\\",
      '"',
      "{",
    );
    const value = fc.oneof(tricky, fc.string(), fc.jsonValue({ maxDepth: 2 }));
    const keys = ["usage", "id", "type", "content", "message", "isSidechain", "input_tokens"];
    const odd = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), value);
    const line = fc
      .record({ before: odd, input: odd, inMessage: odd, after: odd, order: fc.boolean() })
      .map(({ before, input, inMessage, after, order }) => {
        const call = { type: "tool_use", id: "toolu_1", name: "X", input };
        const own = { ...ANSWER.message, content: [...ANSWER.message.content, call] };
        const message = order ? { ...inMessage, ...own } : { ...own, ...inMessage };
        return JSON.stringify({ ...before, ...ANSWER, message, ...after });
      });
    fc.assert(
      fc.property(line, (text) => {
        const quick = quickly(text);
        if (quick) expect(quick).toEqual(byParsing(text));
      }),
      runs(3000),
    );
  });

  it("is left to a parser where it is not certain", () => {
    const { message, ...line } = ANSWER;
    const { id, ...rest } = message;
    const unsure = [
      { ...line, message: { ...rest, id } },
      { ...line, message: { ...message, model: "<synthetic>" } },
      { ...line, message: { ...message, content: [{ input: { usage: {} } }] } },
      { ...line, message: { ...message, content: [{ input: { usage: {} } }], usage: "none" } },
      { ...line, message: { id, content: [{ input: { usage: { input_tokens: 9 } } }] } },
      { ...line, message, extra: { type: "user" } },
      {},
    ];
    for (const one of unsure) expect(quickly(JSON.stringify(one))).toBeUndefined();
    expect(quickly(JSON.stringify(ANSWER).slice(0, -60))).toBeUndefined();
    expect(quickly("")).toBeUndefined();
  });
});
