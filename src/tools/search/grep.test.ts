import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGrepTool, type GrepToolInput } from "./grep.ts";

let folder = "";
const path = process.env.PATH;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-grep-"));
  process.env.PATH = "";
});
afterEach(async () => {
  process.env.PATH = path;
  await rm(folder, { recursive: true });
});

async function files(contents: Record<string, string | Buffer>): Promise<void> {
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function grep(input: GrepToolInput, signal?: AbortSignal) {
  const { content, details } = await createGrepTool(folder).execute("call", input, signal);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { text, lines: text.split("\n"), details };
}

describe("without ripgrep", () => {
  test("shows path, line number and line, in the order of the paths", async () => {
    await files({ "b.txt": "x\nfoo 1\r\nfoo 2", "a/c.txt": "foo", ".hidden": "foo" });
    expect((await grep({ pattern: "foo" })).lines).toEqual([
      ".hidden:1: foo",
      "a/c.txt:1: foo",
      "b.txt:2: foo 1",
      "b.txt:3: foo 2",
    ]);
  });

  test.each<[GrepToolInput, string[]]>([
    [{ pattern: "^a.c$" }, ["t:1: abc", "t:2: a.c"]],
    [{ pattern: "a.c", literal: true }, ["t:2: a.c"]],
    [{ pattern: "ABC", ignoreCase: true }, ["t:1: abc", "t:3: xABCx"]],
    [{ pattern: "(?i)ABC" }, ["t:1: abc", "t:3: xABCx"]],
    [{ pattern: "\\p{Lu}{3}" }, ["t:3: xABCx"]],
    [{ pattern: "[[:digit:]]+\\-" }, ["t:4: 12-3"]],
    [{ pattern: "(?P<n>1)2" }, ["t:4: 12-3"]],
    [{ pattern: "é😀." }, ["t:5: é😀!"]],
    [{ pattern: "nothing" }, ["Nothing matches nothing in ."]],
  ])("%j", async (input, expected) => {
    await files({ t: "abc\na.c\nxABCx\n12-3\né😀!\n" });
    expect((await grep(input)).lines).toEqual(expected);
  });

  test.each([
    ["*.ts", ["a.ts", "src/b.ts"]],
    ["src/*.ts", ["src/b.ts"]],
    ["!*.ts", ["c.js", "src/d.js"]],
    ["!src", ["a.ts", "c.js"]],
    ["*.{js,md}", ["c.js", "src/d.js"]],
    ["**/b.*", ["src/b.ts"]],
    ["*.log", []],
  ])("glob %s", async (glob, expected) => {
    await files({ "a.ts": "foo", "src/b.ts": "foo", "c.js": "foo", "src/d.js": "foo" });
    await files({ ".gitignore": "*.log", "x.log": "foo" });
    const { text, lines } = await grep({ pattern: "foo", glob });
    if (expected.length === 0) expect(text).toContain("Nothing matches");
    else expect(lines.map((line) => line.split(":")[0])).toEqual(expected);
  });

  test("ignored and binary files are left out, unless a file is asked for by name", async () => {
    await files({ ".gitignore": "out", "out/a": "foo", "sub/.gitignore": "b", "sub/b": "foo" });
    await files({ binary: Buffer.from("foo\0"), "sub/c": "foo" });
    expect((await grep({ pattern: "foo" })).text).toBe("sub/c:1: foo");
    expect((await grep({ pattern: "foo", path: "out/a" })).text).toBe("a:1: foo");
  });

  test("lines of a file larger than one piece are counted right", async () => {
    const many = Array.from({ length: 300_000 }, (_, index) => `${index + 1} é`).join("\n");
    await files({ big: many });
    expect((await grep({ pattern: "^(1|250000|300000) " })).lines).toEqual([
      "big:1: 1 é",
      "big:250000: 250000 é",
      "big:300000: 300000 é",
    ]);
  });
});

test("context lines are shown once, with a gap between places that do not touch", async () => {
  await files({ t: "1\n2 foo\n3\n4 foo\n5\n6\n7\n8 foo\n" });
  expect((await grep({ pattern: "foo", context: 1 })).lines).toEqual([
    "t-1- 1",
    "t:2: 2 foo",
    "t-3- 3",
    "t:4: 4 foo",
    "t-5- 5",
    "--",
    "t-7- 7",
    "t:8: 8 foo",
  ]);
});

test("stops at the limit, and says so only when there is more", async () => {
  await files({ t: "foo\n".repeat(101) });
  const { lines, details } = await grep({ pattern: "foo" });
  expect(lines.filter((line) => line.startsWith("t:"))).toHaveLength(100);
  expect(details).toEqual({ matchLimitReached: 100 });
  expect((await grep({ pattern: "foo", limit: 101 })).details).toEqual({});
});

test("long lines and long results are cut", async () => {
  await files({ t: `foo ${"x".repeat(1000)}\n`.repeat(100) });
  const { lines, details } = await grep({ pattern: "foo" });
  expect(lines[0]).toBe(`t:1: foo ${"x".repeat(496)}... [truncated]`);
  expect(details).toMatchObject({ linesTruncated: true, truncation: { truncatedBy: "bytes" } });
});

test("names with spaces, quotes and line breaks", async () => {
  await files({ "a b": "foo", 'it\'s "c"': "foo", "two\nlines": "foo" });
  expect((await grep({ pattern: "foo" })).lines).toEqual([
    "a b:1: foo",
    `it's "c":1: foo`,
    `"two\\nlines":1: foo`,
  ]);
});

test("a wrong path and a wrong pattern are explained", async () => {
  await expect(grep({ pattern: "x", path: "gone" })).rejects.toThrow(
    "Cannot search gone: there is nothing",
  );
  await expect(grep({ pattern: "(" })).rejects.toThrow("set literal to true");
});

test("an abort stops the search", async () => {
  await files(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, "x\n"])));
  const controller = new AbortController();
  const call = grep({ pattern: "never" }, controller.signal);
  setImmediate(() => controller.abort());
  await expect(call).rejects.toThrow("aborted");
});

