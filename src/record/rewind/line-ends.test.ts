import fs, { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setEnv } from "../../git/test-kit/index.ts";
import { recordOf, turn } from "../history/test-kit.ts";
import { Project } from "../test-kit/project.ts";
import { planRewind } from "./plan.ts";
import { rewind, undoTarget } from "./rewind.ts";
import { findTarget } from "./target.ts";

const LF = "one\ntwo\n";
const CRLF = "one\r\ntwo\r\n";
const MIXED = "one\r\ntwo\n";
const OTHER = "other\nlines\n";

/** Files of each kind that git knows, and that it does not know. */
const FILES: Readonly<Record<string, string>> = {
  "lf.txt": LF,
  "crlf.txt": CRLF,
  "mixed.txt": MIXED,
  "deep/crlf.txt": CRLF,
};

function texts(project: Project, names: readonly string[]): string[] {
  return names.map((name) => readFileSync(join(project.root, name), "latin1"));
}

/** A file as it is, whatever git would have made of it when it was checked out. */
function writeAll(project: Project, prefix: string, text?: string): string[] {
  return Object.entries(FILES).map(([name, own]) => {
    project.write(prefix + name, text ?? own);
    return prefix + name;
  });
}

describe.each([
  ["* text=auto", {}],
  ["* text=auto", { "core.autocrlf": "true" }],
  ["* text=auto", { "core.autocrlf": "input" }],
  ["* text=auto eol=crlf", {}],
  ["* text eol=crlf", {}],
  ["* text=auto eol=lf", {}],
  [undefined, { "core.autocrlf": "true" }],
  [undefined, { "core.autocrlf": "input" }],
  [undefined, { "core.eol": "crlf" }],
  ["* text=auto", { "core.eol": "crlf" }],
])("with the attributes %j and the settings %j", (attributes, settings) => {
  it("a rewind gives back the bytes that were there, and so does its undo", async () => {
    const project = new Project();
    for (const [key, value] of Object.entries(settings)) project.git("config", key, value);
    if (attributes !== undefined) project.write(".gitattributes", `${attributes}\n`);
    const kept = [...writeAll(project, "kept-"), ...writeAll(project, "gone-")];
    project.commit("Files with all line ends");
    const changed = writeAll(project, "changed-", "before\n");
    project.commit("More of them");
    writeAll(project, "changed-");
    const all = [...kept, ...changed, ...writeAll(project, "new-")];
    const before = texts(project, all);
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      for (const prefix of ["kept-", "changed-", "new-"]) writeAll(project, prefix, OTHER);
      for (const name of kept.filter((one) => one.startsWith("gone-")))
        rmSync(join(project.root, name));
    });
    await rewind(record, await planRewind(record, await findTarget(record.store, id)));
    expect(texts(project, all)).toEqual(before);
    await rewind(record, await planRewind(record, await undoTarget(record)));
    expect(texts(project, changed)).toEqual(changed.map(() => OTHER));
    await rewind(record, await planRewind(record, await undoTarget(record)));
    expect(texts(project, all)).toEqual(before);
    expect(project.isSound()).toBe(true);
  });
});

it("a turn that changed nothing but line ends is taken back too", async () => {
  const project = new Project();
  project.write(".gitattributes", "* text=auto\n");
  project.write("a.txt", CRLF);
  project.commit("Start");
  const record = await recordOf(project.root);
  const id = await turn(record, () => project.write("a.txt", LF));
  const plan = await planRewind(record, await findTarget(record.store, id));
  expect(plan.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["changed a.txt"]);
  await rewind(record, plan);
  expect(texts(project, ["a.txt"])).toEqual([CRLF]);
});

it("files that go through a filter of the user's are given back by it, and are not stored as they are", async () => {
  const project = new Project();
  writeFileSync(
    join(project.home, ".gitconfig"),
    '[filter "shout"]\nclean = tr a-z A-Z\nsmudge = tr A-Z a-z\n',
  );
  setEnv("GIT_CONFIG_GLOBAL", join(project.home, ".gitconfig"));
  project.write(".gitattributes", "* text=auto\n*.x filter=shout\n");
  project.write("a.x", "some words\n");
  project.commit("Start");
  project.write("a.x", "other words\n");
  const record = await recordOf(project.root);
  const id = await turn(record, () => project.write("a.x", "changed\n"));
  await rewind(record, await planRewind(record, await findTarget(record.store, id)));
  expect(texts(project, ["a.x"])).toEqual(["other words\n"]);
  const raw = project.git("hash-object", "--no-filters", "a.x");
  expect(() => project.git("cat-file", "-e", raw)).toThrow();
});

it("a file that git was told not to look at is not stored for its size", async () => {
  const project = new Project();
  project.write(".gitattributes", "* text=auto\n");
  project.write("local.txt", LF);
  project.commit("Start");
  project.git("update-index", "--skip-worktree", "local.txt");
  project.write("local.txt", "what only this machine knows\r\n");
  mkdirSync(join(project.root, "deep"), { recursive: true });
  const record = await recordOf(project.root);
  await turn(record, () => project.write("deep/a.txt", CRLF));
  const raw = project.git("hash-object", "--no-filters", "local.txt");
  expect(() => project.git("cat-file", "-e", raw)).toThrow();
});

it("a turn that changed line ends is taken back also if git has looked at the file since", async () => {
  const project = new Project();
  project.write(".gitattributes", "* text=auto\n");
  project.write("a.txt", CRLF);
  project.commit("Start");
  const record = await recordOf(project.root);
  await turn(record, () => project.write("b.txt", LF));
  const id = await turn(record, () => {
    project.write("a.txt", LF);
    // git notes in its index that the file is the same.
    project.git("update-index", "-q", "--refresh");
  });
  await rewind(record, await planRewind(record, await findTarget(record.store, id)));
  expect(texts(project, ["a.txt"])).toEqual([CRLF]);
});

it("what git calls unchanged is looked at once, and again when it was written", async () => {
  const project = new Project();
  project.write(".gitattributes", "* text=auto\n");
  const names = Array.from({ length: 50 }, (_, at) => `files/${at}.txt`);
  for (const name of names) project.write(name, CRLF);
  project.commit("Start");
  const record = await recordOf(project.root);
  const looks = async (act: () => void) => {
    const before = fs.lstatSync;
    const looked: string[] = [];
    const counting = (path: fs.PathLike, ...rest: unknown[]) => {
      looked.push(String(path));
      return Reflect.apply(before, fs, [path, ...rest]);
    };
    Object.assign(fs, { lstatSync: counting });
    syncBuiltinESMExports();
    try {
      await turn(record, act);
    } finally {
      Object.assign(fs, { lstatSync: before });
      syncBuiltinESMExports();
    }
    return names.filter((name) => looked.some((path) => path.endsWith(`/${name}`)));
  };
  expect(await looks(() => {})).toEqual(names);
  expect(await looks(() => {})).toEqual([]);
  expect(await looks(() => project.write("files/7.txt", LF))).toEqual(["files/7.txt"]);
});
