import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gitProcesses } from "../run/spawn-git.ts";
import { Child } from "../test-kit/child.ts";
import {
  bytes,
  init,
  opened,
  run,
  setEnv,
  settle,
  tempDir,
  withFiles,
  write,
} from "../test-kit/index.ts";
import { CatFile } from "./cat-file.ts";
import { loosePath } from "./loose-path.ts";
import { objectIdOf } from "./object-id.ts";

async function readerOf(root: string): Promise<CatFile> {
  const reader = new CatFile(await opened(root));
  onTestFinished(() => reader.close());
  return reader;
}

const NUMBERS = Array.from({ length: 300 }, (_, n) => n);

/** A repository with one blob per number. */
function withBlobs() {
  const root = init();
  const input = NUMBERS.map((n) => `blob\ndata <<END\n${n}\nEND\n`).join("");
  bytes(root, ["fast-import", "--quiet"], input);
  settle(root);
  return { root, ids: NUMBERS.map((n) => blobId(`${n}\n`)) };
}

const blobId = (text: string) => objectIdOf("sha1", "blob", Buffer.from(text));

describe("objects are read by one process", () => {
  it("whatever their kind, by id and by name", async () => {
    const root = withFiles({ "dir/a": "one\n" });
    run(root, "tag", "-a", "-m", "first", "v1");
    const reader = await readerOf(root);
    const before = gitProcesses();
    for (const [name, type] of [
      ["HEAD", "commit"],
      ["HEAD^{tree}", "tree"],
      ["HEAD:dir/a", "blob"],
      ["v1", "tag"],
      [run(root, "rev-parse", "HEAD"), "commit"],
    ] as const) {
      const id = run(root, "rev-parse", name);
      const content = bytes(root, ["cat-file", type, id]);
      expect(await reader.info(name)).toEqual({ id, type, size: content.length });
      expect(await reader.read(name)).toEqual({ id, type, size: content.length, content });
    }
    expect(gitProcesses() - before).toBe(1);
  });

  it("many at once, each with its own answer", async () => {
    const { root, ids } = withBlobs();
    const reader = await readerOf(root);
    const before = gitProcesses();
    const answers = await Promise.all(
      ids.flatMap((id) => [reader.info(id), reader.read(id), reader.info(`${id}x`)]),
    );
    const texts = answers.flatMap((one) => (one && "content" in one ? [String(one.content)] : []));
    expect(texts).toEqual(NUMBERS.map((n) => `${n}\n`));
    expect(answers.filter((one) => one === undefined)).toHaveLength(ids.length);
    expect(gitProcesses() - before).toBe(1);
  });

  it("also empty, binary and bigger than a pipe", async () => {
    const root = init();
    const reader = await readerOf(root);
    const contents = [
      Buffer.alloc(0),
      Buffer.from([0, 10, 13, 255]),
      Buffer.alloc(3 << 20, "ab\n"),
    ];
    for (const content of contents) {
      const id = bytes(root, ["hash-object", "-w", "--stdin"], content).toString().trim();
      expect((await reader.read(id))?.content.equals(content)).toBe(true);
    }
  });

  it("also those that were written since, loose or packed", async () => {
    const root = withFiles({ a: "1" });
    const reader = await readerOf(root);
    const id = blobId("later");
    expect(await reader.info(id)).toBeUndefined();
    bytes(root, ["hash-object", "-w", "--stdin"], "later");
    expect(await reader.info(id)).toMatchObject({ type: "blob" });
    run(root, "update-ref", "refs/seam/x", id);
    run(root, "repack", "-adq");
    expect((await reader.read(id))?.content.toString()).toBe("later");
  });
});

