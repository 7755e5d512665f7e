import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ObjectBatch, rawPath } from "../../git/index.ts";
import { recordOf, turn } from "../history/test-kit.ts";
import { secretOf } from "../redact/test-kit/secrets.ts";
import type { RepoRecord } from "../repo-record.ts";
import { planRewind } from "../rewind/plan.ts";
import { rewind } from "../rewind/rewind.ts";
import { findTarget } from "../rewind/target.ts";
import { secretRemover } from "../secret-remover.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { Project } from "../test-kit/project.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { wholeWorkTree, workTreeAt } from "./work-tree.ts";

const AWS = secretOf("aws-access-key", 1).value;
const KEY = secretOf("private-key", 2).value;
const TOKEN = secretOf("github-token", 3).value;

async function look(project: Project, record: RepoRecord) {
  const head = project.git("rev-parse", "HEAD^{tree}");
  const { tree, leftOut } = await wholeWorkTree(record, new ObjectBatch(record.store), { head });
  const files = project.git("ls-tree", "-r", "--name-only", tree).split("\n");
  return { tree, files, leftOut: leftOut.map(({ path, why }) => `${path}: ${why}`) };
}

/** Everything that is in git, wherever it hangs. */
const inGit = (project: Project) => project.git("cat-file", "--batch", "--batch-all-objects");

const text = (project: Project, path: string) => readFileSync(join(project.root, path), "utf8");

describe("a work tree in which kinds of things changed", () => {
  test("is told as it is, with nothing left out", async () => {
    const project = new Project();
    project.write("file", "a file\n");
    project.write("folder/inner.txt", "inner\n");
    project.write("linked/inner.txt", "inner\n");
    project.commit("All kinds");
    rmSync(join(project.root, "file"));
    project.write("file/now/a-folder.txt", "x\n");
    rmSync(join(project.root, "folder"), { recursive: true });
    project.write("folder", "now a file\n");
    rmSync(join(project.root, "linked"), { recursive: true });
    mkdirSync(join(project.home, "there"));
    writeFileSync(join(project.home, "there/inner.txt"), "of somebody else\n");
    symlinkSync(join(project.home, "there"), join(project.root, "linked"));
    const { files, leftOut } = await look(project, await recordOf(project.root));
    expect(leftOut).toEqual([]);
    expect(files).toEqual(["README.md", "file/now/a-folder.txt", "folder", "linked"]);
  });

  test("is told the same from the paths alone", async () => {
    const project = new Project();
    project.write("file", "a file\n");
    project.write("folder/inner.txt", "inner\n");
    project.commit("Two kinds");
    rmSync(join(project.root, "file"));
    project.write("file/inner.txt", "x\n");
    rmSync(join(project.root, "folder"), { recursive: true });
    project.write("folder", "now a file\n");
    const record = await recordOf(project.root);
    const tree = project.git("rev-parse", "HEAD^{tree}");
    const paths = ["file", "file/inner.txt", "folder", "folder/inner.txt"].map((one) =>
      rawPath(one),
    );
    const batch = new ObjectBatch(record.store);
    const now = await workTreeAt(record, batch, { tree, leftOut: [] }, paths);
    expect(now.leftOut).toEqual([]);
    expect(now.tree).toBe((await look(project, record)).tree);
  });
});

