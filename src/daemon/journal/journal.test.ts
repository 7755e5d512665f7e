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
import { runs } from "../../../test/setup/sample.ts";
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
    runs(200),
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

describe("what an agent said", () => {
  const SECRET = "the agent said hunter2hunter2";
  const said = (id: string) => hook(id, JSON.stringify({ prompt: `${SECRET} ${id}` }));
  const onDisk = (folder: string) =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("");

  it("is gone once it was recorded, and the entry is still known", () => {
    const folder = testFolder();
    const journal = new Journal(folder);
    const calls = { session: "s", cwd: "/p", ids: ["seam-1"] };
    journal.append({ ...said("a"), calls });
    journal.append(hook("b", `no JSON, ${SECRET}`));
    journal.append(said("c"));
    journal.strike(2);
    expect(onDisk(folder).split(SECRET)).toHaveLength(2);
    for (const one of [journal, new Journal(folder)]) {
      const [a, b, c] = all(one);
      expect(a).toMatchObject({ seq: 1, id: "a", cwd: "/p", calls, isStruck: true, text: "" });
      expect(b).toMatchObject({ seq: 2, id: "b", isStruck: true, text: "" });
      expect(c).toMatchObject({ seq: 3, payload: { prompt: `${SECRET} c` } });
      expect(c?.isStruck).toBeUndefined();
    }
    expect(journal.append(said("d")).seq).toBe(4);
    journal.strike(4);
    expect(onDisk(folder)).not.toContain(SECRET);
  });

  it("is gone from all files that are left", () => {
    const folder = testFolder();
    const journal = new Journal(folder, { segmentBytes: 300 });
    for (let n = 1; n <= 20; n++) {
      journal.append(said(`${n}`));
      if (n % 7 === 0) journal.trim(n);
      if (n % 5 === 0) journal.strike(n - 2);
    }
    expect(onDisk(folder).split(SECRET)).toHaveLength(3);
    journal.trim(20);
    journal.strike(20);
    expect(onDisk(folder)).not.toContain(SECRET);
    expect(all(journal).at(-1)).toMatchObject({ seq: 20, id: "20" });
  });

  it("is struck by the next process if this one ends at any byte of it, and nothing else is lost", () => {
    const bytes = Buffer.byteLength(JSON.stringify({ prompt: `${SECRET} a` })) + 12;
    for (let room = 0; room <= bytes; room++) {
      const folder = testFolder();
      let left = room;
      const write = (fd: number, chunk: Buffer, at?: number) => {
        if (at === undefined) return writeSync(fd, chunk);
        if (left === 0) throw new Error("killed");
        const written = writeSync(fd, chunk, 0, Math.min(left, chunk.length), at);
        left -= written;
        return written;
      };
      const dying = new Journal(folder, { write });
      for (const id of ["a", "b"]) dying.append(said(id));
      try {
        dying.strike(1);
      } catch (error) {
        expect(error).toMatchObject({ message: "killed" });
      }
      dying.close();
      const next = new Journal(folder, { after: 1 });
      next.strikeRest(1);
      expect(onDisk(folder)).not.toContain(`${SECRET.slice(-6)} a`);
      expect(all(next, 1)).toMatchObject([{ seq: 2, payload: { prompt: `${SECRET} b` } }]);
      expect(next.append(said("c")).seq).toBe(3);
      next.strike(3);
      expect(onDisk(folder)).not.toContain(SECRET.slice(-6));
      next.close();
    }
  });

  it("of a journal that an earlier Seam left is struck up to what was recorded", () => {
    const folder = testFolder();
    const before = new Journal(folder, { segmentBytes: 300 });
    for (let n = 1; n <= 9; n++) before.append(said(`${n}`));
    before.close();
    const journal = new Journal(folder, { segmentBytes: 300 });
    journal.strikeRest(6);
    expect(onDisk(folder).split(SECRET)).toHaveLength(4);
    expect(all(journal, 6).map(({ payload }) => payload?.prompt)).toEqual(
      [7, 8, 9].map((n) => `${SECRET} ${n}`),
    );
  });

  it("of many bytes is struck whole", () => {
    const folder = testFolder();
    const journal = new Journal(folder);
    journal.append(hook("a", JSON.stringify({ prompt: SECRET.repeat(40_000) })));
    journal.strike(1);
    expect(onDisk(folder)).not.toContain(SECRET);
    expect(all(journal)).toMatchObject([{ seq: 1, id: "a" }]);
  });
});
