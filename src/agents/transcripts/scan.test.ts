import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { transcript as claude } from "../claude-code/transcript.ts";
import { scanTranscript } from "./scan.ts";
import { countingOpen, fixtureContent, jsonLines, openThen, tempFile } from "./test-kit.ts";

const asked = (text: string, uuid = text) => ({
  type: "user",
  uuid,
  sessionId: "s",
  message: { role: "user", content: text },
});
const answered = (id: string, output: number, text = "ok") => ({
  type: "assistant",
  uuid: `${id}-${output}`,
  sessionId: "s",
  message: {
    id,
    model: "m",
    content: [{ type: "text", text }],
    usage: { input_tokens: 10, output_tokens: output },
  },
});
const prompts = (scan: Awaited<ReturnType<typeof scanTranscript>>) =>
  scan.facts.prompts.map(({ text }) => text);
/** What a scan looks at beyond the new lines, to know the file again. */
const FINGERPRINTS = 4 * 512;

describe("what was appended", () => {
  it("is all that is read", async () => {
    const content = fixtureContent("claude-code", "compacted.jsonl");
    const path = tempFile(content);
    const first = await scanTranscript(claude, path);
    const { counted, open } = countingOpen();
    const more = jsonLines(asked("and now?"), answered("m9", 5));
    appendFileSync(path, more);
    const next = await scanTranscript(claude, path, { from: first.state, open });
    expect(prompts(next)).toEqual(["and now?"]);
    expect(next.linesParsed).toBe(2);
    expect(next.bytesRead).toBe(counted.bytes);
    expect(counted.bytes).toBeLessThanOrEqual(more.length + FINGERPRINTS);
    expect(next.restarted).toBeUndefined();
    expect(next.total.output_tokens).toBe(first.total.output_tokens + 5);
    expect(next.facts.tokens).toMatchObject({ input_tokens: 10, output_tokens: 5 });
  });

  it("is nothing if nothing was appended", async () => {
    const path = tempFile(jsonLines(asked("a"), answered("m1", 1)));
    const first = await scanTranscript(claude, path);
    const again = await scanTranscript(claude, path, { from: first.state });
    expect(again.facts.prompts).toEqual([]);
    expect(again.linesParsed).toBe(0);
    expect(again.state).toEqual(first.state);
    expect(again.total).toEqual(first.total);
  });

  it("goes on from a state that was stored as JSON", async () => {
    const path = tempFile(jsonLines(asked("a"), answered("m1", 1)));
    const { state } = await scanTranscript(claude, path);
    const stored: typeof state = JSON.parse(JSON.stringify(state));
    expect(stored).toEqual(state);
    appendFileSync(path, jsonLines(answered("m1", 7)));
    const next = await scanTranscript(claude, path, { from: stored });
    expect(next.total).toMatchObject({ output_tokens: 7, api_call_count: 1 });
    expect(next.facts.tokens).toMatchObject({ output_tokens: 6, input_tokens: 0 });
  });

  it("waits until a line is whole", async () => {
    const line = jsonLines(asked("half"));
    const path = tempFile(jsonLines(asked("a")) + line.slice(0, 20));
    const first = await scanTranscript(claude, path);
    expect(prompts(first)).toEqual(["a"]);
    expect(first.state).toMatchObject({ offset: jsonLines(asked("a")).length, position: 1 });
    expect(first.garbageLines).toBe(0);
    appendFileSync(path, line.slice(20));
    const next = await scanTranscript(claude, path, { from: first.state });
    expect(prompts(next)).toEqual(["half"]);
    expect(next.facts.prompts[0]?.position).toBe(1);
  });

  it("takes an object that is closed for a line, and its line end for nothing more", async () => {
    const path = tempFile(jsonLines(asked("a")).trimEnd());
    const first = await scanTranscript(claude, path);
    expect(prompts(first)).toEqual(["a"]);
    const idle = await scanTranscript(claude, path, { from: first.state });
    expect(prompts(idle)).toEqual([]);
    appendFileSync(path, `\n${jsonLines(asked("b"))}`);
    const next = await scanTranscript(claude, path, { from: idle.state });
    expect(next.facts.prompts).toMatchObject([{ text: "b", position: 1 }]);
    expect(next.state.position).toBe(2);
  });

  it("is not looked for beyond the size the file had when it was opened", async () => {
    const path = tempFile(jsonLines(asked("a")));
    const growing = openThen((of) => appendFileSync(of, jsonLines(asked("late"))));
    const first = await scanTranscript(claude, path, { open: growing });
    expect(prompts(first)).toEqual(["a"]);
    const next = await scanTranscript(claude, path, { from: first.state });
    expect(prompts(next)).toEqual(["late"]);
  });
});