describe("with ripgrep", () => {
  /** Stands in for rg where it is not installed: notes how it is called and prints what rg would. */
  async function installRg(...steps: string[]): Promise<void> {
    const bin = await mkdtemp(join(folder, ".bin-"));
    const script = `#!/bin/sh\npwd > ${folder}/cwd\nprintf '%s\\n' "$@" > ${folder}/args\n${steps.join("\n")}`;
    await writeFile(join(bin, "rg"), script, { mode: 0o755 });
    process.env.PATH = bin;
  }

  function print(path: object, line: number, lines: object): string {
    const data = { path, lines, line_number: line, submatches: [] };
    const records = [
      { type: "begin", data: { path } },
      { type: "match", data },
    ];
    return `/bin/cat <<'END'\n${records.map((record) => JSON.stringify(record)).join("\n")}\nEND`;
  }

  test("its matches read like ours, also those that are not UTF-8", async () => {
    const bytes = Buffer.from("foo \xff\n", "latin1").toString("base64");
    await installRg(
      print({ text: "./a.ts" }, 2, { text: "foo\r\n" }),
      print({ text: "./b.ts" }, 1, { bytes }),
    );
    expect((await grep({ pattern: "foo" })).lines).toEqual(["a.ts:2: foo", "b.ts:1: foo \uFFFD"]);
  });

  test("it is told everything that was asked for, from the searched folder", async () => {
    await files({ "sub/a": "" });
    await installRg("exit 1");
    await grep({ pattern: "-x", path: "sub", glob: "*.ts", ignoreCase: true, literal: true });
    expect(await readFile(join(folder, "cwd"), "utf8")).toBe(`${folder}/sub\n`);
    const args = (await readFile(join(folder, "args"), "utf8")).trim().split("\n");
    expect(args).toEqual(
      expect.arrayContaining(["--ignore-case", "--fixed-strings", "--glob=*.ts"]),
    );
    expect(args.slice(-3)).toEqual(["--", "-x", "./"]);
  });

  test("what a glob names but .gitignore excludes is left out, as without it", async () => {
    await files({ ".gitignore": "*.log", "a.log": "foo", "b.txt": "foo" });
    await installRg(
      print({ text: "./a.log" }, 1, { text: "foo\n" }),
      print({ text: "./b.txt" }, 1, { text: "foo\n" }),
    );
    expect((await grep({ pattern: "foo", glob: "*" })).text).toBe("b.txt:1: foo");
  });

  test("when it fails our own search answers instead, but not when it found something", async () => {
    await files({ t: "foo bar" });
    await installRg("echo 'look-around is not supported' >&2; exit 2");
    expect((await grep({ pattern: "foo(?= bar)", path: "t" })).text).toBe("t:1: foo bar");
    await expect(grep({ pattern: "(" })).rejects.toThrow("Cannot search: ( is not a valid");
    await installRg(print({ text: "./a" }, 1, { text: "foo\n" }), "echo denied >&2; exit 2");
    expect((await grep({ pattern: "foo" })).text).toBe("a:1: foo");
  });

  test("it is ended when the limit is reached and when the call is aborted", async () => {
    const match = print({ text: "./a" }, 1, { text: "foo\n" });
    const wait = `exec ${process.execPath} -e 'setInterval(() => {}, 1000)'`;
    await installRg(`echo $$ > ${folder}/pid`, match, match, wait);
    expect((await grep({ pattern: "foo", limit: 1 })).details).toEqual({ matchLimitReached: 1 });
    await expectEnd();
    const controller = new AbortController();
    const call = grep({ pattern: "foo" }, controller.signal);
    call.catch(() => {});
    await pidOfRg();
    controller.abort();
    await expect(call).rejects.toThrow("aborted");
    await expectEnd();
  });

  async function pidOfRg(): Promise<number> {
    const text = () => readFile(join(folder, "pid"), "utf8").catch(() => "");
    await expect.poll(text).toMatch(/\d+\n/);
    return Number(await text());
  }

  async function expectEnd(): Promise<void> {
    const pid = await pidOfRg();
    await expect.poll(() => isRunning(pid)).toBe(false);
    await rm(join(folder, "pid"));
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("operations decide what a folder is and give the lines around a match", async () => {
  await files({ t: "foo\n" });
  const tool = createGrepTool(folder, {
    operations: { isDirectory: () => true, readFile: () => "foo\nfrom elsewhere\n" },
  });
  const { content } = await tool.execute("call", { pattern: "foo", context: 1 });
  expect(content).toEqual([{ type: "text", text: "t:1: foo\nt-2- from elsewhere" }]);
});