describe("names", () => {
  it("of nothing give nothing", async () => {
    const root = withFiles({ a: "1" });
    const reader = await readerOf(root);
    const names = [
      "",
      "nope",
      "HEAD:gone",
      "a b",
      "x blob 3",
      "-p",
      "0".repeat(40),
      "a\0b",
      "a\nb",
    ];
    for (const name of [...names, `${"1".repeat(40)} missing`]) {
      expect(await reader.info(name)).toBeUndefined();
      expect(await reader.read(name)).toBeUndefined();
    }
    expect(await reader.info("HEAD")).toBeDefined();
  });

  it("that are ambiguous give nothing", async () => {
    const { root, ids } = withBlobs();
    const starts = ids.map((id) => id.slice(0, 4));
    const twice = starts.find((start, at) => starts.indexOf(start) !== at);
    const reader = await readerOf(root);
    if (twice !== undefined) expect(await reader.info(twice)).toBeUndefined();
    expect(await reader.info(ids[0]?.slice(0, 12) ?? "")).toMatchObject({ id: ids[0] });
  });

  it("may contain newlines, spaces, quotes and bytes that are not UTF-8", async () => {
    const root = init();
    const names = ["new\nline", ' "quoted" ', "caf\xe9", "a\n\xff"];
    const id = bytes(root, ["hash-object", "-w", "--stdin"], "odd").toString().trim();
    const lines = names.map((name) => `100644 blob ${id}\t${name}\0`).join("");
    const tree = bytes(root, ["mktree", "-z"], Buffer.from(lines, "latin1")).toString().trim();
    const reader = await readerOf(root);
    for (const name of names) {
      const bytesOf = Buffer.from(`${tree}:${name}`, "latin1");
      expect(await reader.info(bytesOf)).toMatchObject({ id });
    }
    expect(await reader.info(`${tree}:no\nsuch`)).toBeUndefined();
    expect(await reader.info("--all\n:x\ny")).toBeUndefined();
  });
});

describe("a big object", () => {
  it("is not read unless that is asked for, and the next ones are", async () => {
    const root = withFiles({ big: Buffer.alloc(5 << 20), small: "1" });
    const reader = await readerOf(root);
    const limit = { maxBytes: 1 << 20 };
    const [big, small, whole] = await Promise.allSettled([
      reader.read("HEAD:big", limit),
      reader.read("HEAD:small", limit),
      reader.read("HEAD:big"),
    ]);
    expect(big).toMatchObject({
      reason: { code: "SEAM_GIT_OBJECT", message: expect.stringContaining(String(5 << 20)) },
    });
    expect(small).toMatchObject({ value: { size: 1 } });
    expect(whole).toMatchObject({ value: { size: 5 << 20 } });
    expect(await reader.info("HEAD:big")).toMatchObject({ size: 5 << 20 });
  });
});

