import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { mismatch, SkillEventSchema, TokenUsageSchema } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { ForeignAgent } from "../agent.ts";
import { TRANSCRIPT_FORMATS } from "../recognise-transcript.ts";
import { contentEntries } from "./content-entries.ts";
import type { TranscriptEntry } from "./entry.ts";
import { FactsCollector } from "./facts.ts";
import { FIXTURES, fixtureContent } from "./test-kit.ts";

const AGENTS = Object.keys(TRANSCRIPT_FORMATS) as ForeignAgent[];
const json = fc.jsonValue({ maxDepth: 4 });

/** Records of real transcripts, some of their fields replaced by something else. */
function damaged(agent: ForeignAgent): fc.Arbitrary<unknown> {
  const records = FIXTURES.filter(([name]) => name === agent)
    .flatMap(([, file]) => fixtureContent(agent, file).toString().split("\n"))
    .flatMap((line): unknown[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [line];
      }
    });
  return fc
    .tuple(fc.constantFrom(...(records.length > 0 ? records : [{}])), fc.nat(), json)
    .map(([record, at, value]) => replaceAt(record, at, value));
}

/** The same with the value at some place replaced. */
function replaceAt(record: unknown, at: number, value: unknown): unknown {
  let left = at % 60;
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return value;
    if (Array.isArray(node)) return node.map(walk);
    if (!isRecord(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]));
  };
  return walk(record);
}

/** What comes out is what the types say, whatever went in. */
function check(entries: readonly TranscriptEntry[]): void {
  const collector = new FactsCollector("line");
  entries.forEach((entry, position) => {
    for (const field of ["id", "at", "text", "model", "summary", "inSubagent"] as const) {
      expect(["string", "undefined"]).toContain(typeof entry[field]);
    }
    if (entry.skill) expect(mismatch(SkillEventSchema, entry.skill)).toBeUndefined();
    if (entry.usage) expect(mismatch(TokenUsageSchema, entry.usage.tokens)).toBeUndefined();
    collector.add(entry, position);
  });
  const { tokens, skills } = collector.facts();
  expect(mismatch(TokenUsageSchema, tokens)).toBeUndefined();
  for (const skill of skills) expect(mismatch(SkillEventSchema, skill)).toBeUndefined();
}

describe.each(AGENTS)("%s", (agent) => {
  const format = TRANSCRIPT_FORMATS[agent];

  it("never throws on any JSON", () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 5 }), (lines) => {
        const seen = new Map<string, unknown>();
        for (const [position, line] of lines.entries()) {
          check(format.lines?.parse(line, seen, position) ?? []);
        }
      }),
      runs(300),
    );
  });

  it("never throws on its own records when they are damaged", () => {
    fc.assert(
      fc.property(fc.array(damaged(agent), { maxLength: 6 }), (lines) => {
        const seen = new Map<string, unknown>();
        const entries = lines.flatMap((line, at) => format.lines?.parse(line, seen, at) ?? []);
        check(entries);
        JSON.stringify([...seen]);
      }),
      runs(500),
    );
  });

  it("never throws on any state from outside", () => {
    const state = fc.array(fc.tuple(fc.constantFrom("command", "part", "section", "prompt"), json));
    fc.assert(
      fc.property(state, damaged(agent), (seen, line) => {
        check(format.lines?.parse(line, new Map(seen), 0) ?? []);
      }),
    );
  });

  it("never throws on any content, and recognises nothing in it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const content = Buffer.from(bytes);
        format.recognise(content);
        check([...contentEntries(format, content)].map(({ entry }) => entry));
      }),
    );
  });
});
