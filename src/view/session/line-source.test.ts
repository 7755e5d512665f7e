import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENTS, agentNamed, openReadable, type ReadableFile } from "../../agents/index.ts";
import { ClaudeLines } from "../test-kit/claude-lines.ts";
import { LineSource } from "./line-source.ts";
import { keyOf } from "./piece-key.ts";
import type { SessionSource } from "./source.ts";
import { timelineOf } from "./timeline.ts";
import { toEntries } from "./to-entries.ts";

const NOTHING_AROUND = { stops: new Map(), allowed: new Map(), isWorking: false };

function claude() {
  const lines = agentNamed("claude-code")?.transcript.lines;
  if (!lines) throw new Error("Claude Code writes lines");
  return lines;
}

/** A source over a file, and how many bytes were read of it. */
function open(text: string) {
  const path = join(mkdtempSync(join(tmpdir(), "session-")), "s1.jsonl");
  writeFileSync(path, text);
  const counted = { bytes: 0 };
  const opened = (): ReadableFile => {
    const file = openReadable(path);
    return {
      ...file,
      read: (into, length, position) => {
        const read = file.read(into, length, position);
        counted.bytes += read;
        return read;
      },
    };
  };
  return { path, counted, source: new LineSource(path, claude(), opened) };
}

const keysOf = (source: SessionSource, wish: object = {}) =>
  source.page({ limit: 100, ...wish }).pieces.map(keyOf);
const shown = (source: SessionSource, wish: object = {}) =>
  toEntries(source.page({ limit: 100, ...wish }), NOTHING_AROUND);

/** From the end to the beginning, page by page. */
function backwards(source: SessionSource, limit: number): string[] {
  const found: string[] = [];
  for (let page = source.page({ limit }); ; ) {
    found.unshift(...page.pieces.map(keyOf));
    const [first] = page.pieces;
    if (!page.hasBefore || !first) return found;
    page = source.page({ limit, before: keyOf(first) });
  }
}

function forwards(source: SessionSource, limit: number, from: string): string[] {
  const found = [from];
  for (;;) {
    const page = source.page({ limit, after: found.at(-1) ?? "" });
    found.push(...page.pieces.map(keyOf));
    if (!page.hasAfter) return found;
  }
}