describe("secrets in a work tree", () => {
  test("are found in text of two bytes per character, and nothing is in other files", async () => {
    const project = new Project();
    const wide = (text: string) => Buffer.from(text, "utf16le");
    const said = `The key is ${AWS}, keep it\n`;
    project.write("marked.txt", Buffer.concat([Buffer.of(0xff, 0xfe), wide(said)]));
    project.write("plain.txt", wide(said));
    project.write("big-endian.txt", wide(said).swap16());
    project.write("fine.txt", wide("nothing to hide\n"));
    project.write("data.bin", Buffer.from(`\0\0${AWS}\0`, "latin1"));
    const { files, leftOut } = await look(project, await recordOf(project.root));
    expect(files).toEqual(["README.md", "data.bin", "fine.txt"]);
    expect(leftOut.sort()).toEqual([
      "big-endian.txt: secret",
      "marked.txt: secret",
      "plain.txt: secret",
    ]);
  });

  test("stay out of git, with the files that hold them and that git does not know", async () => {
    const project = new Project();
    project.write("notes.txt", `My key is ${AWS}\n`);
    project.write("config.local.json", JSON.stringify({ tls: { key: KEY } }, null, 2));
    project.write("fine.txt", "nothing to hide\n");
    project.write("data.bin", Buffer.from(`\0\0${AWS}`));
    const { files, leftOut } = await look(project, await recordOf(project.root));
    expect(files).toEqual(["README.md", "data.bin", "fine.txt"]);
    expect(leftOut).toEqual(["config.local.json: secret", "notes.txt: secret"]);
    rmSync(join(project.root, "data.bin"));
    expect(inGit(project)).not.toContain(KEY.split("\n")[1]);
  });

  test("stay out when they were added to a file that git knows", async () => {
    const project = new Project();
    project.write("a.ts", `const old = "${TOKEN}";\nexport const a = 1;\n`);
    project.write("b.ts", "export const b = 1;\n");
    project.commit("One with a key already");
    project.write("a.ts", `const old = "${TOKEN}";\nexport const a = 2;\n`);
    project.write("b.ts", `export const b = 2;\nconst key = "${AWS}";\n`);
    const { tree, leftOut } = await look(project, await recordOf(project.root));
    expect(leftOut).toEqual(["b.ts: secret"]);
    expect(project.git("show", `${tree}:a.ts`)).toContain("a = 2");
    expect(project.git("show", `${tree}:b.ts`)).toBe("export const b = 1;");
    expect(inGit(project)).not.toContain(AWS);
  });

  test("are no reason to leave out what the user staged or committed", async () => {
    const project = new Project();
    project.write("staged.txt", `My key is ${AWS}\n`);
    project.git("add", "staged.txt");
    project.write("committed.txt", `My key is ${TOKEN}\n`);
    project.git("add", "committed.txt");
    project.git("commit", "-qm", "Key", "committed.txt");
    const { files, leftOut } = await look(project, await recordOf(project.root));
    expect(leftOut).toEqual([]);
    expect(files).toEqual(["README.md", "committed.txt", "staged.txt"]);
  });

  test("stay out where git changes line ends on the way", async () => {
    const project = new Project();
    project.write(".gitattributes", "*.txt text eol=crlf\n");
    project.commit("Line ends");
    project.write("notes.txt", `My key is ${AWS}\r\n`);
    project.write("fine.txt", "nothing\r\n");
    const { files, leftOut } = await look(project, await recordOf(project.root));
    expect(leftOut).toEqual(["notes.txt: secret"]);
    expect(files).toContain("fine.txt");
    expect(inGit(project)).not.toContain(AWS);
  });

  test("are looked for once, in what is stored anew and nowhere else", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const about = { session_id: "s", agent: "pi", turn_id: "0123456789ab", moment: "end" } as const;
    const take = async (second: number, paths?: string[]) => {
      const before = record.secrets.searched;
      const at = new Date(second * 1000).toISOString();
      const named = paths && { paths: paths.map((path) => rawPath(path)) };
      const { record: taken } = await takeSnapshot(record, { ...about, at, ...named });
      const left = taken.left_out?.map(({ path }) => path) ?? [];
      return [record.secrets.searched - before, ...left];
    };
    project.write("notes.txt", `My key is ${AWS}\n`);
    project.write("fine.txt", "nothing to hide\n");
    const [notes, fine] = [text(project, "notes.txt").length, text(project, "fine.txt").length];
    expect(await take(1)).toEqual([notes + fine, "notes.txt"]);
    expect(await take(2)).toEqual([0, "notes.txt"]);
    expect(await take(3, ["fine.txt", "notes.txt"])).toEqual([0, "notes.txt"]);
    project.write("fine.txt", "still nothing\n");
    expect(await take(4, ["fine.txt"])).toEqual([14, "notes.txt"]);
    project.write("notes.txt", "no key any more\n");
    expect(await take(5, ["notes.txt"])).toEqual([16]);
    // Another process knows from git what was looked at.
    const other = await recordOf(project.root);
    await takeSnapshot(other, { ...about, at: new Date(6000).toISOString() });
    expect(other.secrets.searched).toBe(0);
  });

  test("are never touched by a rewind, which says so", async () => {
    const project = new Project();
    project.write("b.ts", "export const b = 1;\n");
    project.commit("B");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      project.write("notes.txt", `My key is ${AWS}\n`);
      project.write("b.ts", `const key = "${TOKEN}";\n`);
      project.write("a.txt", "by the agent\n");
    });
    const planTo = async (moment: "start" | "end") =>
      planRewind(record, await findTarget(record.store, id, moment));
    const toStart = await planTo("start");
    expect(toStart.left).toEqual([
      { path: "b.ts", why: "secret" },
      { path: "notes.txt", why: "secret" },
    ]);
    await rewind(record, toStart);
    expect(text(project, "b.ts")).toContain(TOKEN);
    expect(text(project, "notes.txt")).toContain(AWS);
    expect(() => text(project, "a.txt")).toThrow();
    // The key is gone by now, but what the file was at the end of the turn is not known.
    project.write("b.ts", "export const b = 3;\n");
    rmSync(join(project.root, "notes.txt"));
    const toEnd = await planTo("end");
    expect(toEnd.left).toEqual([
      { path: "b.ts", why: "secret" },
      { path: "notes.txt", why: "secret" },
    ]);
    await rewind(record, toEnd);
    expect(text(project, "b.ts")).toBe("export const b = 3;\n");
    expect(text(project, "a.txt")).toBe("by the agent\n");
    expect(inGit(project)).not.toMatch(new RegExp(`${AWS}|${TOKEN}`));
  });

  test("do not keep a commit of such a file from its link", async () => {
    const shop = await Workshop.open({ redactor: (folder) => secretRemover(() => {}, folder) });
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("fixture.ts", `const key = "${AWS}";\n`));
    expect(inGit(shop)).not.toContain(AWS);
    const { metadata } = await shop.checkpoint(await shop.commitAll("With a key, by a person"));
    expect(metadata.files_touched).toEqual(["fixture.ts"]);
  });
});
