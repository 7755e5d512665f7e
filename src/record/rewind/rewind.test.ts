import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordOf, turn } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { Project } from "../test-kit/project.ts";
import { readJournal } from "./journal.ts";
import { planRewind, type RewindPlan } from "./plan.ts";
import { rewind, undoTarget } from "./rewind.ts";
import { findTarget } from "./target.ts";

const has = (project: Project, path: string) => existsSync(join(project.root, path));
const text = (project: Project, path: string) => readFileSync(join(project.root, path), "utf8");

async function planTo(
  record: RepoRecord,
  what: string,
  moment?: "start" | "end",
): Promise<RewindPlan> {
  return planRewind(record, await findTarget(record.store, what, moment));
}

async function rewindTo(record: RepoRecord, what: string, moment?: "start" | "end") {
  return rewind(record, await planTo(record, what, moment));
}

async function undo(record: RepoRecord) {
  return rewind(record, await planRewind(record, await undoTarget(record)));
}

const kinds = (plan: RewindPlan) => plan.changes.map(({ kind, path }) => `${kind} ${path}`);
const left = (plan: RewindPlan) => plan.left.map(({ path, why }) => `${path}: ${why}`);

describe("a rewind", () => {
  test("brings changed, deleted and new files back to the start of a turn, and undo takes them forward again", async () => {
    const project = new Project();
    project.write("a.txt", "one\n");
    project.write("gone/deep/b.txt", "b\n");
    project.commit("Two files");
    project.write("untracked.txt", "mine\n");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      project.write("a.txt", "two\n");
      rmSync(join(project.root, "gone"), { recursive: true });
      rmSync(join(project.root, "untracked.txt"));
      project.write("new/deep/c.txt", "c\n");
    });

    const plan = await planTo(record, id);
    expect(kinds(plan)).toEqual([
      "changed a.txt",
      "added gone/deep/b.txt",
      "deleted new/deep/c.txt",
      "added untracked.txt",
    ]);
    await rewind(record, plan);

    expect(text(project, "a.txt")).toBe("one\n");
    expect(text(project, "gone/deep/b.txt")).toBe("b\n");
    expect(text(project, "untracked.txt")).toBe("mine\n");
    expect(has(project, "new")).toBe(false);

    await undo(record);
    expect(text(project, "a.txt")).toBe("two\n");
    expect(has(project, "gone")).toBe(false);
    expect(has(project, "untracked.txt")).toBe(false);
    expect(text(project, "new/deep/c.txt")).toBe("c\n");

    await undo(record);
    expect(text(project, "a.txt")).toBe("one\n");
    expect(has(project, "new")).toBe(false);
    expect(project.isSound()).toBe(true);
  });

  test("goes to the end of a turn when told to", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "by the agent\n"));
    project.write("a.txt", "by me\n");
    await rewindTo(record, id.slice(0, 8), "end");
    expect(text(project, "a.txt")).toBe("by the agent\n");
  });

  test("leaves HEAD, index and stash alone, byte by byte", async () => {
    const project = new Project();
    project.write("stashed.txt", "s\n");
    project.git("stash", "--include-untracked");
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("README.md", "changed\n"));
    project.write("staged.txt", "staged\n");
    project.git("add", "staged.txt");
    const files = ["index", "HEAD", "refs/stash", "logs/HEAD"].map((name) =>
      join(project.root, ".git", name),
    );
    const before = files.map((file) => [readFileSync(file), statSync(file).mtimeMs]);
    await rewindTo(record, id);
    expect(files.map((file) => [readFileSync(file), statSync(file).mtimeMs])).toEqual(before);
    expect(text(project, "README.md")).toBe("# A project\n");
  });

  test("saves the present state first, untracked files included, ignored ones not", async () => {
    const project = new Project();
    project.write(".gitignore", "*.log\n");
    project.commit("Ignore");
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "a\n"));
    project.write("mine.txt", "mine\n");
    project.write("debug.log", "log\n");
    const { ref = "" } = await rewindTo(record, id);
    expect(ref).toMatch(/^refs\/seam\/rewind\/\d{8}T\d+Z$/);
    const saved = project.git("ls-tree", "-r", "--name-only", ref).split("\n");
    expect(saved).toEqual([".gitignore", "README.md", "a.txt", "mine.txt"]);
    expect(has(project, "mine.txt")).toBe(false);
    expect(text(project, "debug.log")).toBe("log\n");
  });

  test("keeps modes and links", async () => {
    const project = new Project();
    project.write("run.sh", "#!/bin/sh\n");
    chmodSync(join(project.root, "run.sh"), 0o755);
    symlinkSync("README.md", join(project.root, "link"));
    project.commit("Program and link");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      chmodSync(join(project.root, "run.sh"), 0o644);
      rmSync(join(project.root, "link"));
      project.write("link/now-a-folder.txt", "x\n");
    });
    await rewindTo(record, id);
    expect(statSync(join(project.root, "run.sh")).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(project.root, "link"))).toBe("README.md");
    await undo(record);
    expect(statSync(join(project.root, "run.sh")).mode & 0o111).toBe(0);
    expect(lstatSync(join(project.root, "link")).isDirectory()).toBe(true);
    expect(text(project, "link/now-a-folder.txt")).toBe("x\n");
  });

  test("never writes through a link to a folder", async () => {
    const project = new Project();
    project.write("lib/a.txt", "a\n");
    project.commit("Folder");
    const record = await recordOf(project.root);
    const outside = join(project.home, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.txt"), "outside\n");
    const id = await turn(record, () => {
      rmSync(join(project.root, "lib"), { recursive: true });
      symlinkSync(outside, join(project.root, "lib"));
    });
    await rewindTo(record, id);
    expect(text(project, "lib/a.txt")).toBe("a\n");
    expect(lstatSync(join(project.root, "lib")).isDirectory()).toBe(true);
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("outside\n");
  });

  test("writes through git's filters, with the attributes of the state it goes to", async () => {
    const project = new Project();
    project.write(".gitattributes", "*.txt text eol=crlf\n");
    project.write("a.txt", "one\r\ntwo\r\n");
    project.commit("With line ends");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      rmSync(join(project.root, ".gitattributes"));
      rmSync(join(project.root, "a.txt"));
    });
    await rewindTo(record, id);
    expect(text(project, "a.txt")).toBe("one\r\ntwo\r\n");
  });

  test("leaves agents' folders, Seam's own and submodules alone", async () => {
    const project = new Project();
    project.write(".claude/settings.json", "{}\n");
    project.write(".seam/settings.json", "{}\n");
    project.git("init", "-q", "inner");
    project.write("inner/x.txt", "x\n");
    const inner = join(project.root, "inner");
    const as = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
    project.in(inner, "add", "-A");
    project.in(inner, ...as, "commit", "-qm", "x");
    project.commit("All");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      project.write(".claude/settings.json", '{"hooks":{}}\n');
      project.write(".seam/settings.json", '{"disabled":[]}\n');
      project.write("inner/x.txt", "y\n");
      project.in(inner, ...as, "commit", "-qam", "y");
      project.write("a.txt", "a\n");
    });
    const plan = await planTo(record, id);
    expect(left(plan)).toEqual([
      ".claude/settings.json: agent",
      ".seam/settings.json: agent",
      "inner: repository",
    ]);
    await rewind(record, plan);
    expect(text(project, ".claude/settings.json")).toBe('{"hooks":{}}\n');
    expect(text(project, "inner/x.txt")).toBe("y\n");
    expect(has(project, "a.txt")).toBe(false);
  });

  test("does not write over a file that is ignored now, nor over a folder that holds one", async () => {
    const project = new Project();
    project.write("build.log", "kept in git then\n");
    project.write("out", "a file then\n");
    project.commit("Log");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      project.write(".gitignore", "*.log\n");
      project.git("rm", "-q", "--cached", "build.log");
      rmSync(join(project.root, "out"));
      project.commit("Ignore logs");
      project.write("build.log", "precious\n");
      project.write("out/precious.log", "precious too\n");
    });
    const plan = await planTo(record, id);
    expect(left(plan)).toEqual(["build.log: in the way", "out: in the way"]);
    await rewind(record, plan);
    expect(text(project, "build.log")).toBe("precious\n");
    expect(text(project, "out/precious.log")).toBe("precious too\n");
    expect(has(project, ".gitignore")).toBe(false);
  });

  test("does not touch what it cannot save: secrets and huge files", async () => {
    const project = new Project();
    project.write("huge.bin", "small then\n");
    project.write("key.pem", "committed by mistake\n");
    project.commit("Small");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      truncateSync(join(project.root, "huge.bin"), 2 * 1024 ** 3);
      project.git("rm", "-q", "--cached", "key.pem");
      project.git("commit", "-qm", "No keys");
      project.write(".env", "TOKEN=1\n");
      project.write("key.pem", "another key\n");
    });
    // At the end HEAD has huge.bin small, so that only what is left out tells.
    project.git("rm", "-q", "--cached", "huge.bin");
    project.git("commit", "-qm", "No huge file");
    const plan = await planTo(record, id);
    expect(kinds(plan)).toEqual([]);
    expect(left(plan)).toEqual([".env: secret", "huge.bin: unsaved", "key.pem: secret"]);
    await rewind(record, plan);
    expect(statSync(join(project.root, "huge.bin")).size).toBe(2 * 1024 ** 3);
    expect(text(project, "key.pem")).toBe("another key\n");
    expect(text(project, ".env")).toBe("TOKEN=1\n");
  });

  test("to a commit keeps untracked files, because a commit does not know them", async () => {
    const project = new Project();
    const first = project.git("rev-parse", "HEAD");
    project.write("later.txt", "later\n");
    project.commit("Later");
    project.write("notes.txt", "mine\n");
    const record = await recordOf(project.root);
    const plan = await planTo(record, "HEAD~1");
    expect(plan.target.commit).toBe(first);
    expect(left(plan)).toEqual(["notes.txt: untracked"]);
    await rewind(record, plan);
    expect(has(project, "later.txt")).toBe(false);
    expect(text(project, "notes.txt")).toBe("mine\n");
  });

  test("copes with names that are no text", async () => {
    const project = new Project();
    const names = [
      Buffer.from("with space.txt"),
      Buffer.from('quo"te\\.txt'),
      Buffer.from("new\nline.txt"),
      Buffer.from([0x6c, 0xff, 0xfe, 0x2e, 0x74]),
      Buffer.from(":(glob)*.txt"),
      Buffer.from("-dash"),
    ].map((name) => Buffer.concat([Buffer.from(`${project.root}/`), name]));
    for (const name of names) writeFileSync(name, "one\n");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      for (const [at, name] of names.entries()) {
        if (at % 2 === 0) writeFileSync(name, "two\n");
        else rmSync(name);
      }
    });
    await rewindTo(record, id);
    expect(names.map((name) => readFileSync(name, "utf8"))).toEqual(names.map(() => "one\n"));
    await undo(record);
    expect(names.map((name) => existsSync(name))).toEqual(names.map((_, at) => at % 2 === 0));
  });

  test("works before the first commit, on a detached HEAD and in another work tree", async () => {
    const empty = new Project({ empty: true });
    const record = await recordOf(empty.root);
    const id = await turn(record, () => empty.write("a.txt", "a\n"));
    await rewindTo(record, id);
    expect(has(empty, "a.txt")).toBe(false);
    await undo(record);
    expect(text(empty, "a.txt")).toBe("a\n");

    const project = new Project();
    const other = join(project.home, "other");
    project.git("worktree", "add", "-q", "--detach", other);
    const there = await recordOf(other);
    const second = await turn(there, () => writeFileSync(join(other, "b.txt"), "b\n"));
    await rewindTo(there, second);
    expect(existsSync(join(other, "b.txt"))).toBe(false);
    // The main work tree was never rewound.
    await expect(undoTarget(await recordOf(project.root))).rejects.toThrow(/no rewind/);
    await undo(there);
    expect(readFileSync(join(other, "b.txt"), "utf8")).toBe("b\n");
  });

  test("works in a repository with long object names", async () => {
    const project = new Project({ empty: true });
    rmSync(join(project.root, ".git"), { recursive: true });
    project.git("init", "-q", "--object-format=sha256", "-b", "main");
    project.write("a.txt", "one\n");
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "two\n"));
    await rewindTo(record, id);
    expect(text(project, "a.txt")).toBe("one\n");
  });

  test("leaves files alone that a sparse checkout leaves out", async () => {
    const project = new Project();
    project.write("in/a.txt", "a\n");
    project.write("out/b.txt", "b\n");
    project.commit("Two folders");
    const first = project.git("rev-parse", "HEAD");
    project.write("in/a.txt", "a2\n");
    project.write("out/b.txt", "b2\n");
    project.commit("Changed");
    project.git("sparse-checkout", "set", "in");
    const record = await recordOf(project.root);
    const plan = await planTo(record, first);
    expect(left(plan)).toEqual(["out/b.txt: absent"]);
    await rewind(record, plan);
    expect(text(project, "in/a.txt")).toBe("a\n");
    expect(has(project, "out")).toBe(false);
  });
});

