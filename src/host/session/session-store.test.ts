import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionFile } from "./session-file.ts";
import { sessionDir } from "./session-path.ts";
import { SessionStore } from "./session-store.ts";
import { HEADER, line, tempFolder, writeLines } from "./test-kit/files.ts";

const folder = tempFolder();
const store = () => new SessionStore({ root: folder.path });

/** A session in which something was said at each of these times. */
function add(cwd: string, times: readonly number[], id?: string) {
  const dir = sessionDir(cwd, folder.path);
  const session = SessionFile.create({ cwd, dir, ...(id && { id }) });
  for (const timestamp of times) {
    session.appendMessage({ role: "user", content: `at ${timestamp}`, timestamp });
  }
  return session;
}
const pathOf = (session: SessionFile) => session.getSessionFile() ?? "";

describe("the list of sessions", () => {
  it("of a project: the one last spoken in first, with what there is to know", () => {
    const early = add("/project", [1000, 2000]);
    const late = add("/project", [5000]);
    early.appendSessionName("  Named ");
    early.appendCustomEntry("x");
    add("/elsewhere", [9000]);
    const [first, second, ...others] = store().list("/project");
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: late.getSessionId(), name: undefined });
    expect(second).toEqual({
      path: pathOf(early),
      id: early.getSessionId(),
      cwd: "/project",
      name: "Named",
      created: new Date(early.getHeader().timestamp),
      modified: new Date(2000),
      messageCount: 2,
      firstMessage: "at 1000",
      parentSessionPath: undefined,
      isEstimate: false,
    });
  });

  it("of all projects", () => {
    const ids = [add("/a", [1]), add("/b", [3]), add("/c", [2])].map((one) => one.getSessionId());
    expect(
      store()
        .list()
        .map(({ id }) => id),
    ).toEqual([ids[1], ids[2], ids[0]]);
    expect(new SessionStore({ root: join(folder.path, "none") }).list()).toEqual([]);
  });

  it("keeps projects apart whose folders have the same name", () => {
    add("/a/b", [1]);
    add("/a-b", [2]);
    expect(store().list("/a/b")).toHaveLength(1);
    expect(store().list("/a-b")).toMatchObject([{ firstMessage: "at 2" }]);
  });

  it("leaves out what is no session, and is not stopped by it", () => {
    const good = add("/project", [1]);
    const dir = dirname(pathOf(good));
    writeFileSync(join(dir, "text.jsonl"), "hello\n");
    writeFileSync(join(dir, "empty.jsonl"), "");
    mkdirSync(join(dir, "folder.jsonl"));
    writeFileSync(join(folder.path, "file"), "");
    expect(store().list()).toHaveLength(1);
  });

  it("shows sessions of version 1, and what was forked from where", () => {
    const dir = sessionDir("/project", folder.path);
    mkdirSync(dir);
    const { version: _, ...first } = { ...HEADER, parentSession: "/old.jsonl" };
    const { id: __, parentId: ___, ...said } = line("", null, "hi");
    writeLines(join(dir, "s.jsonl"), [first, said, "garbage", said]);
    expect(store().list("/project")).toMatchObject([
      { parentSessionPath: "/old.jsonl", messageCount: 2, firstMessage: "hi" },
    ]);
  });

  it("reads only both ends of a large file: the count is an estimate, the rest is right", () => {
    const session = add("/project", [1000]);
    for (let n = 0; n < 3000; n++) {
      session.appendMessage({ role: "user", content: "x".repeat(1000), timestamp: 2000 + n });
    }
    session.appendSessionName("Long");
    expect(statSync(pathOf(session)).size).toBeGreaterThan(3_000_000);
    const [info] = store().list("/project");
    expect(info).toMatchObject({
      isEstimate: true,
      name: "Long",
      firstMessage: "at 1000",
      modified: new Date(4999),
    });
    expect(info?.messageCount).toBeGreaterThan(2700);
    expect(info?.messageCount).toBeLessThan(3300);
  });

  it("shows how a prompt begins that is larger than what is read of the file", () => {
    const text = `Look at "this"\n${"x".repeat(1_000_000)}`;
    const session = add("/project", []);
    session.appendMessage({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
    session.appendMessage({ role: "user", content: "And?", timestamp: 2 });
    const [info] = store().list("/project");
    expect(info?.firstMessage.slice(0, 20)).toBe(text.slice(0, 20));
  });
});

describe("the most recent session", () => {
  it("of a project is the one written to last", () => {
    const [first, second] = [add("/a/b", [1]), add("/a/b", [2])];
    const other = add("/a-b", [3]);
    utimesSync(pathOf(first), 300, 300);
    utimesSync(pathOf(second), 200, 200);
    utimesSync(pathOf(other), 400, 400);
    expect(store().mostRecent("/a/b")).toBe(pathOf(first));
    expect(store().mostRecent("/none")).toBeUndefined();
  });
});

describe("a session by the beginning of its id", () => {
  it("is found if only one starts like that; a whole id always is", () => {
    const [short, long] = [add("/a", [1], "abc"), add("/b", [2], "abcd-1")];
    add("/c", [3], "abcd-2");
    expect(store().findById("abcd-1")).toBe(pathOf(long));
    expect(store().findById("abc")).toBe(pathOf(short));
    expect(() => store().findById("abcd")).toThrow(
      expect.objectContaining({
        code: "SEAM_SESSION_AMBIGUOUS",
        message: expect.stringMatching(/abcd-1.*\n.*abcd-2|abcd-2.*\n.*abcd-1/),
      }),
    );
  });

  it.each(["x", ""])("is not found: %j", (prefix) => {
    add("/a", [1], "abc");
    expect(() => store().findById(prefix)).toThrow(
      expect.objectContaining({ code: "SEAM_SESSION_NOT_FOUND" }),
    );
  });
});
