import {
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { testFolder } from "../test-kit/folder.ts";
import { type Accepted, parseObject } from "./entry.ts";
import { Journal } from "./journal.ts";

function hook(id: string, text = '{"a":1}'): Accepted {
  return {
    id,
    at: "2026-01-01T00:00:00.000Z",
    agent: "x",
    hook: "y",
    pid: 7,
    cwd: "/p",
    text,
    payload: parseObject(text),
  };
}

const all = (journal: Journal, after = 0) => [...journal.after(after)];

test("what was appended is there again, with its number, also for another process", () => {
  const folder = testFolder();
  const journal = new Journal(folder);
  expect(journal.append(hook("a")).seq).toBe(1);
  expect(journal.append(hook("b", "not JSON")).seq).toBe(2);
  journal.close();
  const again = new Journal(folder);
  expect(all(again).map(({ seq, id }) => [seq, id])).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
  expect(all(again)[0]).toEqual({ seq: 1, ...hook("a"), text: "" });
  expect(again.append(hook("c")).seq).toBe(3);
  expect(all(again, 2).map(({ id }) => id)).toEqual(["c"]);
});

test("a payload of any bytes comes back as it was, one line each", () => {
  const folder = testFolder();
  const journal = new Journal(folder);
  let count = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.json(),
        // Pretty-printed, as some agents send it.
        fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value, null, 2)),
      ),
      (text) => {
        const entry = journal.append(hook(`${count}`, text));
        const [back] = all(journal, count++);
        expect(back?.payload).toEqual(entry.payload);
        if (!entry.payload) expect(back?.text).toBe(text);
      },
    ),
    { numRuns: 200 },
  );
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean),
  );
  expect(lines).toHaveLength(count);
});

test("cut off at any byte, it keeps every whole line, and the number that was lost is used again", () => {
  const folder = testFolder();
  const journal = new Journal(folder);
  for (const id of ["a", "b", "c"]) journal.append(hook(id, `{"text":"${"ü".repeat(5)}"}`));
  journal.close();
  const path = join(folder, readdirSync(folder)[0] ?? "");
  const whole = statSync(path).size;
  const line = whole / 3;
  for (let size = whole - 1; size >= 2 * line - 1; size--) {
    truncateSync(path, size);
    const cut = new Journal(folder);
    const left = size >= 2 * line ? ["a", "b"] : ["a"];
    expect(all(cut).map(({ id }) => id)).toEqual(left);
    expect(statSync(path).size).toBe(left.length * line);
    const entry = cut.append(hook("d", `{"text":"${"ü".repeat(5)}"}`));
    expect(entry.seq).toBe(left.length + 1);
    cut.close();
    if (left.length === 1) break;
  }
});

describe("files", () => {
  const small = { segmentBytes: 300 };

  it("are begun anew when they have grown, and read as one", () => {
    const folder = testFolder();
    const journal = new Journal(folder, small);
    for (let n = 0; n < 20; n++) journal.append(hook(`${n}`));
    expect(readdirSync(folder).length).toBeGreaterThan(3);
    expect(all(journal, 13).map(({ seq }) => seq)).toEqual([14, 15, 16, 17, 18, 19, 20]);
  });

  it("go once everything in them was dealt with, and no number comes twice", () => {
    const folder = testFolder();
    const journal = new Journal(folder, small);
    for (let n = 0; n < 20; n++) journal.append(hook(`${n}`));
    journal.trim(10);
    expect(all(journal, 10).map(({ seq }) => seq)).toEqual([
      11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    ]);
    journal.trim(20);
    expect(readdirSync(folder)).toHaveLength(1);
    journal.close();
    expect(new Journal(folder, small).append(hook("next")).seq).toBe(21);
  });

  it("that are all gone do not bring old numbers back", () => {
    const folder = testFolder();
    expect(new Journal(folder, { after: 41 }).append(hook("a")).seq).toBe(42);
  });

  it("of others are left alone", () => {
    const folder = testFolder();
    new Journal(folder).append(hook("a"));
    const strange = join(folder, "notes.jsonl");
    writeFileSync(strange, "mine");
    expect(all(new Journal(folder)).map(({ id }) => id)).toEqual(["a"]);
    expect(readFileSync(strange, "utf8")).toBe("mine");
  });
});

test("a full disk refuses an entry and leaves no part of it", () => {
  let room = Number.POSITIVE_INFINITY;
  const write = (fd: number, bytes: Buffer) => {
    if (room <= 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    const written = writeSync(fd, bytes.subarray(0, room));
    room -= written;
    return written;
  };
  const journal = new Journal(testFolder(), { write });
  journal.append(hook("a"));
  for (const left of [0, 1, 50]) {
    room = left;
    expect(() => journal.append(hook("b"))).toThrow("no space");
  }
  room = Number.POSITIVE_INFINITY;
  expect(journal.append(hook("c")).seq).toBe(2);
  expect(all(journal).map(({ seq, id }) => [seq, id])).toEqual([
    [1, "a"],
    [2, "c"],
  ]);
});
