import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FileIO, fileIO } from "./file-io.ts";
import { readSession, SessionFile } from "./session-file.ts";
import { filesIn, HEADER, line, tempFolder, user, writeLines } from "./test-kit/files.ts";

const folder = tempFolder();
const cannotWrite = expect.objectContaining({ code: "SEAM_SESSION_WRITE" });

/** A disk that takes this many bytes and is full then. */
function disk(): { io: FileIO; free: number } {
  const state = { free: Number.POSITIVE_INFINITY, io: fileIO };
  state.io = {
    ...fileIO,
    write(fd, data) {
      if (state.free <= 0)
        throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
      const written = fileIO.write(fd, Buffer.from(data).subarray(0, state.free));
      state.free -= written;
      return written;
    },
  };
  return state;
}

describe("when the disk is full", () => {
  it("an entry is refused, the session stays as it was, and goes on when there is room", () => {
    const state = disk();
    const session = SessionFile.create({ cwd: "/", dir: folder.path, io: state.io });
    const path = session.getSessionFile() ?? "";
    const first = session.appendMessage(user("a"));
    const before = readFileSync(path, "utf8");
    for (const room of [0, 1, 60]) {
      state.free = room;
      expect(() => session.appendMessage(user("b"))).toThrow(cannotWrite);
      expect(session.getLeafId()).toBe(first);
      expect(session.getEntries()).toHaveLength(1);
      expect(readFileSync(path, "utf8")).toBe(before);
    }
    state.free = Number.POSITIVE_INFINITY;
    session.appendMessage(user("c"));
    expect(readSession(path).session.getEntries()).toEqual(session.getEntries());
    session.close();
  });

  it("a new session leaves nothing behind, and is written whole once there is room", () => {
    const state = disk();
    const session = SessionFile.create({ cwd: "/", dir: folder.path, io: state.io });
    session.appendModelChange("acme", "large");
    state.free = 20;
    expect(() => session.appendMessage(user("a"))).toThrow(cannotWrite);
    expect(filesIn(folder.path)).toEqual([]);
    state.free = Number.POSITIVE_INFINITY;
    session.appendMessage(user("b"));
    const { session: read, problems } = readSession(session.getSessionFile() ?? "");
    expect(problems).toEqual([]);
    expect(read.getEntries()).toEqual(session.getEntries());
    session.close();
  });

  it("a session of an older version is not touched", () => {
    const state = disk();
    const path = writeLines(join(folder.path, "s.jsonl"), [
      { ...HEADER, version: 2 },
      line("a", null),
    ]);
    const before = readFileSync(path, "utf8");
    const { session } = SessionFile.open(path, { io: state.io });
    state.free = 20;
    expect(() => session.appendMessage(user("b"))).toThrow(cannotWrite);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(filesIn(folder.path)).toEqual(["s.jsonl"]);
    session.close();
  });

  it("or fails when asked to keep it for good, the entry is taken back", () => {
    const sync = () => {
      throw new Error("EIO: i/o error");
    };
    const path = writeLines(join(folder.path, "s.jsonl"), [HEADER, line("a", null)]);
    const { size } = statSync(path);
    const io = { ...fileIO, sync };
    const { session } = SessionFile.open(path, { durable: true, io });
    expect(() => session.appendMessage(user("b"))).toThrow(cannotWrite);
    expect(statSync(path).size).toBe(size);
    session.close();
  });
});

/** A real file system of 64 KB, where the system lets us have one. */
function smallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "seam-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path], { stdio: "ignore" });
    onTestFinished(() => {
      // Lazily: a test that fails may have left a file open on it.
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true });
    });
    return path;
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
}

describe("on a real disk", () => {
  it("that fills up, everything that was said to be saved is there", ({ skip }) => {
    const dir = smallDisk();
    if (!dir) return skip();
    const session = SessionFile.create({ cwd: "/", dir });
    const add = () => {
      for (let n = 0; n < 1000; n++) session.appendMessage(user("x".repeat(700 + n)));
    };
    expect(add).toThrow(cannotWrite);
    expect(session.getEntries().length).toBeGreaterThan(10);
    const { session: read, problems } = readSession(session.getSessionFile() ?? "");
    expect(problems).toEqual([]);
    expect(read.getEntries()).toEqual(session.getEntries());
    session.close();
  });

  it("that cannot be written, a session can be read and not gone on with", ({ skip }) => {
    const dir = smallDisk();
    if (!dir) return skip();
    const path = writeLines(join(dir, "s.jsonl"), [HEADER, line("a", null)]);
    execFileSync("mount", ["-o", "remount,ro", dir]);
    expect(readSession(path).session.getEntries()).toHaveLength(1);
    expect(() => SessionFile.open(path)).toThrow(cannotWrite);
    const session = SessionFile.create({ cwd: "/", dir });
    expect(() => session.appendMessage(user("a"))).toThrow(cannotWrite);
    expect(session.getEntries()).toEqual([]);
  });

  it("where the folder of sessions cannot be made, the error says so", () => {
    writeFileSync(join(folder.path, "file"), "");
    const session = SessionFile.create({ cwd: "/", dir: join(folder.path, "file/below") });
    expect(() => session.appendMessage(user("a"))).toThrow(cannotWrite);
  });
});