describe("a file that is not what it was is read from its start, and that is said:", () => {
  const before = jsonLines(asked("a"), answered("m1", 1), asked("b"));

  it("shorter", async () => {
    const path = tempFile(before);
    const { state } = await scanTranscript(claude, path);
    truncateSync(path, jsonLines(asked("a")).length);
    const next = await scanTranscript(claude, path, { from: state });
    expect(next.restarted).toBe(true);
    expect(prompts(next)).toEqual(["a"]);
    expect(next.total.api_call_count).toBe(0);
  });

  it("another one, longer, in its place", async () => {
    const path = tempFile(before);
    const { state } = await scanTranscript(claude, path);
    const other = tempFile(jsonLines(asked("x")) + before + before);
    renameSync(other, path);
    const next = await scanTranscript(claude, path, { from: state });
    expect(next.restarted).toBe(true);
    expect(prompts(next)).toEqual(["x", "a", "b", "a", "b"]);
  });

  it("cut and written on, with the same beginning", async () => {
    const head = jsonLines({ type: "mode", sessionId: "s", mode: "x".repeat(2000) });
    const path = tempFile(head + before);
    const { state } = await scanTranscript(claude, path);
    writeFileSync(path, head + jsonLines(asked("c".repeat(before.length)), asked("d")));
    const next = await scanTranscript(claude, path, { from: state });
    expect(next.restarted).toBe(true);
    expect(prompts(next).at(-1)).toBe("d");
  });

  it("a state of another version", async () => {
    const path = tempFile(before);
    const { state } = await scanTranscript(claude, path);
    const from = { ...state, version: 0 } as unknown as typeof state;
    const next = await scanTranscript(claude, path, { from });
    expect(next.restarted).toBe(true);
    expect(prompts(next)).toEqual(["a", "b"]);
  });

  it("but not if a copy with the same content was put there", async () => {
    const path = tempFile(before);
    const { state } = await scanTranscript(claude, path);
    renameSync(tempFile(before + jsonLines(asked("c"))), path);
    const next = await scanTranscript(claude, path, { from: state });
    expect(next.restarted).toBeUndefined();
    expect(prompts(next)).toEqual(["c"]);
  });
});

describe("a file that is not there", () => {
  it("gives empty facts and keeps the state", async () => {
    const path = tempFile(jsonLines(asked("a"), answered("m1", 1)));
    const { state, total } = await scanTranscript(claude, path);
    renameSync(path, `${path}.gone`);
    const next = await scanTranscript(claude, path, { from: state });
    expect(next).toMatchObject({ missing: true, problem: "ENOENT", state, total });
    expect(next.facts.prompts).toEqual([]);
    renameSync(`${path}.gone`, path);
    expect((await scanTranscript(claude, path, { from: next.state })).restarted).toBeUndefined();
  });

  it("is missing without a state too, and so is a folder", async () => {
    const path = tempFile();
    expect(await scanTranscript(claude, `${path}.no`)).toMatchObject({
      missing: true,
      bytesRead: 0,
    });
    const folder = await scanTranscript(claude, path.slice(0, path.lastIndexOf("/")));
    expect(folder).toMatchObject({ missing: true, problem: "EISDIR" });
  });
});