describe("a rewind is refused", () => {
  test("while git is in the middle of something", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "a\n"));
    writeFileSync(join(project.root, ".git/MERGE_HEAD"), `${project.git("rev-parse", "HEAD")}\n`);
    await expect(planTo(record, id)).rejects.toThrow(/merge is in progress/);
    expect(has(project, "a.txt")).toBe(true);
  });

  test("in a bare repository", async () => {
    const project = new Project();
    const bare = join(project.home, "bare.git");
    project.git("clone", "-q", "--bare", project.root, bare);
    await expect(planTo(await recordOf(bare), "HEAD")).rejects.toThrow(/no working tree/);
  });

  test("when files changed since it was looked at", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "a\n"));
    const plan = await planTo(record, id);
    project.write("a.txt", "b\n");
    await expect(rewind(record, plan)).rejects.toThrow(/changed while/);
    expect(text(project, "a.txt")).toBe("b\n");
    expect(readJournal(record.repo)).toBeUndefined();
  });

  test("for names that lead nowhere, and as an undo of nothing", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    for (const name of ["", "abcd", "no such", "--all", "a\nb", "HEAD:README.md"]) {
      await expect(findTarget(record.store, name)).rejects.toThrow(/no turn, checkpoint or commit/);
    }
    await expect(undoTarget(record)).rejects.toThrow(/no rewind/);
  });
});
