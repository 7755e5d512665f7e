import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { IgnoreCheck } from "./ignore-check.ts";
import { walk } from "./walk.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-walk-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function files(contents: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function walked(from = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path, kind } of walk(join(folder, from), undefined)) {
    if (kind !== "folder") paths.push(path);
  }
  return paths;
}

function gitFiles(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const output = execFileSync("git", args, { cwd: folder, encoding: "utf8", env });
  return output.split("\0").filter(Boolean).sort();
}

const NAMES = [
  "a.log",
  "b.txt",
  "keep.log",
  "build",
  "dist/x.js",
  "docs/build",
  "docs/a.log",
  "docs/deep/a.log",
];
const MORE = [
  "src/a b.txt",
  "src/#hash",
  "src/!bang",
  "src/x.o",
  "src/gen/y.ts",
  "src/gen/keep.ts",
  "src/foo/gen/z.ts",
];
const LAST = [
  "temp/a/b/c.tmp",
  "temp/c.tmp",
  "trail ",
  "brace{a,b}",
  "src/[x]",
  "src/xy1",
  "src/xyz",
];

test.each([
  "*.log\n!keep.log",
  "build\ndist/",
  "/build",
  "docs/*.log",
  "**/a.log",
  "docs/**",
  "temp/**/c.tmp",
  "src/gen/*\n!src/gen/keep.ts",
  "src/gen/\n!src/gen/keep.ts",
  "\\#hash\n\\!bang\n# comment",
  "*.[oa]\nsrc/xy[0-9]\nsrc/xy[!0-9]",
  "trail\\ \nb.txt   ",
  "brace{a,b}\n{x,y}.o",
  "src/\\[x\\]\n?.txt",
  "*\n!*/\n!*.ts",
  "\r\n*.tmp\r\n",
  "[z-a]\n*.o",
  "gen",
  "/src/*/gen",
])("ignores what git ignores: %j", async (rules) => {
  execFileSync("git", ["init", "-q"], { cwd: folder });
  await files(Object.fromEntries([...NAMES, ...MORE, ...LAST].map((name) => [name, "x"])));
  await files({ ".gitignore": rules });
  const expected = gitFiles();
  expect((await walked()).sort()).toEqual(expected);

  const check = new IgnoreCheck(folder);
  const notIgnored: string[] = [];
  for (const path of [...NAMES, ...MORE, ...LAST, ".gitignore"]) {
    if (!(await check.ignores(path))) notIgnored.push(path);
  }
  expect(notIgnored.sort()).toEqual(expected);
});

test("nested .gitignore files add to and undo what the outer ones say, as in git", async () => {
  execFileSync("git", ["init", "-q"], { cwd: folder });
  await files({
    ".gitignore": "*.log\n/only-top",
    "a.log": "",
    "only-top": "",
    "sub/.gitignore": "!b.log\nlocal.txt\n/deep/*.js",
    "sub/a.log": "",
    "sub/b.log": "",
    "sub/local.txt": "",
    "sub/only-top": "",
    "sub/deep/x.js": "",
    "sub/deep/local.txt": "",
    "sub/deep/er/x.js": "",
    "other/local.txt": "",
  });
  expect((await walked()).sort()).toEqual(gitFiles());
});

test("a walk that starts inside a repository knows the rules above, and a repository inside starts over", async () => {
  await files({
    ".git/HEAD": "",
    ".gitignore": "*.log",
    "sub/a.log": "",
    "sub/b.txt": "",
    "sub/own/.git/HEAD": "",
    "sub/own/a.log": "",
  });
  expect(await walked("sub")).toEqual(["b.txt", "own/a.log"]);
  expect(await walked("sub/own")).toEqual(["a.log"]);
});

test("rules count outside of a repository too", async () => {
  await files({ ".gitignore": "node_modules", "node_modules/x.js": "", "a.js": "" });
  expect(await walked()).toEqual([".gitignore", "a.js"]);
});

test("goes in the order of names and does not follow links", async () => {
  await files({ "b/x": "", "a-1": "", "a/z": "", B: "", ".hidden/y": "" });
  await symlink("..", join(folder, "b/loop"));
  expect(await walked()).toEqual([".hidden/y", "B", "a/z", "a-1", "b/loop", "b/x"]);
});
