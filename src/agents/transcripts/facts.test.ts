import { describe, expect, it } from "vitest";
import type { SkillEvent } from "../../events/index.ts";
import type { TranscriptEntry } from "./entry.ts";
import { FactsCollector } from "./facts.ts";

const call = (callId: string, ...files: string[]): TranscriptEntry => ({
  kind: "tool_call",
  id: `entry-${callId}`,
  tool: { name: "write", nativeName: "Write", callId, files },
});
const result = (callId: string, isError = false): TranscriptEntry => ({
  kind: "tool_result",
  tool: { name: "", nativeName: "", callId, isError },
});
const used = (key: string, output_tokens: number): TranscriptEntry => ({
  kind: "assistant",
  usage: {
    key,
    tokens: {
      input_tokens: 1,
      cache_creation_tokens: 0,
      cache_read_tokens: 0,
      output_tokens,
      api_call_count: 1,
    },
  },
});
const skill: SkillEvent = {
  id: "claude-skill-toolu_123",
  event_type: "tool_invocation",
  skill: { name: "trigger-analysis" },
  source: { agent: "claude-code", signal: "skill_tool_use", confidence: "explicit" },
};

function collect(entries: readonly TranscriptEntry[], at = 0) {
  const collector = new FactsCollector("line");
  entries.forEach((entry, index) => {
    collector.add(entry, at + index);
  });
  return collector;
}

describe("files", () => {
  it("are those of calls that did not fail, each once, in their order", () => {
    const { files } = collect([
      call("1", "b"),
      result("1"),
      call("2", "a", "b"),
      call("3", "never"),
      result("3", true),
      call("4", "still open"),
    ]).facts();
    expect(files).toEqual(["b", "a", "still open"]);
  });

  it("of a file that one call failed on and another changed are told", () => {
    const entries = [call("1", "a"), result("1", true), call("2", "a"), result("2")];
    expect(collect(entries).facts().files).toEqual(["a"]);
  });

  it("of children in the same file are told apart", () => {
    const facts = collect([{ ...call("1", "theirs"), inSubagent: "x" }, call("2", "ours")]).facts();
    expect(facts).toMatchObject({ files: ["ours"], subagentFiles: ["theirs"] });
  });
});

describe("a skill", () => {
  it("stands where its call and the result of it stand", () => {
    const { skills } = collect([{ ...call("toolu_123"), skill }, result("toolu_123")], 132).facts();
    expect(skills).toEqual([
      {
        ...skill,
        transcript_anchor: {
          unit: "line",
          start: 132,
          end: 133,
          entry_ids: ["entry-toolu_123"],
          tool_use_id: "toolu_123",
        },
      },
    ]);
  });

  it("is told again with its end if the result comes in a later scan", () => {
    const first = collect([{ ...call("toolu_123"), skill }], 132);
    expect(first.facts().skills[0]?.transcript_anchor).toMatchObject({ start: 132, end: 132 });
    const state = JSON.parse(JSON.stringify(first.state()));
    const next = new FactsCollector("line", { state });
    next.add(result("toolu_123"), 140);
    expect(next.facts().skills).toMatchObject([
      { id: skill.id, transcript_anchor: { start: 132, end: 140 } },
    ]);
    expect(next.state().skills).toEqual([]);
  });
});

describe("tokens", () => {
  it("of one call count once, as they were told last", () => {
    const { tokens } = collect([used("a", 1), used("b", 10), used("a", 5)]).facts();
    expect(tokens).toMatchObject({ output_tokens: 15, api_call_count: 2 });
  });

  it("stay exact over many thousand calls", () => {
    const entries = Array.from({ length: 10_000 }, (_, at) => [used(`${at}`, 1), used(`${at}`, 2)]);
    const collector = collect(entries.flat());
    expect(collector.total()).toMatchObject({ output_tokens: 20_000, api_call_count: 10_000 });
    expect(collector.state().usage.open.length).toBeLessThanOrEqual(32);
    expect(collector.total()).toMatchObject({ output_tokens: 20_000, api_call_count: 10_000 });
  });

  it("of children in the same file are told as theirs", () => {
    const { tokens } = collect([used("a", 1), { ...used("b", 10), inSubagent: "x" }]).facts();
    expect(tokens).toMatchObject({ output_tokens: 1, subagent_tokens: { output_tokens: 10 } });
  });

  it("of a child's own transcript are its own", () => {
    const collector = new FactsCollector("line", { ownChild: true });
    collector.add({ ...used("b", 10), inSubagent: "x" }, 0);
    expect(collector.total().output_tokens).toBe(10);
    expect(collector.total().subagent_tokens).toBeUndefined();
  });

  it("that were corrected downwards between two scans add nothing", () => {
    const state = collect([used("a", 10)]).state();
    const next = new FactsCollector("line", { state });
    next.add(used("a", 4), 1);
    expect(next.facts().tokens.output_tokens).toBe(0);
    expect(next.total().output_tokens).toBe(4);
  });
});

it("prompts and answers of children are not those of the session", () => {
  const said: TranscriptEntry[] = [
    { kind: "user", text: "mine" },
    { kind: "user", text: "its", inSubagent: "x" },
    { kind: "assistant", text: "answer", model: "m" },
    { kind: "assistant", text: "its answer", model: "other", inSubagent: "x" },
  ];
  const facts = collect(said).facts();
  expect(facts).toMatchObject({ lastPrompt: "mine", lastAnswer: "answer", model: "m" });
  expect(facts.prompts).toHaveLength(1);
});
