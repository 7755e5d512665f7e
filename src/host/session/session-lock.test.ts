import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSession, SessionFile } from "./session-file.ts";
import { Child } from "./test-kit/child.ts";
import { filesIn, HEADER, line, tempFolder, user, writeLines } from "./test-kit/files.ts";

const folder = tempFolder();
const write = () =>
  writeLines(join(folder.path, "2026-01-02T03-04-05-678Z_the-id.jsonl"), [HEADER, line("a", null)]);

describe("a session that another process has open", () => {
  it("can be read, and is not opened for writing: the error says who and what to do", async () => {
    const path = write();
    const child = new Child("open-and-wait.ts", path);
    expect(await child.said()).toBe("open");
    expect(() => SessionFile.open(path)).toThrow(
      expect.objectContaining({
        code: "SEAM_SESSION_LOCKED",
        message: expect.stringContaining(`process ${child.process.pid} `),
        next: expect.stringContaining("--fork the-id"),
      }),
    );
    expect(readSession(path).session.getEntries()).toHaveLength(1);
  }, 60_000);

  it("is free once that process has ended, in whatever way", async () => {
    const path = write();
    const child = new Child("open-and-wait.ts", path);
    await child.said();
    await child.kill();
    expect(existsSync(`${path}.lock`)).toBe(true);
    const { session } = SessionFile.open(path);
    expect(await new Child("open-and-wait.ts", path).said()).toBe("SEAM_SESSION_LOCKED");
    session.close();
    expect(filesIn(folder.path)).toHaveLength(1);
    expect(existsSync(`${path}.lock`)).toBe(false);
  }, 60_000);
});

describe("of many processes at once", () => {
  it.each([
    ["a free session", undefined],
    ["one whose owner has ended", { pid: 4_000_000, started: "1", since: "long ago" }],
    ["one whose owner's number is taken by another", { pid: 1, started: "x", since: "long ago" }],
  ])(
    "exactly one gets %s",
    async (_, stale) => {
      const path = write();
      if (stale) writeFileSync(`${path}.lock`, JSON.stringify(stale));
      const children = Array.from({ length: 4 }, () => new Child("open-and-wait.ts", path));
      const answers = await Promise.all(children.map((child) => child.said()));
      expect(answers.sort()).toEqual([...Array(3).fill("SEAM_SESSION_LOCKED"), "open"]);
    },
    60_000,
  );
});

describe("a lock", () => {
  it("is no hindrance for the process that has it; the last to close lets go", () => {
    const path = write();
    const first = SessionFile.open(path).session;
    const second = SessionFile.open(path).session;
    first.close();
    expect(existsSync(`${path}.lock`)).toBe(true);
    second.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("of a new session comes with its file", async () => {
    const session = SessionFile.create({ cwd: "/", dir: folder.path });
    const path = session.getSessionFile() ?? "";
    expect(existsSync(`${path}.lock`)).toBe(false);
    session.appendMessage(user("a"));
    expect(readFileSync(`${path}.lock`, "utf8")).toMatch(new RegExp(`^${process.pid} `));
    const child = new Child("open-and-wait.ts", path);
    expect(await child.said()).toBe("SEAM_SESSION_LOCKED");
  }, 60_000);

  it("that says nothing may be just being written; after a while it is taken over", () => {
    const path = write();
    writeFileSync(`${path}.lock`, "");
    const before = Date.now();
    SessionFile.open(path).session.close();
    expect(Date.now() - before).toBeGreaterThan(1000);
    writeFileSync(`${path}.lock`, "{}");
    utimesSync(`${path}.lock`, 1, 1);
    SessionFile.open(path).session.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("whose removal was interrupted can still be taken over", () => {
    const path = write();
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 4_000_000, started: "1" }));
    writeFileSync(`${path}.lock.take`, "");
    utimesSync(`${path}.lock.take`, 1, 1);
    SessionFile.open(path).session.close();
    expect(filesIn(folder.path)).toHaveLength(1);
  });
});