describe("a session of Claude Code", () => {
  const lines = new ClaudeLines()
    .prompt("Fix the parser")
    .thinking("The lexer drops the last token.")
    .answer("I look at the lexer.")
    .call("c1", "Read", { file_path: "/project/lex.ts" })
    .result("c1", "export const lex = 1;")
    .call("c2", "Edit", {
      file_path: "/project/lex.ts",
      old_string: "a\nb\n",
      new_string: "a\nc\n",
    })
    .result("c2", "done")
    .call("c3", "Bash", { command: "npm test" })
    .result("c3", "2 failed", { is_error: true })
    .prompt("And now?");

  it("is shown as prompts, thinking, answers and calls with what came back", async () => {
    const { source } = open(lines.text);
    await source.refresh();
    const entries = shown(source);
    expect(entries.map(({ kind }) => kind)).toEqual([
      ...["prompt", "thinking", "answer", "call", "call", "call", "prompt"],
    ]);
    expect(entries[3]).toMatchObject({
      line: 3,
      call: { tool: "read", state: "done", ms: 1000, output: { text: "export const lex = 1;" } },
    });
    expect(entries[4]).toMatchObject({ call: { tool: "edit", added: 1, removed: 1 } });
    expect(entries[4]).toHaveProperty(
      "call.diff",
      "--- a/project/lex.ts\n+++ b/project/lex.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+c",
    );
    expect(entries[5]).toMatchObject({ call: { tool: "bash", state: "failed" } });
    expect(source.facts).toMatchObject({ entries: 7, model: "claude-sonnet" });
    expect([...source.facts.files]).toEqual(["/project/lex.ts"]);
    expect(source.facts.usage).toMatchObject({ input_tokens: 50, api_call_count: 5 });
  });

  it("has turns with lanes", async () => {
    const { source } = open(lines.text);
    const first = timelineOf(source.turn(keysOf(source)[4]), NOTHING_AROUND);
    expect(first.prompt?.text).toBe("Fix the parser");
    expect(first.lanes.map(({ name }) => name)).toEqual(["read", "edit", "bash"]);
    expect(first.files).toEqual([{ path: "/project/lex.ts", added: 1, removed: 1 }]);
    expect(first.ms).toBe(8_000);
    expect(first.usage?.api_call_count).toBe(5);
    expect(timelineOf(source.turn(), NOTHING_AROUND).prompt?.text).toBe("And now?");
  });

  it("grows while it is looked at: a call that runs, a line that is half written", async () => {
    const { source, path, counted } = open(new ClaudeLines().prompt("Go").text);
    await source.refresh();
    const more = new ClaudeLines().call("c1", "Bash", { command: "sleep 9" }).result("c1", "ok");
    const [call = "", result = ""] = more.lines;
    appendFileSync(path, call.slice(0, 40));
    await source.refresh();
    expect(keysOf(source)).toHaveLength(1);
    appendFileSync(path, call.slice(40));
    await source.refresh();
    const working = { stops: new Map(), allowed: new Map(), isWorking: true };
    const page = source.page({ limit: 10 });
    expect(page).toMatchObject({ total: 2, from: 0 });
    expect(toEntries(page, working)[1]).toMatchObject({ line: 1, call: { state: "running" } });
    appendFileSync(path, `\n${result}\n`);
    await source.refresh();
    expect(toEntries(source.page({ limit: 10 }), working)[1]).toMatchObject({
      call: { state: "done", output: { text: "ok" } },
    });
    counted.bytes = 0;
    await source.refresh();
    // Only what tells that it is the same file.
    expect(counted.bytes).toBeLessThanOrEqual(4 * 512);
  });

  it("is read anew when its agent wrote it anew", async () => {
    const { source, path } = open(lines.text);
    await source.refresh();
    writeFileSync(path, new ClaudeLines().prompt("Something else").answer("Yes.").text);
    await source.refresh();
    expect(source.facts.entries).toBe(2);
    expect(source.facts.prompts.map(({ text }) => text)).toEqual(["Something else"]);
  });

  it("shows pictures by their place, not in the list", () => {
    const data = Buffer.from("not really a picture").toString("base64");
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    const evil = { type: "image", source: { type: "base64", media_type: "image/svg+xml", data } };
    const { source } = open(
      new ClaudeLines().call("c1", "Read", { file_path: "a.png" }).result("c1", [image, evil]).text,
    );
    const [entry] = shown(source);
    expect(entry?.images).toEqual([{ mime: "image/png", bytes: 21 }]);
    expect(JSON.stringify(entry)).not.toContain(data);
  });
});

describe("lines that nobody understands", () => {
  it.each([
    ["garbage", "{not json"],
    ["a number", "42"],
    ["a list", '["a"]'],
    ["bytes that are no text", "\u0000\u0001\ufffd"],
  ])("are shown as they are: %s", async (_, line) => {
    const { source } = open(new ClaudeLines().prompt("a").raw(line).answer("b").text);
    await source.refresh();
    const entries = shown(source);
    expect(entries.map(({ kind }) => kind)).toEqual(["prompt", "unknown", "answer"]);
    expect(source.raw(entries[1]?.key ?? "")?.text).toBe(line);
  });

  it("do not hide others, whatever stands in a transcript", async () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(...ODD.map((one) => JSON.stringify(one))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (odd) => {
        const flat = odd.map((one) => one.replace(/\n/g, " "));
        const made = new ClaudeLines().prompt("first");
        for (const one of flat) made.raw(one);
        const { source } = open(made.answer("last").text);
        await source.refresh();
        const entries = shown(source);
        expect(entries.at(0)).toMatchObject({ kind: "prompt" });
        expect(entries.at(-1)).toMatchObject({ kind: "answer" });
        expect(source.facts.entries).toBe(entries.length);
      }),
    );
  });

  it("are cut where one is longer than can be shown", async () => {
    const { source } = open(
      new ClaudeLines()
        .prompt("a")
        .raw(`"${"x".repeat(40 * 1024 * 1024)}"`)
        .answer("b").text,
    );
    await source.refresh();
    expect(shown(source).map(({ kind }) => kind)).toEqual(["prompt", "unknown", "answer"]);
  });
});

