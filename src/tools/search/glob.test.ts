import { expect, test } from "vitest";
import { globToRegExp } from "./glob.ts";

function matching(glob: string, paths: string[]): string[] {
  const expression = globToRegExp(glob, { braces: true });
  return paths.filter((path) => expression.test(path));
}

const PATHS = [
  "a.ts",
  "b.tsx",
  "src/a.ts",
  "src/deep/er/a.ts",
  "src/.env",
  "lib/[x].ts",
  "new\nline.ts",
];

test.each([
  ["*.ts", ["a.ts", "new\nline.ts"]],
  ["**/*.ts", ["a.ts", "src/a.ts", "src/deep/er/a.ts", "lib/[x].ts", "new\nline.ts"]],
  ["src/*.ts", ["src/a.ts"]],
  ["src/**", ["src/a.ts", "src/deep/er/a.ts", "src/.env"]],
  ["src/**/a.ts", ["src/a.ts", "src/deep/er/a.ts"]],
  ["?.ts", ["a.ts"]],
  ["[a-b].ts*", ["a.ts", "b.tsx"]],
  ["[!b]*.ts", ["a.ts", "new\nline.ts"]],
  ["{a,b}.{ts,tsx}", ["a.ts", "b.tsx"]],
  ["{src,lib}/{a,\\[x\\]}.ts", ["src/a.ts", "lib/[x].ts"]],
  ["lib/\\[x\\].ts", ["lib/[x].ts"]],
  ["a.t", []],
])("%s", (glob, expected) => {
  expect(matching(glob, PATHS)).toEqual(expected);
});

test("characters of regular expressions are plain, and half a pair of braces too", () => {
  for (const name of ["a+b", "a.b", "(a)", "a|b", "$a^", "{a", "a}b{", "[a", "a-b"]) {
    expect(matching(name, [name, "ab", "aab", "axb"])).toEqual([name]);
  }
});

test("? stands for one character, however many code units it takes", () => {
  expect(matching("?", ["a", "😀", "/", "ab"])).toEqual(["a", "😀"]);
});

test("a class that makes no sense is named", () => {
  expect(() => globToRegExp("[z-a]", { braces: true })).toThrow("[z-a] is not a valid glob");
});
