import { closeSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { fileIO } from "./file-io.ts";
import { readSession } from "./session-file.ts";
import { readLines } from "./session-reader.ts";
import { HEADER, line, tempFolder, writeLines } from "./test-kit/files.ts";

const folder = tempFolder();
afterEach(() => vi.restoreAllMocks());

/** Reads in small steps, and counts. */
function reader(step = Number.POSITIVE_INFINITY) {
  const count = { bytes: 0, calls: 0, largest: 0 };
  const read = (fd: number, buffer: Buffer) => {
    const length = fileIO.read(fd, buffer.subarray(0, step));
    count.bytes += length;
    count.calls++;
    count.largest = Math.max(count.largest, buffer.length);
    return length;
  };
  return { io: { ...fileIO, read }, count };
}

describe("opening a long session", () => {
  it("reads every byte once, in chunks, and parses every line once", () => {
    const text = "x".repeat(1000);
    const lines = Array.from({ length: 12_000 }, (_, i) =>
      line(`e${i}`, i === 0 ? null : `e${i - 1}`, text),
    );
    const path = writeLines(join(folder.path, "s.jsonl"), [HEADER, ...lines]);
    const { io, count } = reader();
    const parse = vi.spyOn(JSON, "parse");
    const { session, problems } = readSession(path, { io });
    expect(parse).toHaveBeenCalledTimes(lines.length + 1);
    expect(problems).toEqual([]);
    expect(session.getBranch()).toEqual(lines);
    const { size } = statSync(path);
    expect(count.bytes).toBe(size);
    expect(count.largest).toBe(4 * 1024 * 1024);
    expect(count.calls).toBe(Math.ceil(size / count.largest) + 1);
  });

  it("copes with a line longer than a chunk", () => {
    const entry = line("a", null, "長い".repeat(2_000_000));
    const path = writeLines(join(folder.path, "s.jsonl"), [HEADER, entry, line("b", "a")]);
    const { session, problems } = readSession(path);
    expect(problems).toEqual([]);
    expect(session.getEntries()).toEqual([entry, line("b", "a")]);
  });
});

test("lines are the same wherever the reads are cut", () => {
  const path = join(folder.path, "lines");
  const text = fc.string({
    unit: fc.constantFrom("a", "é", "長", "😀", "\n", "\r"),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (content, step) => {
      writeFileSync(path, content);
      const fd = openSync(path, "r");
      const found: string[] = [];
      const ends: number[] = [];
      readLines(fd, reader(step).io, ({ bytes, end, hasNewline }) => {
        found.push(bytes.toString() + (hasNewline ? "\n" : ""));
        ends.push(end);
      });
      closeSync(fd);
      expect(found.join("")).toBe(content);
      expect(found.slice(0, -1).every((one) => one.indexOf("\n") === one.length - 1)).toBe(true);
      expect(ends.at(-1) ?? 0).toBe(Buffer.byteLength(content));
    }),
  );
});
