import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFindTool, type FindToolDetails, type FindToolInput } from "./find.ts";

let folder = "";
const path = process.env.PATH;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-find-"));
});
afterEach(async () => {
  process.env.PATH = path;
  await rm(folder, { recursive: true });
});

async function files(...paths: string[]): Promise<void> {
  for (const name of paths) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), "");
  }
}

async function find(input: FindToolInput, signal?: AbortSignal) {
  const { content, details } = await createFindTool(folder).execute("call", input, signal);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { text, lines: text.split("\n"), details };
}

/** Stands in for fd where it is not installed: lists everything the way `fd --print0` does. */
async function installFd(): Promise<void> {
  const bin = await mkdtemp(join(folder, ".bin-"));
  const script = `#!/bin/sh\nPATH=${path}\nfind . -mindepth 1 -name '.bin-*' -prune -o -type d -printf '%p/\\0' -o -printf '%p\\0'`;
  await writeFile(join(bin, "fd"), script, { mode: 0o755 });
  process.env.PATH = bin;
}

describe.each(["our own walk", "fd"])("with %s", (lister) => {
  beforeEach(async () => {
    if (lister === "fd") await installFd();
    else process.env.PATH = "";
    await files("a.ts", "b.js", "src/c.ts", "src/sub/d.test.ts", "src/sub/E.ts", ".config/f.ts");
  });

  test.each([
    ["*.ts", [".config/f.ts", "a.ts", "src/c.ts", "src/sub/E.ts", "src/sub/d.test.ts"]],
    ["src/*.ts", ["src/c.ts"]],
    ["src/**/*.ts", ["src/c.ts", "src/sub/E.ts", "src/sub/d.test.ts"]],
    ["sub/*.ts", ["src/sub/E.ts", "src/sub/d.test.ts"]],
    ["./*.ts", ["a.ts"]],
    ["sub", ["src/sub/"]],
    ["sub/", ["src/sub/"]],
    ["*.{js,test.ts}", ["b.js", "src/sub/d.test.ts"]],
    ["e.ts", ["Nothing matches e.ts in ."]],
  ])("%s", async (pattern, expected) => {
    expect((await find({ pattern })).lines).toEqual(expected);
  });

  test("names with spaces, quotes and line breaks stay one result each", async () => {
    await files("odd/a b", `odd/it's "c"`, "odd/two\nlines");
    expect((await find({ pattern: "odd/*" })).lines).toEqual([
      "odd/a b",
      `odd/it's "c"`,
      '"odd/two\\nlines"',
    ]);
  });

  test("the first results in order are shown up to the limit", async () => {
    const { text, details } = await find({ pattern: "*.ts", limit: 2 });
    expect(text).toMatch(/^\.config\/f\.ts\na\.ts\n\n\[Only the first 2 results/);
    expect(details).toEqual({ resultLimitReached: 2 });
    expect((await find({ pattern: "*.ts", limit: 5 })).details).toEqual({});
  });
});

test("a folder above with the same name does not count as part of the path", async () => {
  await files("src/x/lib/a.ts");
  process.env.PATH = "";
  const tool = createFindTool(join(folder, "src/x"));
  const { content } = await tool.execute("call", { pattern: "src/**/*.ts" });
  expect(content).toEqual([{ type: "text", text: "Nothing matches src/**/*.ts in ." }]);
});

test("what .gitignore excludes is left out, links are listed", async () => {
  process.env.PATH = "";
  await files("dist/a.ts", "src/a.ts", ".git/a.ts");
  await writeFile(join(folder, ".gitignore"), "dist");
  await symlink("src", join(folder, "link.ts"));
  expect((await find({ pattern: "*.ts" })).lines).toEqual(["link.ts", "src/a.ts"]);
});

test("a folder that is not there and a broken pattern are explained", async () => {
  await files("file");
  await expect(find({ pattern: "*", path: "gone" })).rejects.toThrow("Cannot search gone");
  await expect(find({ pattern: "*", path: "file" })).rejects.toThrow("there is no folder");
  await expect(find({ pattern: "[z-a]" })).rejects.toThrow("not a valid glob");
});

test("an fd that fails, for example because it is too old, does not spoil the search", async () => {
  await files("sub/a.ts", "bin/keep");
  await writeFile(join(folder, "bin/fd"), "#!/bin/sh\nexit 2", { mode: 0o755 });
  process.env.PATH = join(folder, "bin");
  expect((await find({ pattern: "*.ts" })).lines).toEqual(["sub/a.ts"]);
});

test("an abort ends fd as well", async () => {
  const bin = await mkdtemp(join(folder, "bin-"));
  const script = `#!/bin/sh\necho $$ > ${folder}/pid\nexec ${process.execPath} -e 'setInterval(() => {}, 1000)'`;
  await writeFile(join(bin, "fd"), script, { mode: 0o755 });
  process.env.PATH = bin;
  const controller = new AbortController();
  const call = find({ pattern: "*" }, controller.signal);
  call.catch(() => {});
  const pidText = () => readFile(join(folder, "pid"), "utf8").catch(() => "");
  await expect.poll(pidText).toMatch(/\d+\n/);
  const pid = Number(await pidText());
  controller.abort();
  await expect(call).rejects.toThrow("aborted");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("operations take the place of the search", async () => {
  const calls: unknown[] = [];
  const tool = createFindTool("/remote", {
    operations: {
      exists: (place) => place === "/remote/sub",
      glob: (pattern, cwd, options) => {
        calls.push([pattern, cwd, options.limit]);
        return ["/remote/sub/b.ts", "a.ts"];
      },
    },
  });
  const { content, details } = await tool.execute("call", {
    pattern: "*.ts",
    path: "sub",
    limit: 9,
  });
  expect(content).toEqual([{ type: "text", text: "a.ts\nb.ts" }]);
  expect(details).toEqual({} satisfies FindToolDetails);
  expect(calls).toEqual([["*.ts", "/remote/sub", 10]]);
  await expect(tool.execute("call", { pattern: "*" })).rejects.toThrow("Cannot search .");
});
