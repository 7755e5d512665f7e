import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inFull, runs } from "../../../test/setup/sample.ts";
import { chunkTranscript, reassembleTranscript } from "../recognise-transcript.ts";
import { chunkMessages, joinMessages } from "./chunk-messages.ts";

const MB = 1024 * 1024;
const HEADER = { sessionId: "s1", projectHash: "h1", startTime: "2025-11-01T10:00:00.000Z" };
const message = (n: number, content: string) => ({
  id: `m${n}`,
  type: n % 2 === 0 ? "user" : "gemini",
  content,
});

describe("a document of messages", () => {
  inFull("of 125 MB in one line comes in valid pieces under the limit, and back equal", () => {
    const content = Buffer.from(
      JSON.stringify({
        ...HEADER,
        messages: Array.from({ length: 125 }, (_, n) => message(n, `"${"ä\\ ".repeat(MB / 4.9)}`)),
        summary: "a long one",
      }),
    );
    expect(content.length).toBeGreaterThan(125 * MB);
    const before = process.memoryUsage().arrayBuffers;
    const chunks = chunkTranscript(content, "gemini");
    // The pieces are one copy of the document, and nothing besides is kept.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.1 * content.length);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(50 * MB);
    const counts = chunks.map((chunk) => {
      const { messages } = JSON.parse(chunk.toString()) as { messages: unknown[] };
      return messages.length;
    });
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(125);
    expect(reassembleTranscript(chunks, "gemini").equals(content)).toBe(true);
    // Whoever has the pieces need not know whose they are.
    expect(reassembleTranscript(chunks).equals(content)).toBe(true);
  });

  it("with one message that alone is longer than a piece is cut all the same", () => {
    const long = message(1, `${'"\\\n€'.repeat(500)}end`);
    const document = { ...HEADER, messages: [message(0, "hi"), long, message(2, "bye")] };
    const content = Buffer.from(JSON.stringify(document));
    const chunks = chunkMessages(content, 400);
    for (const chunk of chunks) {
      expect(chunk.length).toBeLessThanOrEqual(400);
      expect(() => JSON.parse(chunk.toString())).not.toThrow();
    }
    expect(joinMessages(chunks).equals(content)).toBe(true);
  });

  it("any of them comes back to the byte, whatever the limit", () => {
    const anyMessage = fc.record({
      id: fc.string(),
      content: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
      messages: fc.array(fc.string()),
    });
    const anyDocument = fc.record({
      title: fc.constantFrom('the "messages" : [', "messages", "]}"),
      sessionId: fc.string({ unit: "binary" }),
      messages: fc.array(anyMessage, { maxLength: 12 }),
      summary: fc.option(fc.string({ maxLength: 300 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyDocument, fc.integer({ min: 1, max: 600 }), fc.constantFrom(0, 2), (...of) => {
        const [document, limit, indent] = of;
        const content = Buffer.from(JSON.stringify(document, null, indent));
        const chunks = chunkMessages(content, limit);
        for (const chunk of chunks.length > 1 ? chunks : []) {
          expect(chunk.length).toBeLessThanOrEqual(Math.max(64, limit));
          expect(() => JSON.parse(chunk.toString())).not.toThrow();
        }
        expect(joinMessages(chunks).equals(content)).toBe(true);
      }),
      runs(500),
    );
  });

  it("what is no such document is cut at line ends", () => {
    for (const text of [
      "one\ntwo\nthree\n",
      '{"a":[1,2,3],\n"b":"x"\n}',
      '{"messages":["open\n\n',
    ]) {
      const content = Buffer.from(text);
      const chunks = chunkMessages(content, 5);
      expect(joinMessages(chunks).equals(content)).toBe(true);
    }
  });

  it("pieces as another program cuts them, each with a list of messages, are put together", () => {
    const chunks = ['{"messages":[{"id":"a"}]}', '{"messages":[{"id":"b"}]}'].map((text) =>
      Buffer.from(text),
    );
    expect(JSON.parse(joinMessages(chunks).toString())).toEqual({
      messages: [{ id: "a" }, { id: "b" }],
    });
  });
});
