import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSession, SessionFile } from "./session-file.ts";
import { HEADER, readLinesOf, tempFolder, user, writeLines } from "./test-kit/files.ts";

const folder = tempFolder();
const { version: _, ...FIRST } = HEADER;
const timestamp = "2026-01-02T03:04:06.000Z";
const said = (text: string) => ({ type: "message", timestamp, message: user(text) });
const write = (lines: unknown[]) => writeLines(join(folder.path, "s.jsonl"), lines);

describe("a session of version 1, a list without ids", () => {
  const compaction = {
    type: "compaction",
    timestamp,
    summary: "ab",
    firstKeptEntryIndex: 2,
    tokensBefore: 5,
  };
  const lines = [FIRST, said("a"), said("b"), compaction, said("c")];

  it("opens as a branch, with the compaction where it was", () => {
    const { session, problems } = readSession(write(lines));
    expect(problems).toEqual([]);
    expect(session.getHeader().version).toBe(3);
    expect(session.getBranch()).toHaveLength(4);
    expect(session.getEntries()[2]).not.toHaveProperty("firstKeptEntryIndex");
    const { messages } = session.buildContext();
    expect(messages).toMatchObject([{ summary: "ab" }, { content: "b" }, { content: "c" }]);
  });

  it("has the same ids every time it is opened", () => {
    const path = write(lines);
    expect(readSession(path).session.getEntries()).toEqual(readSession(path).session.getEntries());
  });

  it.each([0, 99])("keeps nothing if the first kept was number %d", (firstKeptEntryIndex) => {
    const path = write([FIRST, said("a"), { ...compaction, firstKeptEntryIndex }, said("c")]);
    const { messages } = readSession(path).session.buildContext();
    expect(messages).toMatchObject([{ summary: "ab" }, { content: "c" }]);
  });

  it("stays as it is until something is added; then it is kept beside the new one", () => {
    const path = write(lines);
    const before = readFileSync(path, "utf8");
    const { session } = SessionFile.open(path);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(existsSync(`${path}.bak`)).toBe(false);
    session.appendMessage(user("d"));
    session.appendMessage(user("e"));
    expect(readFileSync(`${path}.bak`, "utf8")).toBe(before);
    const expected = [session.getHeader(), ...session.getEntries()];
    expect(readLinesOf(path)).toEqual(expected);
    session.close();
    const again = SessionFile.open(path);
    expect(again.problems).toEqual([]);
    expect([again.session.getHeader(), ...again.session.getEntries()]).toEqual(expected);
  });
});

it("in a session of version 2 messages of extensions get their new role", () => {
  const message = { role: "hookMessage", customType: "x", content: "hi", display: true };
  const entry = { type: "message", id: "a", parentId: null, timestamp, message };
  const { session } = readSession(write([{ ...HEADER, version: 2 }, entry]));
  expect(session.buildContext().messages).toMatchObject([{ role: "custom", content: "hi" }]);
});
