import { appendFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { scanTranscript } from "../transcripts/scan.ts";
import { scanFamily } from "../transcripts/scan-with-subagents.ts";
import {
  copyFixture,
  countingOpen,
  fixture,
  fixtureContent,
  jsonLines,
  tempFile,
  tempPlace,
} from "../transcripts/test-kit.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const PARENT = "01a1e05c-c3e8-78e1-9f96-d1e5fb5d8a3f";
const CHILD = "01a1e068-0fc2-7df3-9e9f-2bc2039e775e";

async function factsOf(...records: unknown[]) {
  const { facts } = await scanTranscript(transcript, tempFile(jsonLines(...records)));
  return facts;
}
const item = (payload: object) => ({ type: "response_item", payload });
const event = (payload: object) => ({ type: "event_msg", payload });
const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

describe("a session of Codex", () => {
  it("has what was asked, changed and said, and each call once without its cached input [codex-usage-twice]", async () => {
    const { facts } = await scanTranscript(transcript, fixture("codex", "rollout.jsonl"));
    expect(facts).toMatchObject({
      prompts: [{ text: "please say hi" }, { text: "second prompt" }],
      files: ["hello.txt"],
      lastAnswer: "All done.",
      model: "gpt-5.5",
      toolResults: 2,
      skills: [],
    });
    expect(facts.tokens).toEqual({
      input_tokens: 3200,
      cache_creation_tokens: 0,
      cache_read_tokens: 800,
      output_tokens: 200,
      api_call_count: 4,
    });
  });

  it("of an older version has the same from what that tells", async () => {
    const usage = (input: number, cached: number) => ({
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: 5,
    });
    const told = (total: object, last: object) =>
      event({ type: "token_count", info: { total_token_usage: total, last_token_usage: last } });
    const facts = await factsOf(
      item({ type: "message", role: "user", content: "<environment_context>…" }),
      event({ type: "user_message", message: "<user_instructions>x</user_instructions>" }),
      event({ type: "user_message", message: "do it" }),
      event({ type: "token_count", info: null }),
      told(usage(100, 40), usage(100, 40)),
      // Told again because a limit changed.
      told(usage(100, 40), usage(100, 40)),
      told(usage(300, 140), usage(200, 100)),
    );
    expect(facts.prompts).toMatchObject([{ text: "do it" }]);
    expect(facts.tokens).toMatchObject({
      input_tokens: 160,
      cache_read_tokens: 140,
      api_call_count: 2,
    });
  });

  it("that tells a prompt in both ways has it once, and twice if it was given twice", async () => {
    const both = [
      event({ type: "user_message", message: "again" }),
      event({
        type: "item_completed",
        item: { type: "UserMessage", content: [{ type: "text", text: "again" }] },
      }),
    ];
    const answer = item({ type: "message", role: "assistant", content: [] });
    const facts = await factsOf(...both, answer, ...both);
    expect(facts.prompts.map(({ text }) => text)).toEqual(["again", "again"]);
  });

  it("says when it was compacted", async () => {
    const facts = await factsOf({ type: "compacted", payload: { message: "x" } });
    expect(facts.compactions).toBe(1);
  });
});

describe("files of a patch", () => {
  const text = patch(
    "*** Add File: new.txt",
    "+x",
    "*** Update File: old.txt",
    "*** Move to: moved.txt",
    "@@",
    "-a",
    "+b",
    "*** Delete File: gone.txt",
  );
  const files = ["new.txt", "old.txt", "moved.txt", "gone.txt"];

  it.each([
    ["the tool", { type: "custom_tool_call", name: "apply_patch", input: text }],
    [
      "a function",
      { type: "function_call", name: "apply_patch", arguments: JSON.stringify({ input: text }) },
    ],
    [
      "a shell command",
      {
        type: "function_call",
        name: "exec_command",
        arguments: JSON.stringify({ cmd: `apply_patch <<'EOF'\n${text}EOF` }),
      },
    ],
    [
      "the words of one",
      {
        type: "function_call",
        name: "shell",
        arguments: JSON.stringify({ command: ["apply_patch", text] }),
      },
    ],
  ])("are all it adds, changes, moves and deletes, by %s", async (_, call) => {
    expect((await factsOf(item({ ...call, call_id: "c" }))).files).toEqual(files);
  });

  it.each([
    "Exit code: 1\nOutput:\nno",
    "apply_patch verification failed: no such line",
    "Command blocked by PreToolUse hook: policy. Command: apply_patch",
  ])("are none if it failed: %s", async (output) => {
    const facts = await factsOf(
      item({ type: "custom_tool_call", name: "apply_patch", input: text, call_id: "c" }),
      item({ type: "custom_tool_call_output", call_id: "c", output }),
    );
    expect(facts.files).toEqual([]);
  });

  it("are none for a command that only reads", async () => {
    const args = JSON.stringify({ cmd: "cat skills/greet/SKILL.md" });
    const facts = await factsOf(
      item({ type: "function_call", name: "exec_command", arguments: args, call_id: "c" }),
    );
    expect(facts).toMatchObject({ files: [], skills: [] });
  });
});

describe("where Codex keeps sessions", () => {
  it("is by day, and the day is known from the id", async () => {
    const place = tempPlace();
    const name = `rollout-2026-11-15T17-58-58-${PARENT}.jsonl`;
    const path = join(sessions.dir(place), "2026/11/15", name);
    expect(sessions.file(place, PARENT)).toBeUndefined();
    copyFixture("codex", "rollout.jsonl", path);
    expect(sessions.file(place, PARENT)).toBe(path);
    expect((await sessions.read(place, PARENT))?.ref).toBe(path);
    expect(sessions.file(place, "not-an-id")).toBeUndefined();
  });

  it("may be the day before or after, where it was another day", () => {
    for (const day of ["2026/11/14", "2026/11/16"]) {
      const place = tempPlace();
      const path = join(sessions.dir(place), day, `rollout-x-${PARENT}.jsonl`);
      copyFixture("codex", "rollout.jsonl", path);
      expect(sessions.file(place, PARENT)).toBe(path);
    }
  });

  it("is found again after a session was given back", async () => {
    const place = tempPlace({ CODEX_HOME: join(tempPlace().home, "codex") });
    const content = fixtureContent("codex", "rollout.jsonl");
    const session = { sessionId: PARENT, agent: "codex", project: "/p", ref: "/x", content };
    const { ref, written } = await sessions.write(place, session);
    expect(written).toBe(true);
    expect(sessions.file(place, PARENT)).toBe(ref);
    expect(await sessions.write(place, session)).toEqual({ ref, written: false });
    expect(sessions.resumeCommand(PARENT)).toEqual(["codex", "resume", PARENT]);
    const unknown = { ...session, sessionId: "no-time-in-it" };
    await expect(sessions.write(place, unknown)).rejects.toMatchObject({
      code: "SEAM_SESSION_WRITE",
    });
  });
});

describe("the name that a rollout is given back under", () => {
  const givenBack = async (content: Buffer) => {
    const place = tempPlace();
    const session = { sessionId: PARENT, agent: "codex", project: "/p", ref: "/x", content };
    const { ref } = await sessions.write(place, session);
    return relative(sessions.dir(place), ref);
  };

  it("is the one Codex gave it: of its first line's time, on the clock of the wall", async () => {
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.unstubAllEnvs());
    const text = fixtureContent("codex", "rollout.jsonl").toString();
    const later = text.replace("2026-11-15T17:58:58.334Z", "2026-11-16T02:10:03.001Z");
    expect(await givenBack(Buffer.from(later))).toBe(
      `2026/11/15/rollout-2026-11-15T21-10-03-${PARENT}.jsonl`,
    );
  });

  it("is made from the id where the first line has no time", async () => {
    const day = /^2026\/11\/1[456]\/rollout-2026-11-1[456]T\d\d-\d\d-58-/;
    expect(await givenBack(Buffer.from("{}\n"))).toMatch(day);
    expect(await givenBack(Buffer.from("not JSON"))).toMatch(day);
    expect(await givenBack(Buffer.from('{"payload":{"timestamp":"soon"}}\n'))).toMatch(day);
  });
});

