import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { StoredTranscript } from "../session/state.ts";
import { type Blobs, type LineRedactor, storeLines } from "./stored-transcript.ts";

class MemoryBlobs implements Blobs {
  readonly blobs = new Map<string, Buffer>();
  written = 0;
  async writeBlob(content: Buffer) {
    const id = createHash("sha1").update(content).digest("hex");
    if (!this.blobs.has(id)) this.written += content.length;
    this.blobs.set(id, Buffer.from(content));
    return id;
  }
  async readBlob(id: string) {
    return this.blobs.get(id);
  }
  textOf({ chunks, tail }: StoredTranscript) {
    const ids = tail === undefined ? chunks : [...chunks, tail];
    return Buffer.concat(ids.map((id) => this.blobs.get(id) ?? Buffer.from("missing"))).toString();
  }
}

class CountingRedactor implements LineRedactor {
  scanned = 0;
  async redact(lines: Buffer) {
    this.scanned += lines.length;
    const bytes = Buffer.from(lines.toString().replaceAll("hunter2", "[REDACTED]"));
    const count = lines.toString().split("hunter2").length - 1;
    return { bytes, redactions: count > 0 ? [{ rule: "test", count }] : [] };
  }
}

const entry = (i: number, size = 300) => `${JSON.stringify({ i, text: "y".repeat(size) })}\n`;
const newFile = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), "seam-stored-")), "session.jsonl");
  writeFileSync(path, text);
  return path;
};
const sha256 = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

it("stores a transcript and says what it holds", async () => {
  const text = entry(1) + entry(2);
  const blobs = new MemoryBlobs();
  const { stored } = await storeLines(newFile(text), undefined, blobs, new CountingRedactor());
  expect(blobs.textOf(stored)).toBe(text);
  expect(stored).toMatchObject({ lines: 2, rawBytes: text.length, contentHash: sha256(text) });
});

it("reads, scans and writes only what was appended", async () => {
  const path = newFile(Array.from({ length: 3_000 }, (_, i) => entry(i)).join(""));
  const blobs = new MemoryBlobs();
  const redactor = new CountingRedactor();
  const first = await storeLines(path, undefined, blobs, redactor);
  const more = entry(3_000) + entry(3_001);
  appendFileSync(path, more);
  redactor.scanned = 0;
  blobs.written = 0;
  const second = await storeLines(path, first.stored, blobs, redactor);
  expect(second.bytesRead).toBe(more.length);
  expect(redactor.scanned).toBe(more.length);
  expect(blobs.written).toBeLessThan(80_000);
  expect(second.stored.contentHash).toBe(sha256(blobs.textOf(second.stored)));
  expect(second.restarted).toBe(false);
});

it("costs little more to store a hundred times than to store once", async () => {
  const path = newFile("");
  const blobs = new MemoryBlobs();
  let stored: StoredTranscript | undefined;
  for (let i = 0; i < 100; i++) {
    appendFileSync(path, Array.from({ length: 20 }, (_, n) => entry(i * 20 + n, 2_000)).join(""));
    ({ stored } = await storeLines(path, stored, blobs, new CountingRedactor()));
  }
  const total = stored?.rawBytes ?? 0;
  expect(total).toBeGreaterThan(4_000_000);
  expect(blobs.written / total).toBeLessThan(2);
});

it("waits for the rest of a line that is half written", async () => {
  const path = newFile(`${entry(1)}{"half`);
  const blobs = new MemoryBlobs();
  const first = await storeLines(path, undefined, blobs, new CountingRedactor());
  expect(blobs.textOf(first.stored)).toBe(entry(1));
  appendFileSync(path, '":true}\n');
  const second = await storeLines(path, first.stored, blobs, new CountingRedactor());
  expect(blobs.textOf(second.stored)).toBe(`${entry(1)}{"half":true}\n`);
});

it("stores a transcript anew that was rewritten or cut short", async () => {
  const path = newFile(entry(1) + entry(2));
  const blobs = new MemoryBlobs();
  const { stored } = await storeLines(path, undefined, blobs, new CountingRedactor());
  for (const text of [entry(9) + entry(2) + entry(3), entry(1)]) {
    writeFileSync(path, text);
    const again = await storeLines(path, stored, blobs, new CountingRedactor());
    expect(again.restarted).toBe(true);
    expect(blobs.textOf(again.stored)).toBe(text);
  }
});

it("stores it anew when what was stored is gone", async () => {
  const path = newFile(entry(1));
  const first = await storeLines(path, undefined, new MemoryBlobs(), new CountingRedactor());
  appendFileSync(path, entry(2));
  const blobs = new MemoryBlobs();
  const again = await storeLines(path, first.stored, blobs, new CountingRedactor());
  expect(blobs.textOf(again.stored)).toBe(entry(1) + entry(2));
});

it("adds up what was taken out", async () => {
  const path = newFile('{"a":"hunter2"}\n');
  const blobs = new MemoryBlobs();
  const first = await storeLines(path, undefined, blobs, new CountingRedactor());
  appendFileSync(path, '{"b":"hunter2 hunter2"}\n');
  const { stored } = await storeLines(path, first.stored, blobs, new CountingRedactor());
  expect(stored.redactions).toEqual([{ rule: "test", count: 3 }]);
  expect(blobs.textOf(stored)).not.toContain("hunter2");
});

it("stores a line that is longer than any piece", async () => {
  const text = entry(1, 9_000_000) + entry(2);
  const blobs = new MemoryBlobs();
  const { stored } = await storeLines(newFile(text), undefined, blobs, new CountingRedactor());
  expect(blobs.textOf(stored) === text).toBe(true);
});

it("stores nothing of an empty transcript", async () => {
  const { stored } = await storeLines(
    newFile(""),
    undefined,
    new MemoryBlobs(),
    new CountingRedactor(),
  );
  expect(stored).toMatchObject({ chunks: [], lines: 0, rawBytes: 0, contentHash: sha256("") });
  expect(stored.tail).toBeUndefined();
});

it("lets others have their turn between any two parts it writes", async () => {
  const path = newFile(Array.from({ length: 9_000 }, (_, i) => entry(i)).join(""));
  const blobs = new MemoryBlobs();
  let most = 0;
  let known = 0;
  let isOver = false;
  const tick = () => {
    most = Math.max(most, blobs.blobs.size - known);
    known = blobs.blobs.size;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await storeLines(path, undefined, blobs, new CountingRedactor());
  isOver = true;
  expect(known).toBeGreaterThan(20);
  expect(most).toBeLessThanOrEqual(2);
});
