import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ageOf,
  createFile,
  isRunning,
  makeFolderBelow,
  pidIn,
  readText,
  removeStale,
  replaceFile,
} from "./index.ts";

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "seam-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "file");
}
const beside = (path: string) => readdirSync(join(path, ".."));
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("a file that is created", () => {
  it("is there whole, for the user alone, and nothing is left beside it", () => {
    const path = newPath();
    expect(createFile(path, "one")).toBe(true);
    expect([readText(path), modeOf(path), beside(path)]).toEqual(["one", 0o600, ["file"]]);
  });

  it("is not put in the place of another one", () => {
    const path = newPath();
    writeFileSync(path, "before");
    expect(createFile(path, "one")).toBe(false);
    expect([readText(path), beside(path)]).toEqual(["before", ["file"]]);
  });

  it("says why it could not be", () => {
    expect(() => createFile(join(newPath(), "in/no/folder"), "one")).toThrow("ENOENT");
  });
});

describe("a file that is replaced", () => {
  it("has the new content and the mode it is to have, whatever a crash left", () => {
    const path = newPath();
    writeFileSync(path, "before");
    writeFileSync(`${path}.${process.pid}.tmp`, "half", { mode: 0o644 });
    replaceFile(path, "after");
    expect([readText(path), modeOf(path), beside(path)]).toEqual(["after", 0o600, ["file"]]);
  });

  it("may be a program", () => {
    const path = newPath();
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));
    replaceFile(path, Buffer.from("#!/bin/sh\n"), { mode: 0o755, flush: true });
    expect(modeOf(path)).toBe(0o755);
  });

  it("stays as it is where a folder is in its place, and nothing is left beside it", () => {
    const path = newPath();
    mkdirSync(join(path, "inside"), { recursive: true });
    expect(() => replaceFile(path, "new")).toThrow();
    expect([beside(path), readdirSync(path)]).toEqual([["file"], ["inside"]]);
  });
});

describe("on a disk that is full", () => {
  const ROOT = join(import.meta.dirname, "../..");
  const JITI = join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs");

  /** Does something in a process that can create files and not write a byte into them. */
  function withoutRoom(path: string, code: string) {
    const script = join(mkdtempSync(join(tmpdir(), "seam-full-")), "script.mjs");
    onTestFinished(() => rmSync(join(script, ".."), { recursive: true, force: true }));
    const from = JSON.stringify(join(import.meta.dirname, "index.ts"));
    const path_ = JSON.stringify(path);
    writeFileSync(script, `import * as files from ${from};\nconst path = ${path_};\n${code}`);
    const limited = 'ulimit -f 0; exec "$0" "$@"';
    const args = ["-c", limited, process.execPath, JITI, script];
    return spawnSync("/bin/sh", args, { env: { JITI_FS_CACHE: "false" }, encoding: "utf8" });
  }

  it("nothing is created and nothing is left behind", () => {
    const path = newPath();
    const { stderr } = withoutRoom(path, 'files.createFile(path, "text");');
    expect(stderr).toContain("EFBIG");
    expect(beside(path)).toEqual([]);
  });

  it("nor where a file cannot have a second name", () => {
    const path = newPath();
    const { stderr } = withoutRoom(
      path,
      `import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const write = fs.writeFileSync;
      fs.writeFileSync = (to, ...rest) => (to === path ? write(to, ...rest) : undefined);
      fs.linkSync = () => { throw Object.assign(new Error("no links"), { code: "EPERM" }); };
      syncBuiltinESMExports();
      files.createFile(path, "text");`,
    );
    expect(stderr).toContain("EFBIG");
    expect(beside(path)).toEqual([]);
  });

  it("what was to be replaced stays", () => {
    const path = newPath();
    writeFileSync(path, "before");
    const { stderr } = withoutRoom(path, 'files.replaceFile(path, "text");');
    expect(stderr).toContain("EFBIG");
    expect([readText(path), beside(path)]).toEqual(["before", ["file"]]);
  });
});

describe("a stale file", () => {
  it("is removed", () => {
    const path = newPath();
    createFile(path, "gone");
    removeStale(path, "gone", 1_000);
    expect(beside(path)).toEqual([]);
  });

  it("stays if somebody else has put another one there", () => {
    const path = newPath();
    createFile(path, "new");
    removeStale(path, "gone", 1_000);
    expect(beside(path)).toEqual(["file"]);
  });

  it("is left to whoever removes it already, unless that one was killed", () => {
    const path = newPath();
    createFile(path, "gone");
    createFile(`${path}.take`, "another");
    removeStale(path, "gone", 60_000);
    expect(beside(path)).toEqual(["file", "file.take"]);
    const old = new Date(Date.now() - 120_000);
    utimesSync(`${path}.take`, old, old);
    removeStale(path, "gone", 60_000);
    removeStale(path, "gone", 60_000);
    expect(beside(path)).toEqual([]);
  });
});

describe("a process", () => {
  it("runs until it has ended, also if nobody asked how", async () => {
    expect(isRunning(process.pid)).toBe(true);
    const child = spawn("true");
    const pid = child.pid ?? 0;
    await new Promise((resolve) => child.once("close", resolve));
    expect(isRunning(pid)).toBe(false);
  });

  it.each(["", "no number", "-1", "0", "1.5"])("is not named by %j", (text) => {
    expect(isRunning(pidIn(text))).toBe(false);
  });

  it("is named by the first word", () => {
    expect(pidIn("42 0f8fad5b\n")).toBe(42);
  });
});

it("what cannot be read has no text, and what is not there no age", () => {
  const path = newPath();
  expect([readText(path), ageOf(path)]).toEqual([undefined, 0]);
  writeFileSync(path, "");
  const old = new Date(Date.now() - 60_000);
  utimesSync(path, old, old);
  expect(ageOf(path)).toBeGreaterThan(59_000);
});

describe("a folder below another one", () => {
  it("is made with all that lead to it, once", () => {
    const top = join(newPath(), "..");
    const folder = join(top, "a/b/c");
    makeFolderBelow(top, folder);
    makeFolderBelow(top, folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it("is not made where the other one is gone, which does not come back", () => {
    const top = newPath();
    for (const folder of [top, join(top, "a"), join(top, "a/b/c")]) {
      expect(() => makeFolderBelow(join(top, "git"), join(folder, "git/seam"))).toThrow("ENOENT");
      expect(() => makeFolderBelow(join(folder, "git"), join(folder, "git/seam"))).toThrow(
        "ENOENT",
      );
    }
    expect(beside(top)).toEqual([]);
  });

  it("says so where a file is in its place", () => {
    const file = newPath();
    writeFileSync(file, "");
    expect(() => makeFolderBelow(join(file, ".."), file)).toThrow("EEXIST");
    expect(() => makeFolderBelow(join(file, ".."), join(file, "a"))).toThrow("ENOTDIR");
  });
});
