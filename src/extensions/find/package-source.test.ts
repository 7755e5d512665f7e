import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { entryText, isSamePackage, parseEntry, parseSource, shownEntry } from "./package-source.ts";

const COMMIT = "0123456789012345678901234567890123456789";
const parse = (text: string) => parseSource(text, tmpdir());

describe("a source", () => {
  it.each([
    ["gate", { kind: "npm", name: "gate" }],
    ["npm:gate@^1.2", { kind: "npm", name: "gate", range: "^1.2" }],
    ["@scope/gate@latest", { kind: "npm", name: "@scope/gate", range: "latest" }],
    ["https://host/a/b.git", { kind: "git", url: "https://host/a/b.git" }],
    ["https://host/a/b.git#v2", { kind: "git", url: "https://host/a/b.git", ref: "v2" }],
    ["git:github.com/a/b@main", { kind: "git", url: "https://github.com/a/b", ref: "main" }],
    ["git@host:a/b.git", { kind: "git", url: "git@host:a/b.git" }],
    ["ssh://git@host/a/b.git#x/y", { kind: "git", url: "ssh://git@host/a/b.git", ref: "x/y" }],
    [tmpdir(), { kind: "folder", path: tmpdir() }],
    ["npm:gate@1.2.3#^1", { kind: "npm", name: "gate", range: "1.2.3", asked: "^1" }],
    [
      `git:https://host/a.git#${COMMIT}#main`,
      { kind: "git", url: "https://host/a.git", ref: COMMIT, asked: "main" },
    ],
  ])("%s", (text, source) => {
    expect(parse(text)).toEqual(source);
  });

  it.each([
    "",
    "-u",
    "--upload-pack=touch x",
    "ext::sh -c id",
    "git:ext::sh -c id",
    "http://host/a.git",
    "https://-oProxyCommand=x/y",
    "git@-oProxyCommand=x:y",
    "https://host/a.git#--upload-pack=x",
    "gate@file:../x",
    "gate@npm:other",
    "../nowhere-at-all",
    "a/b",
    "npm:../x",
    "npm:@a/..",
    "gate@../x",
    "gate@--flag",
    "https://user:secret@host/a.git",
    `git:https://host/a.git#${COMMIT}#--upload-pack=x`,
    "Gate",
    "a b",
  ])("%j is refused", (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "SEAM_PACKAGE_SOURCE" }));
  });
});

it.each([
  `npm:@scope/gate@1.2.3-beta.1`,
  `npm:gate@1.2.3#<2.0.0`,
  `git:https://host/a/b.git#${COMMIT}`,
  `git:https://host/a/b.git#${COMMIT}#next`,
])("%s is read as it was written", (text) => {
  const entry = parseEntry(text);
  expect(entry && entryText(entry)).toBe(text);
});

it.each(["npm:../x@1.0.0", "npm:x@../..", "git:ext::sh#abc", `git:ext::sh#${COMMIT}`, "x", "/x"])(
  "%s is nothing that was fetched",
  (text) => {
    expect(parseEntry(text)).toBeUndefined();
  },
);

it("two versions are one package", () => {
  expect(isSamePackage("npm:a@1.0.0", "npm:a@2.0.0")).toBe(true);
  expect(isSamePackage("npm:a@1.0.0", "npm:b@1.0.0")).toBe(false);
  expect(shownEntry(`git:https://host/a/b.git#${COMMIT}`)).toBe("b");
});