/** Lines that look like Claude Code's and are not. */
const ODD = [
  { type: "user", message: null },
  { type: "assistant", message: { content: [{ type: "tool_use", name: 7 }] } },
  { type: "assistant", message: { content: "text" }, sessionId: 1 },
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: 1 }] } },
  { type: "system", subtype: "compact_boundary" },
  { type: "image", source: { type: "base64", media_type: "image/png" } },
  { structuredPatch: [{ oldStart: "1" }] },
];

describe("pages", () => {
  function long(count: number) {
    const lines = new ClaudeLines();
    for (let n = 0; n < count; n++) {
      if (n % 10 === 0) lines.prompt(`Prompt ${n}`);
      lines.call(`c${n}`, "Bash", { command: `echo ${n}` });
      lines.answer(`Answer ${n}: ${"words ".repeat(n % 40)}`).result(`c${n}`, `${n}`);
    }
    return lines;
  }

  it("cover a session without a gap or a repetition, before and after it is indexed", async () => {
    const { source } = open(long(400).text);
    const early = backwards(source, 70);
    await source.refresh();
    const late = backwards(source, 70);
    expect(late).toEqual(early);
    expect(late).toHaveLength(source.facts.entries);
    expect(forwards(source, 64, late[0] ?? "")).toEqual(late);
    const page = source.page({ at: 300, limit: 5 });
    expect(page.pieces.map(keyOf)).toEqual(late.slice(300, 305));
    expect(page).toMatchObject({ from: 300, total: late.length });
    const around = source.page({ around: late[600] ?? "", limit: 10 });
    expect(around.pieces.map(keyOf)).toEqual(late.slice(595, 605));
    expect(around.from).toBe(595);
    expect(source.facts.prompts.at(-1)?.key).toBe(late[source.facts.prompts.at(-1)?.index ?? -1]);
  });

  it("hold what came back from every call, on whichever page it stands", () => {
    const { source } = open(long(100).text);
    for (let at = 0; at < 200; at += 13) {
      for (const entry of shown(source, { at, limit: 7 })) {
        if (entry.kind === "call") expect(entry.call.state).toBe("done");
      }
    }
  });

  it("of the end are read from the end: as many bytes of a long session as of a short one", () => {
    const short = open(long(300).text);
    const huge = open(long(8_000).text);
    expect(keysOf(short.source)).toHaveLength(100);
    expect(keysOf(huge.source)).toHaveLength(100);
    expect(huge.counted.bytes).toBeLessThan(short.counted.bytes * 3);
  });
});

it("reads every recorded transcript of every agent, and knows each line of it", async () => {
  const unknown: string[] = [];
  let read = 0;
  for (const { name, transcript } of AGENTS) {
    const folder = join(import.meta.dirname, "../../agents", name, "test-kit/transcripts");
    for (const file of transcript.lines
      ? readdirSync(folder, { recursive: true, encoding: "utf8" })
      : []) {
      if (!/\.(jsonl|md)$/.test(file) || !transcript.lines) continue;
      const path = join(folder, file);
      const source = new LineSource(path, transcript.lines);
      await source.refresh();
      read++;
      for (const piece of source.page({ limit: 10_000 }).pieces) {
        if (piece.kind === "unknown") unknown.push(`${name}/${file}: ${piece.raw.slice(0, 80)}`);
      }
      expect(readFileSync(path).length).toBe(source.size());
    }
  }
  expect(read).toBeGreaterThan(5);
  expect(unknown).toEqual([]);
});

it("a command that goes on in the background is neither running nor done", () => {
  const begun = new ClaudeLines()
    .prompt("serve it")
    .call("t1", "Bash", { command: "npm run dev", run_in_background: true })
    .result("t1", "Command running in background with ID: b1")
    .call("t2", "Bash", { command: "ls" })
    .result("t2", "a.txt")
    .call("t3", "Bash", { command: "npm run dev", run_in_background: true })
    .result("t3", "no such script", { is_error: true });
  const calls = shown(open(begun.text).source).flatMap((entry) =>
    "call" in entry ? [entry.call] : [],
  );
  expect(calls.map(({ state }) => state)).toEqual(["background", "done", "failed"]);
});