describe("bad lines", () => {
  it("are counted and change nothing else", async () => {
    const garbage = ["not JSON", '{"type":"user"', "\0\0\0\0", '"', "[1,", "\u{1F600}"];
    const path = tempFile(
      jsonLines(asked("a")) + garbage.map((line) => `${line}\n`).join("") + jsonLines(asked("b")),
    );
    const scan = await scanTranscript(claude, path);
    expect(prompts(scan)).toEqual(["a", "b"]);
    expect(scan.garbageLines).toBe(garbage.length);
    expect(scan.facts.prompts[1]?.position).toBe(garbage.length + 1);
  });

  it("JSON that is no record, unknown records and blank lines are passed over", async () => {
    const path = tempFile(
      `${jsonLines(asked("a"))}\n   \n1\nnull\n[]\n"x"\n${jsonLines({ type: "new thing", x: 1 }, {})}`,
    );
    const scan = await scanTranscript(claude, path);
    expect(scan).toMatchObject({ garbageLines: 0, linesParsed: 7 });
    expect(scan.state.position).toBe(9);
  });

  it("byte order mark, CRLF and bytes that are no UTF-8 do no harm", async () => {
    const text = jsonLines(asked("a"), asked("b")).replaceAll("\n", "\r\n");
    const bad = Buffer.concat([
      Buffer.from('{"type":"user","message":{"content":"'),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('"}}\r\n'),
    ]);
    const path = tempFile(Buffer.concat([Buffer.from(`\uFEFF${text}`), bad]));
    const scan = await scanTranscript(claude, path);
    expect(prompts(scan)).toEqual(["a", "b", "\uFFFD\uFFFD\uFFFD"]);
    expect(scan.garbageLines).toBe(0);
  });

  it("an empty file is no bad one", async () => {
    const scan = await scanTranscript(claude, tempFile());
    expect(scan).toMatchObject({ garbageLines: 0, linesParsed: 0, bytesRead: 0 });
    expect(scan.missing).toBeUndefined();
  });

  it("a line of more than 50 MB is a line like others", async () => {
    const long = "x".repeat(51 * 1024 * 1024);
    const path = tempFile(jsonLines(asked("a"), answered("m1", 3, long), asked("b")));
    const scan = await scanTranscript(claude, path, { want: "all" });
    expect(prompts(scan)).toEqual(["a", "b"]);
    expect(scan.facts.lastAnswer?.length).toBe(long.length);
    const tokens = await scanTranscript(claude, path, { want: "tokens" });
    expect(tokens.total.output_tokens).toBe(3);
  });
});

it("a file that is cut while it is read ends there", async () => {
  const path = tempFile(jsonLines(asked("a"), asked("b".repeat(5000)), asked("c")));
  const size = readFileSync(path).length;
  const cutting = openThen((of) => truncateSync(of, jsonLines(asked("a")).length + 10));
  const scan = await scanTranscript(claude, path, { open: cutting });
  expect(prompts(scan)).toEqual(["a"]);
  expect(scan.bytesRead).toBeLessThan(size);
  const next = await scanTranscript(claude, path, { from: scan.state });
  expect(next.restarted).toBeUndefined();
});

describe("only tokens", () => {
  it("are found in the lines that can hold any; others are not parsed", async () => {
    const path = tempFile(jsonLines(asked("a"), answered("m1", 1), asked("b"), answered("m2", 2)));
    const scan = await scanTranscript(claude, path, { want: "tokens" });
    expect(scan).toMatchObject({ linesParsed: 2, garbageLines: 0 });
    expect(scan.facts.prompts).toEqual([]);
    expect(scan.facts.tokens).toEqual((await scanTranscript(claude, path)).facts.tokens);
    expect(scan.state.position).toBe(4);
  });
});
