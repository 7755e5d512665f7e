import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileIO } from "./file-io.ts";
import { readSession, SessionFile } from "./session-file.ts";
import { sessionDir } from "./session-path.ts";
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
const create = (cwd = "/project") => SessionFile.create({ cwd, dir: folder.path });
const fileOf = (session: SessionFile) => session.getSessionFile() ?? "";

describe("a new session", () => {
  it("is named like Pi's: the time it started, and its id", () => {
    const session = create();
    const { id, timestamp } = session.getHeader();
    expect(basename(fileOf(session))).toBe(`${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
    expect(session.getSessionDir()).toBe(folder.path);
  });

  it("has no file until something worth keeping was said; then the whole is in it", () => {
    const session = create();
    session.appendModelChange("acme", "large");
    session.appendThinkingLevelChange("high");
    expect(filesIn(folder.path)).toEqual([]);
    session.appendMessage(user("hello"));
    expect(readLinesOf(fileOf(session))).toMatchObject([
      { type: "session", version: 3, id: session.getSessionId(), cwd: "/project" },
      { type: "model_change", parentId: null },
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "message", message: { content: "hello" } },
    ]);
    expect(readSession(fileOf(session)).session.getEntries()).toEqual(session.getEntries());
  });

  it("is readable by its owner only", () => {
    const session = create();
    session.appendCustomEntry("x");
    expect(statSync(fileOf(session)).mode & 0o777).toBe(0o600);
  });

  it("keeps an id that would be no file name inside, and out of the path", () => {
    const session = SessionFile.create({ cwd: "/", dir: folder.path, id: "../../up" });
    session.appendCustomEntry("x");
    expect(filesIn(folder.path)).toEqual([expect.stringContaining("_..-..-up.jsonl")]);
    expect(readSession(fileOf(session)).session.getSessionId()).toBe("../../up");
  });

  it.each([
    "/with space/and 'quotes' \"double\"",
    "/new\nline",
    "C:\\Users\\me",
    `/${"very-long/".repeat(60)}`,
    `/${"長い".repeat(200)}`,
  ])("works for a project in %j", (cwd) => {
    const dir = sessionDir(cwd, folder.path);
    const session = SessionFile.create({ cwd, dir });
    session.appendMessage(user("hello"));
    expect(filesIn(folder.path)).toHaveLength(1);
    expect(readSession(fileOf(session)).session.getCwd()).toBe(cwd);
  });

  it("has Pi's names for the folders of projects", () => {
    expect(basename(sessionDir("/home/me/my app"))).toBe("--home-me-my app--");
    expect(basename(sessionDir("C:\\Users\\me"))).toBe("--C--Users-me--");
  });
});

describe("going on with a session", () => {
  it("adds lines and changes none; unknown fields and types stay", () => {
    const lines = [
      { ...HEADER, future: { a: 1 } },
      { ...line("a", null), extra: true },
      { type: "of another program", id: "b", parentId: "a", timestamp: "?", deep: [{ x: null }] },
    ];
    const path = writeLines(at("s.jsonl"), lines);
    const { session, problems } = SessionFile.open(path);
    expect(problems).toEqual([]);
    const id = session.appendMessage(user("more"));
    expect(readLinesOf(path)).toMatchObject([...lines, { id, parentId: "b" }]);
    expect(session.getHeader()).toMatchObject({ future: { a: 1 } });
    expect(session.getEntry("b")).toEqual(lines[2]);
  });

  it("puts what is added on its own line, also if the last one has no end", () => {
    const path = at("s.jsonl");
    writeFileSync(path, `${JSON.stringify(HEADER)}\n${JSON.stringify(line("a", null))}`);
    const { session, problems } = SessionFile.open(path);
    expect(problems).toEqual([]);
    session.appendMessage(user("b"));
    session.appendMessage(user("c"));
    expect(readLinesOf(path)).toHaveLength(4);
  });

  it("writes to the file behind a link", () => {
    writeLines(at("real.jsonl"), [{ ...HEADER, version: 2 }, line("a", null)]);
    symlinkSync("real.jsonl", at("link.jsonl"));
    SessionFile.open(at("link.jsonl")).session.appendMessage(user("b"));
    expect(readLinesOf(at("real.jsonl"))).toHaveLength(3);
    expect(filesIn(folder.path)).toEqual(["link.jsonl", "real.jsonl", "real.jsonl.bak"]);
  });

  it("is refused after it was closed", () => {
    const session = create();
    session.appendCustomEntry("x");
    session.close();
    session.close();
    expect(() => session.appendCustomEntry("y")).toThrow(
      expect.objectContaining({ code: "SEAM_SESSION_WRITE" }),
    );
    expect(session.getEntries()).toHaveLength(1);
  });

  it("is refused when the file was deleted: it would be lost", () => {
    const session = create();
    session.appendCustomEntry("x");
    rmSync(fileOf(session));
    expect(() => session.appendCustomEntry("y")).toThrow(/deleted/);
    expect(session.getEntries()).toHaveLength(1);
  });

  it("is refused for what cannot be written as JSON, and goes on after it", () => {
    const session = create();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    session.appendCustomEntry("x");
    expect(() => session.appendCustomEntry("y", circle)).toThrow(
      expect.objectContaining({ code: "SEAM_SESSION_WRITE" }),
    );
    expect(() => session.appendCustomEntry("y", 1n)).toThrow();
    session.appendCustomEntry("z");
    expect(readSession(fileOf(session)).session.getEntries()).toEqual(session.getEntries());
  });

  it("durable: the disk is asked for every entry", () => {
    let synced = 0;
    const io = { ...fileIO, sync: () => void synced++ };
    const session = SessionFile.create({ cwd: "/", dir: folder.path, durable: true, io });
    session.appendCustomEntry("a");
    session.appendCustomEntry("b");
    expect(synced).toBe(2);
  });
});

describe("a file that is no session", () => {
  it.each([
    ["text", "# Notes\n\nnothing to see\n"],
    ["another program's lines", '{"type":"user","uuid":"1"}\n{"type":"assistant","uuid":"2"}\n'],
    ["JSON", '{\n  "name": "x"\n}\n'],
  ])("is not opened and not touched: %s", (_, text) => {
    writeFileSync(at("x.jsonl"), text);
    for (const open of [readSession, SessionFile.open]) {
      expect(() => open(at("x.jsonl"))).toThrow(
        expect.objectContaining({ code: "SEAM_SESSION_READ" }),
      );
    }
    expect(readFileSync(at("x.jsonl"), "utf8")).toBe(text);
    expect(existsSync(at("x.jsonl.lock"))).toBe(false);
  });

  it("says so when there is none, or a folder", () => {
    expect(() => SessionFile.open(at("none.jsonl"))).toThrow(
      expect.objectContaining({ code: "SEAM_SESSION_NOT_FOUND" }),
    );
    expect(() => readSession(folder.path)).toThrow(
      expect.objectContaining({ code: "SEAM_SESSION_READ" }),
    );
  });
});
