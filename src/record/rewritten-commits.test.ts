import { describe, expect, it } from "vitest";
import { findCheckpoints } from "./history/find-checkpoints.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** A repository with one commit of an agent's work. */
async function withWork() {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
  const id = await shop.commitAll("Add a");
  if (id === undefined) throw new Error(`no trailer: ${shop.said.join("\n")}`);
  return { shop, claude, id };
}

describe("the link of a commit", () => {
  it("survives an amend, with its message or a new one", async () => {
    const { shop, id } = await withWork();
    await shop.run("commit", "-q", "--amend", "--no-edit", "--date=2020-01-01T00:00:00");
    expect(shop.idsAt()).toEqual([id]);
    await shop.run("commit", "-q", "--amend", "-m", "Said better");
    expect(shop.idsAt()).toEqual([id]);
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD"));
    expect(shop.git("rev-list", "--count", "refs/seam/checkpoints/v1")).toBe("3");
  });

  it("gets a second checkpoint when an amend adds more of an agent's work", async () => {
    const { shop, claude, id } = await withWork();
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "--amend", "--no-edit");
    const [first, second] = shop.idsAt();
    expect(first).toBe(id);
    const { metadata } = await shop.checkpoint(second);
    expect(metadata.files_touched).toContain("b.ts");
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD"));
  });

  it("stays the only one when an agent amends its own commit in the same turn", async () => {
    const { shop, claude } = await withWork();
    await claude.prompt("Commit twice");
    await claude.bash("echo 'a first line' > c.txt && git add . && git commit -q -m C");
    const id = shop.idAt();
    await claude.bash("echo 'a second line' >> c.txt && git add . && git commit -q --amend -m D");
    expect(shop.idsAt()).toEqual([id]);
    await claude.stop();
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD"));
    expect(metadata.file_hashes?.["c.txt"]).toBe(shop.git("rev-parse", "HEAD:c.txt"));
    expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  });

  it("knows all files of a commit that an agent amends in the same turn", async () => {
    const { shop, claude } = await withWork();
    await claude.prompt("Commit, then add one more");
    await claude.write("c.ts", "export const c = 1;\n");
    await claude.bash("echo gone > gone.txt && git add . && git commit -q -m C");
    const id = shop.idAt();
    await claude.bash(
      "echo 'a shell made this' > d.txt && git add . && git commit -q --amend -m D",
    );
    await claude.bash(
      "git rm -q --cached gone.txt && git commit -q --amend --no-edit && rm gone.txt",
    );
    expect(shop.idsAt()).toEqual([id]);
    const files = async () => {
      const { metadata, sessions } = await shop.checkpoint(id);
      return [metadata.files_touched, sessions[0]?.metadata.files_touched];
    };
    expect(await files()).toEqual([
      ["c.ts", "d.txt"],
      ["c.ts", "d.txt"],
    ]);
    await claude.stop();
    expect(await files()).toEqual([
      ["c.ts", "d.txt"],
      ["c.ts", "d.txt"],
    ]);
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.file_hashes?.["d.txt"]).toBe(shop.git("rev-parse", "HEAD:d.txt"));
    expect(shop.file(id ?? "", "0/prompt.txt")).toBe("Commit, then add one more");
    expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  });

  it("knows the files of an amend after a rebase in the same turn, and none of the user's", async () => {
    const { shop, claude } = await withWork();
    await shop.run("checkout", "-q", "-b", "side", "HEAD~1");
    shop.write("mine.ts", "export const mine = 1;\n");
    await shop.commitAll("Mine");
    await shop.run("checkout", "-q", "main");
    await claude.prompt("Commit, rebase, add one more");
    await claude.write("c.ts", "export const c = 1;\n");
    await claude.bash("git add . && git commit -q -m C && git rebase -q side");
    const id = shop.idAt();
    await claude.write("d.ts", "export const d = 1;\n");
    await claude.bash("git add . && git commit -q --amend --no-edit");
    await claude.stop();
    expect(shop.idsAt()).toEqual([id]);
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.files_touched).toEqual(["c.ts", "d.ts"]);
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD"));
    // A person's amend of it brings files of nobody's session.
    shop.write("mine-too.ts", "export const mineToo = 1;\n");
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "--amend", "--no-edit");
    expect(shop.idsAt()).toEqual([id]);
    expect((await shop.checkpoint(id)).metadata.files_touched).toEqual(["c.ts", "d.ts"]);
  });

  it("survives a rebase", async () => {
    const { shop, id } = await withWork();
    await shop.run("checkout", "-q", "-b", "side", "HEAD~1");
    shop.write("mine.ts", "export const mine = 1;\n");
    await shop.commitAll("Mine");
    await shop.run("checkout", "-q", "main");
    await shop.run("rebase", "-q", "side");
    expect(shop.idsAt()).toEqual([id]);
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD"));
  });

  it("survives a cherry-pick, also by an agent, and is written once", async () => {
    const { shop, claude, id } = await withWork();
    const before = shop.git("rev-parse", "refs/seam/checkpoints/v1");
    await shop.run("checkout", "-q", "-b", "side", "HEAD~1");
    await claude.prompt("Pick it");
    await claude.bash("git cherry-pick main");
    expect(shop.idsAt()).toEqual([id]);
    expect(shop.git("rev-parse", "refs/seam/checkpoints/v1")).toBe(before);
  });

  it("survives a squash merge, with its message or a new one", async () => {
    const { shop, claude, id } = await withWork();
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    const second = await shop.commitAll("Add b");
    for (const args of [["--no-edit"], ["-m", "All at once"]]) {
      await shop.run("checkout", "-q", "--detach", "main~2");
      await shop.run("merge", "-q", "--squash", "main");
      await shop.run("commit", "-q", ...args);
      expect(new Set(shop.idsAt())).toEqual(new Set([id, second]));
    }
  });

  it("survives the squash of a rebase, even where a message is dropped", async () => {
    const { shop, claude, id } = await withWork();
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "-m", "fixup! Add a");
    const second = shop.idAt();
    await shop.run("rebase", "-q", "-i", "--autosquash", "--root");
    expect(shop.idsAt()).toContain(id);
    const head = shop.git("rev-parse", "HEAD");
    expect((await shop.checkpoint(second)).metadata.commit_sha).toBe(head);
    const { checkpoints } = await findCheckpoints((await shop.record()).store, head);
    expect(new Set(checkpoints.map((one) => one.id))).toEqual(new Set([id, second]));
  });

  it("of a colleague is never taken for an own one", async () => {
    const { shop, claude } = await withWork();
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "-m", "B\n\nSeam-Checkpoint: 0123456789ab");
    const ids = shop.idsAt();
    expect(ids).toHaveLength(2);
    await expect(shop.checkpoint("0123456789ab")).rejects.toThrow("no checkpoint");
    expect((await shop.checkpoint(ids[1])).metadata.files_touched).toEqual(["b.ts"]);
  });

  it("is kept for a conflict an agent's work is the answer to", async () => {
    const { shop, claude } = await withWork();
    await shop.run("checkout", "-q", "-b", "side", "HEAD~1");
    shop.write("a.ts", "export const a = 2;\n");
    await shop.commitAll("Other a");
    await shop.run("merge", "-q", "main").catch(() => {});
    await claude.prompt("Solve it");
    await claude.write("a.ts", "export const a = 3; // both\n");
    await claude.bash("git add a.ts && git commit -q --no-edit");
    await claude.stop();
    const own = shop.idsAt();
    expect(own).toHaveLength(1);
    expect((await shop.checkpoint(own[0])).metadata.files_touched).toEqual(["a.ts"]);
  });
});

it("a message that is nothing but the trailer is no message", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
  await shop.run("add", "-A");
  await expect(shop.run("commit")).rejects.toThrow(/empty commit message/i);
  expect(await shop.commitStaged("Now with words")).toBeDefined();
});

it("a hook that comes long after its commit changes no message", async () => {
  const { shop, claude } = await withWork();
  await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
  await shop.run("add", "-A");
  const path = shop.write(".git/COMMIT_EDITMSG", "Being written\n");
  const from = { cwd: shop.root, pid: 2 ** 22 + 7 };
  await shop.recorder.git({ hook: "prepare-commit-msg", ...from, args: [path, "message"] });
  expect(shop.git("hash-object", path)).toBe(
    shop.git("hash-object", shop.write(".git/same", "Being written\n")),
  );
});