describe("a process that dies", () => {
  it("between requests is started again", async () => {
    const reader = await readerOf(withFiles({ a: "1" }));
    await reader.info("HEAD");
    const [pid = 0] = reader.pids;
    process.kill(pid, "SIGKILL");
    expect(await reader.info("HEAD")).toBeDefined();
    expect(await reader.info("HEAD")).toBeDefined();
    expect(reader.pids).not.toContain(pid);
  });

  it("in the middle of many requests loses none of them", async () => {
    const { root, ids } = withBlobs();
    const reader = await readerOf(root);
    await reader.info(ids[0] ?? "");
    const before = gitProcesses();
    const [pid = 0] = reader.pids;
    process.kill(pid, "SIGSTOP");
    const answers = Promise.all(ids.map(async (id) => String((await reader.read(id))?.content)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(pid, "SIGKILL");
    expect(await answers).toEqual(NUMBERS.map((n) => `${n}\n`));
    expect(gitProcesses() - before).toBe(1);
  });

  it("over one damaged object gives the others, and an error for that one", async () => {
    const { root, ids } = withBlobs();
    const repo = await opened(root);
    const noise = randomBytes(5000);
    const damaged = bytes(root, ["hash-object", "-w", "--stdin"], noise).toString().trim();
    chmodSync(loosePath(repo, damaged), 0o644);
    truncateSync(loosePath(repo, damaged), 2500);
    const reader = await readerOf(root);
    const names = [ids[0] ?? "", damaged, ids[1] ?? ""];
    const answers = await Promise.allSettled(names.map((name) => reader.read(name)));
    expect(answers).toMatchObject([
      { value: { id: ids[0] } },
      { reason: { code: "SEAM_GIT_OBJECT", details: { id: damaged } } },
      { value: { id: ids[1] } },
    ]);
  });

  it("again and again, because the repository is gone, ends in an error", async () => {
    const root = withFiles({ a: "1" });
    const reader = await readerOf(root);
    writeFileSync(join(root, ".git/HEAD"), "");
    const before = gitProcesses();
    const answers = await Promise.allSettled(NUMBERS.map((n) => reader.info(`HEAD~${n}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(gitProcesses() - before).toBeLessThan(NUMBERS.length);
  });

  it("never started says that git is not there", async () => {
    const reader = await readerOf(withFiles({ a: "1" }));
    setEnv("PATH", tempDir());
    const answers = await Promise.allSettled([reader.info("HEAD"), reader.read("HEAD")]);
    expect(answers).toMatchObject([
      { reason: { code: "SEAM_GIT_MISSING" } },
      { reason: { code: "SEAM_GIT_MISSING" } },
    ]);
  });
});

describe("garbage collection", () => {
  it("is noticed: what was in a deleted pack is not called present", async () => {
    const root = withFiles({ a: "1" });
    const id = bytes(root, ["hash-object", "-w", "--stdin"], "unreachable").toString().trim();
    run(root, "update-ref", "refs/seam/x", id);
    run(root, "repack", "-adq");
    const reader = await readerOf(root);
    expect((await reader.read(id))?.content.toString()).toBe("unreachable");
    run(root, "update-ref", "-d", "refs/seam/x");
    run(root, "gc", "-q", "--prune=now");
    expect(await reader.info(id)).toBeUndefined();
    expect(await reader.info("HEAD")).toBeDefined();
  });
});

describe("a partial clone", () => {
  it("is not filled from its server", async () => {
    const origin = withFiles({ a: "1" });
    run(origin, "config", "uploadpack.allowFilter", "true");
    const clone = join(tempDir(), "clone");
    run(origin, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${origin}`, clone);
    const before = readdirSync(join(clone, ".git/objects/pack"));
    const reader = await readerOf(clone);
    const id = run(origin, "rev-parse", "HEAD:a");
    const [blob, commit] = await Promise.all([reader.info(id), reader.info("HEAD")]);
    expect(blob).toBeUndefined();
    expect(commit).toBeDefined();
    expect(readdirSync(join(clone, ".git/objects/pack"))).toEqual(before);
  });
});

describe("replaced objects", () => {
  it("are read as they were stored", async () => {
    const root = withFiles({ a: "1", b: "2" });
    run(root, "replace", run(root, "rev-parse", "HEAD:a"), run(root, "rev-parse", "HEAD:b"));
    expect(run(root, "cat-file", "blob", "HEAD:a")).toBe("2");
    const reader = await readerOf(root);
    expect((await reader.read("HEAD:a"))?.content.toString()).toBe("1");
  });
});

it("an idle reader does not keep its process alive, and no git is left behind", async () => {
  const child = new Child("./read-and-idle.ts", withFiles({ a: "1" }));
  const [pid, type] = await child.finished();
  expect(type).toBe("commit");
  const state = () =>
    spawnSync("ps", ["-o", "stat=", "-p", String(pid)])
      .stdout.toString()
      .trim();
  // Ended, or waiting for somebody to notice that it has.
  await vi.waitFor(() => expect(state()).toMatch(/^(Z.*)?$/));
});

it("answers what was asked before it was closed, and nothing after", async () => {
  const reader = await readerOf(withFiles({ a: "1" }));
  const asked = reader.info("HEAD");
  await new Promise(setImmediate);
  await reader.close();
  expect(await asked).toBeDefined();
  await expect(reader.info("HEAD")).rejects.toMatchObject({ code: "SEAM_GIT_OBJECT" });
});

describe("a git before 2.36", () => {
  it("is used through the two programs it has", async () => {
    const root = withFiles({ a: "1" });
    const bin = tempDir();
    const real = spawnSync("which", ["git"], { encoding: "utf8" }).stdout.trim();
    write(bin, {
      git: `#!/bin/sh\ncase "$*" in *--batch-command*) echo "error: unknown option" >&2; exit 129;; esac\nexec ${real} "$@"\n`,
    });
    chmodSync(join(bin, "git"), 0o755);
    const child = new Child("./read-old-git.ts", root, `${bin}:${process.env.PATH}`);
    expect(await child.finished()).toEqual(["commit", "1", "undefined", "2 readers"]);
  });
});
