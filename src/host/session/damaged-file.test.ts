import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MALFORMED } from "./parse-entry.ts";
import { readSession, SessionFile } from "./session-file.ts";
import {
  filesIn,
  HEADER,
  line,
  readLinesOf,
  tempFolder,
  user,
  writeLines,
} from "./test-kit/files.ts";

const folder = tempFolder();
const at = (name: string) => join(folder.path, name);
const write = (...lines: unknown[]) => writeLines(at("s.jsonl"), lines);
const kinds = (problems: readonly { kind: string }[]) => problems.map(({ kind }) => kind);

describe("a torn end", () => {
  it("is moved beside the file and reported; what follows is fine", () => {
    const path = write(HEADER, line("a", null), line("b", "a"));
    appendFileSync(path, '{"type":"mess');
    const { session, problems } = SessionFile.open(path);
    expect(problems).toMatchObject([
      { kind: "torn", line: 4 },
      { kind: "torn", message: expect.stringContaining("s.jsonl.torn-1") },
    ]);
    expect(readFileSync(`${path}.torn-1`, "utf8")).toBe('{"type":"mess');
    const id = session.appendMessage(user("c"));
    expect(readLinesOf(path)).toMatchObject([{}, { id: "a" }, { id: "b" }, { id, parentId: "b" }]);
    session.close();
    expect(SessionFile.open(path).problems).toEqual([]);
  });

  it("may end with a newline, and may happen again", () => {
    const path = write(HEADER, line("a", null), '{"half', "\0\0\0\0");
    SessionFile.open(path).session.close();
    appendFileSync(path, "again\n");
    SessionFile.open(path).session.close();
    expect(filesIn(folder.path)).toEqual(["s.jsonl", "s.jsonl.torn-1", "s.jsonl.torn-2"]);
    expect(readFileSync(`${path}.torn-1`, "utf8")).toBe('{"half\n\0\0\0\0\n');
    expect(readLinesOf(path)).toEqual([HEADER, line("a", null)]);
  });

  it("is left alone by who only reads: it may be just being written", () => {
    const path = write(HEADER, line("a", null), '{"half');
    const before = readFileSync(path, "utf8");
    const { session, problems } = readSession(path);
    expect(kinds(problems)).toEqual(["torn"]);
    expect(session.getEntries()).toHaveLength(1);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(filesIn(folder.path)).toEqual(["s.jsonl"]);
  });
});

describe("lines that are no entries", () => {
  it("are reported with their number, left out, and stay in the file", () => {
    const lines = [HEADER, "garbage", line("a", null), "", "[1]", '"x"', { type: "message" }];
    const path = write(...lines, HEADER, line("b", "a"));
    const before = readFileSync(path, "utf8");
    const { session, problems } = SessionFile.open(path);
    expect(problems.map((problem) => [problem.kind, problem.line])).toEqual(
      [2, 5, 6, 7, 8].map((number) => ["garbage", number]),
    );
    expect(session.getBranch().map(({ id }) => id)).toEqual(["a", "b"]);
    session.appendMessage(user("c"));
    expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
  });

  it.each([
    ["a message without one", { type: "message" }],
    ["a message without content", { type: "message", message: { role: "user" } }],
    ["content of the wrong kind", { type: "message", message: { role: "user", content: [3] } }],
    ["a compaction without a summary", { type: "compaction", firstKeptEntryId: "a" }],
    ["a custom message without content", { type: "custom_message", customType: "x" }],
    ["a label of nothing", { type: "label", label: "x" }],
    ["a name that is none", { type: "session_info", name: 7 }],
    ["a model without a name", { type: "model_change", provider: "x" }],
  ])("%s keeps its place, so that what is above it stays in sight", (_, broken) => {
    const odd = { ...broken, id: "b", parentId: "a", timestamp: "2026-01-01T00:00:00.000Z" };
    const path = write(HEADER, line("a", null), odd, line("c", "b"));
    const { session, problems } = readSession(path);
    expect(problems).toMatchObject([{ kind: "malformed", line: 3, entryId: "b" }]);
    const said = session.buildContext().messages;
    expect(said).toEqual([user("a"), user("c")]);
    expect(session.getEntry("b")).toMatchObject({ customType: MALFORMED, data: odd });
    expect(session.getSessionName()).toBeUndefined();
  });

  it("an entry whose parent is no id is a beginning", () => {
    const path = write(HEADER, line("a", null), { ...line("b", null), parentId: 5 });
    const { session, problems } = readSession(path);
    expect(kinds(problems)).toEqual(["malformed"]);
    expect(session.getBranch()).toEqual([line("b", null)]);
  });
});

describe("a damaged header", () => {
  const name = "2026-01-02T03-04-05-678Z_the-id.jsonl";

  it.each(["", "garbage\n", '{"type":"session","ver'])(
    "%j: the file's name says who the session is, the next entry makes the file whole",
    (start) => {
      writeFileSync(at(name), start);
      if (!start.startsWith("{")) appendFileSync(at(name), `${JSON.stringify(line("a", null))}\n`);
      const { session, problems } = SessionFile.open(at(name), { cwd: "/project" });
      expect(kinds(problems)).toContain("header");
      expect(session.getHeader()).toEqual(HEADER);
      session.appendMessage(user("b"));
      expect(readLinesOf(at(name))).toEqual([HEADER, ...session.getEntries()]);
    },
  );

  it("an empty file is a session in which nothing was said", () => {
    writeFileSync(at(name), "");
    const { session } = SessionFile.open(at(name), { cwd: "/project" });
    expect(session.getEntries()).toEqual([]);
    session.appendMessage(user("a"));
    expect(readLinesOf(at(name))).toHaveLength(2);
  });

  it("of a newer version is reported, and the session opens", () => {
    const { session, problems } = readSession(write({ ...HEADER, version: 4 }, line("a", null)));
    expect(kinds(problems)).toEqual(["header"]);
    expect(session.getHeader().version).toBe(4);
    expect(session.getEntries()).toHaveLength(1);
  });
});