describe("children of a thread", () => {
  it("are found through the call that started them; only new lines are looked at", async () => {
    const place = tempPlace();
    const day = join(sessions.dir(place), "2026/11/15");
    const parent = join(day, `rollout-2026-11-15T17-58-58-${PARENT}.jsonl`);
    copyFixture("codex", "rollout.jsonl", parent);
    copyFixture("codex", "subagent.jsonl", join(day, `rollout-2026-11-15T18-11-18-${CHILD}.jsonl`));
    expect(await sessions.subagents?.(parent)).toEqual([]);
    const output = JSON.stringify({ agent_id: CHILD, nickname: "x" });
    const more = jsonLines(
      item({
        type: "function_call",
        name: "multi_agent_v1.spawn_agent",
        arguments: "{}",
        call_id: "s",
      }),
      item({ type: "function_call_output", call_id: "s", output }),
    );
    appendFileSync(parent, more);
    const children = await sessions.subagents?.(parent);
    expect(children).toMatchObject([{ id: CHILD }]);
    expect(await sessions.subagents?.(parent)).toEqual(children);
    expect(dirname(children?.[0]?.ref ?? "")).toBe(day);
    const { counted, open } = countingOpen();
    const family = await scanFamily({ transcript, sessions }, parent, { want: "tokens", open });
    expect(family.total).toMatchObject({
      api_call_count: 4,
      subagent_tokens: { input_tokens: 800, cache_read_tokens: 200, api_call_count: 1 },
    });
    const again = await scanFamily({ transcript, sessions }, parent, {
      want: "tokens",
      from: family.state,
      open,
    });
    expect(again.total).toEqual(family.total);
    expect(counted.bytes).toBeGreaterThan(0);
    expect(again.main.bytesRead).toBeLessThanOrEqual(1024);
  });
});
