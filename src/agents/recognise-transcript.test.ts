import { describe, expect, it } from "vitest";
import {
  chunkTranscript,
  reassembleTranscript,
  recogniseTranscript,
  TRANSCRIPT_FORMATS,
} from "./recognise-transcript.ts";
import { FIXTURES, fixtureContent } from "./transcripts/test-kit.ts";

const ALL = [
  ...FIXTURES,
  ["opencode", "export-main.json"],
  ["opencode", "export-subagent.json"],
] as const;

describe("whose transcript it is", () => {
  it.each(ALL)("%s is known by its content: %s", (agent, name) => {
    expect(recogniseTranscript(fixtureContent(agent, name))).toBe(agent);
  });

  it.each(ALL)("nobody else takes it for their own: %s %s", (agent, name) => {
    const content = fixtureContent(agent, name);
    const takers = Object.entries(TRANSCRIPT_FORMATS).filter(([, f]) => f.recognise(content));
    expect(takers.map(([taker]) => taker)).toEqual([agent]);
  });

  it.each([
    ["nothing", ""],
    ["text", "hello\nworld\n"],
    ["other JSON lines", '{"a":1}\n{"b":2}\n'],
    ["a JSON document", '{"messages":[]}'],
    ["zeros", "\0\0\0\0"],
    ["half a line", '{"type":"session_meta","payl'],
  ])("%s belongs to nobody", (_, content) => {
    expect(recogniseTranscript(Buffer.from(content))).toBeUndefined();
  });

  it("is known behind a byte order mark and with the lines of another system", () => {
    const content = fixtureContent("codex", "rollout.jsonl").toString().replaceAll("\n", "\r\n");
    expect(recogniseTranscript(Buffer.from(`\uFEFF${content}`))).toBe("codex");
  });
});

describe("cutting and joining", () => {
  it.each(ALL)("gives back the bytes of %s %s", (agent, name) => {
    const content = fixtureContent(agent, name);
    const chunks = chunkTranscript(content, agent, 200);
    expect(chunks.length).toBeGreaterThan(1);
    expect(reassembleTranscript(chunks, agent).equals(content)).toBe(true);
  });

  it.each([undefined, "nobody", "__proto__"])("cuts at line ends for %s", (agent) => {
    const content = Buffer.from("one\ntwo\nthree\n");
    const chunks = chunkTranscript(content, agent, 5);
    expect(chunks.map(String)).toEqual(["one\n", "two\n", "three\n"]);
    expect(reassembleTranscript(chunks, agent).equals(content)).toBe(true);
  });
});
