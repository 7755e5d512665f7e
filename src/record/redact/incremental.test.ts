import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { createRedactor, type RedactionState, startRedaction } from "./index.ts";
import { secretOf } from "./test-kit/secrets.ts";

const redactor = createRedactor();
const { value: token } = secretOf("github-token", 1);
const { value: key } = secretOf("private-key", 1);
const transcript = readFileSync(join(import.meta.dirname, "test-kit/transcripts/claude.jsonl"));

/** A file that grows to these ends, read from where the last search stopped. */
async function grow(format: RedactionState["format"], file: Buffer, ends: readonly number[]) {
  let state = startRedaction(format);
  const parts: Buffer[] = [];
  const scanned: number[] = [];
  const report = [];
  for (const end of ends) {
    const chunk = file.subarray(state.offset, end);
    const appended = await redactor.redactAppended(state, chunk, { complete: end === file.length });
    // The state is kept in a file between two searches.
    state = JSON.parse(JSON.stringify(appended.state)) as RedactionState;
    parts.push(appended.bytes);
    scanned.push(appended.scanned);
    report.push(...appended.report);
  }
  return { bytes: Buffer.concat(parts), state, scanned, report };
}

describe("a file that grows", () => {
  it("is searched once: the work is what was appended", async () => {
    const ends = [1, 2, 3, 4].map((part) => Math.round((transcript.length * part) / 4));
    const { bytes, scanned, state } = await grow("jsonl", transcript, ends);
    expect(bytes.equals(transcript)).toBe(true);
    expect(state.offset).toBe(transcript.length);
    const newlines = transcript.filter((byte) => byte === 10).length;
    expect(scanned.reduce((sum, part) => sum + part, 0)).toBe(transcript.length - newlines);
  });

  it("costs the same for the same lines, however much stands before them", async () => {
    const more = Buffer.from(`{"text":"one more line with ${token}"}\n`);
    const short = await redactor.redactAppended(startRedaction("jsonl"), more);
    const { state } = await grow("jsonl", transcript, [transcript.length]);
    const long = await redactor.redactAppended(state, more);
    expect(long.scanned).toBe(short.scanned);
    expect(long.scanned).toBeLessThan(3 * more.length);
  });

  it("waits for the end of a line", async () => {
    const text = Buffer.from(`{"a":1}\n{"text":"${token}"}\n`);
    for (let cut = 0; cut <= text.length; cut++) {
      const { bytes, report } = await grow("jsonl", text, [cut, text.length]);
      expect(bytes.toString()).toBe('{"a":1}\n{"text":"[REDACTED:github-token]"}\n');
      expect(report).toEqual([{ rule: "github-token", count: 1, line: 2 }]);
    }
  });

  it("counts lines through: the report names the line of the file", async () => {
    const text = Buffer.from(`{}\n{}\n{}\n{"text":"${token}"}\n`);
    const { report, state } = await grow("jsonl", text, [4, 9, text.length]);
    expect(report).toEqual([{ rule: "github-token", count: 1, line: 4 }]);
    expect(state.lines).toBe(4);
  });

  it("has a last line without an end searched only when it is complete", async () => {
    const text = Buffer.from(`{"text":"${token}"}`);
    const waiting = await redactor.redactAppended(startRedaction("jsonl"), text);
    expect(waiting).toMatchObject({ scanned: 0, report: [], state: { offset: 0, lines: 0 } });
    expect(waiting.bytes).toHaveLength(0);
    const done = await redactor.redactAppended(startRedaction("jsonl"), text, { complete: true });
    expect(done.bytes.toString()).toBe('{"text":"[REDACTED:github-token]"}');
  });

  it("finds a private key that came in pieces, wherever it was cut", async () => {
    const text = Buffer.from(`notes\n${key}\nmore\n`);
    const whole = (await grow("text", text, [text.length])).bytes.toString();
    expect(whole).toContain("[REDACTED:private-key]");
    for (let cut = 0; cut <= text.length; cut += 3) {
      expect((await grow("text", text, [cut, text.length])).bytes.toString()).toBe(whole);
    }
  });

  it("finds it in a file of lines that should have been JSON", async () => {
    const text = Buffer.from(`{"a":1}\n${key}\n{"b":2}\n`);
    const lines = (await grow("jsonl", text, [text.length])).bytes.toString().split("\n");
    expect(lines.filter((line) => line === "[REDACTED:private-key]")).toHaveLength(3);
    expect(lines.at(-2)).toBe('{"b":2}');
  });

  it("keeps nothing of the file in its state", async () => {
    const text = Buffer.from(`-----BEGIN RSA PRIVATE KEY-----\n${token}\n`);
    const { state } = await grow("text", text, [text.length]);
    expect(Object.values(state).join(" ")).toMatch(/^(text|jsonl) \d+ \d+ (outside|begun|inside)$/);
  });
});

describe("something very long", () => {
  const filler = 'Lorem ipsum dolor sit amet, \\n\\t\\"consectetur\\" adipiscing elit. '.repeat(
    800_000,
  );

  inFull("one line of 50 MB is searched to its end", { timeout: 120_000 }, async () => {
    const text = Buffer.from(`{"id":"x","text":"${token} ${filler} ${token}"}\n`, "latin1");
    expect(text.length).toBeGreaterThan(50_000_000);
    const { bytes, report } = await redactor.redactAppended(startRedaction("jsonl"), text);
    expect(report).toEqual([{ rule: "github-token", count: 2, line: 1 }]);
    expect(bytes.length).toBe(text.length - 2 * (token.length - "[REDACTED:github-token]".length));
    expect(bytes.indexOf(token)).toBe(-1);
  });

  inFull(
    "a secret is found wherever it stands in a long string, also across the parts",
    async () => {
      const part = 256 * 1024;
      const fillers = ["\\u0041 ", "\\n", "x ", "\\\\", "\\\\\\n"];
      for (const filler of fillers) {
        for (let shift = -60; shift <= 60; shift += 7) {
          const before = filler.repeat(Math.floor((part + shift) / filler.length));
          const text = `{"t":"${shift % 2 === 0 ? "" : "z"}${before}${token} ${"y ".repeat(60_000)}"}`;
          const { bytes } = await redactor.redact(Buffer.from(text, "latin1"));
          expect(bytes.toString("latin1")).toBe(text.replace(token, "[REDACTED:github-token]"));
        }
      }
    },
  );

  it("a picture of some megabytes stays whole, wherever the parts cut it", async () => {
    const data = Buffer.from(
      Array.from({ length: 900_000 }, (_, at) => (at * at * 31 + at * 7) & 255),
    );
    const text = JSON.stringify({
      content: data.toString("base64"),
      url: data.toString("base64url"),
    });
    expect((await redactor.redact(Buffer.from(text))).redactions).toEqual([]);
  });
});
