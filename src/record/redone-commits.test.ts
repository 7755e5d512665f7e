import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCheckpoints } from "./history/find-checkpoints.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const A = "export const a = 1;\n";
const B = "export const b = 2;\n";

/** A commit of a person with the work of an agent, whose session is over. */
async function withWork() {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Write", async () => {
    await claude.write("a.ts", A);
    await claude.write("b.ts", B);
  });
  const id = await shop.commitAll("Add a and b");
  if (id === undefined) throw new Error(`no trailer: ${shop.said.join("\n")}`);
  await claude.hook("SessionEnd", { reason: "other" });
  return { shop, claude, id };
}

const isWatching = (shop: Workshop) => existsSync(join(shop.root, ".git/seam/pending"));

async function behind(shop: Workshop, rev = "HEAD") {
  const { store } = await shop.record();
  const { checkpoints, by } = await findCheckpoints(store, shop.git("rev-parse", rev));
  return [by, ...checkpoints.map(({ id }) => id)];
}

/** Whether the next commit costs more than a look at files. */
async function ringsFor(shop: Workshop, work: () => Promise<unknown>): Promise<boolean> {
  let rang = false;
  const { git } = shop.recorder;
  shop.recorder.git = (request) => {
    rang ||= request.hook === "prepare-commit-msg";
    return git.call(shop.recorder, request);
  };
  await work().finally(() => {
    shop.recorder.git = git;
  });
  return rang;
}

describe("a commit that was taken back and made again", () => {
  it.each([
    ["with the same message", "--soft", "Add a and b"],
    ["with another message", "--soft", "Said better"],
    ["after all was unstaged", "--mixed", "Said better"],
  ])("keeps its link, %s", async (_, how, message) => {
    const { shop, id } = await withWork();
    expect(isWatching(shop)).toBe(false);
    await shop.run("reset", "-q", how, "HEAD~1");
    await shop.commitAll(message);
    expect(shop.idsAt()).toEqual([id]);
    expect(await behind(shop)).toEqual(["trailer", id]);
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD"));
    expect(metadata.files_touched).toEqual(["a.ts", "b.ts"]);
    expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  });

  it("keeps it in every part it is made again in, and in nothing else", async () => {
    const { shop, id } = await withWork();
    await shop.run("reset", "-q", "HEAD~1");
    await shop.run("add", "a.ts");
    expect(await shop.commitStaged("The first half")).toBe(id);
    shop.write("mine.ts", "export const mine = 3;\n");
    await shop.run("add", "mine.ts");
    expect(await shop.commitStaged("Mine")).toBeUndefined();
    expect(await shop.commitAll("The second half")).toBe(id);
    shop.write("mine.ts", "export const mine = 4;\n");
    expect(await shop.commitAll("Mine again")).toBeUndefined();
    expect((await shop.checkpoint(id)).metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD~3"));
  });

  it("keeps it for a part of a file, and for the rest of it", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    const lines = ["first line of it", "second line of it", ""];
    await claude.turn("Write", () => claude.write("a.txt", lines.join("\n")));
    const id = await shop.commitAll("A");
    await shop.run("reset", "-q", "HEAD~1");
    shop.write("a.txt", "first line of it\n");
    await shop.run("add", "a.txt");
    shop.write("a.txt", lines.join("\n"));
    expect(await shop.commitStaged("A, in part")).toBe(id);
    expect(await shop.commitAll("A, the rest")).toBe(id);
  });

  it("keeps the links of all commits that became one", async () => {
    const { shop, claude, id } = await withWork();
    shop.write("mine.ts", "export const mine = 1;\n");
    await shop.commitAll("Mine");
    await claude.start();
    await claude.turn("More", () => claude.write("c.ts", "export const c = 1;\n"));
    const second = await shop.commitAll("Add c");
    shop.write("mine.ts", "export const mine = 2;\n");
    await shop.commitAll("Mine again");
    await shop.run("reset", "-q", "--soft", "HEAD~4");
    await shop.run("commit", "-q", "-m", "All of it");
    expect(new Set(shop.idsAt())).toEqual(new Set([id, second]));
  });

  it("by the agent itself stays one checkpoint", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Commit");
    await claude.write("a.ts", A);
    await claude.bash("git add -A && git commit -q -m A");
    const id = shop.idAt();
    await claude.bash("git reset -q --soft HEAD~1 && git commit -q -m Better");
    expect(shop.idsAt()).toEqual([id]);
    await claude.stop();
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "HEAD"));
  });

  it("has none if its work is not in it", async () => {
    const { shop } = await withWork();
    await shop.run("reset", "-q", "--hard", "HEAD~1");
    shop.write("mine.ts", "export const mine = 1;\n");
    expect(await shop.commitAll("Mine")).toBeUndefined();
    await expect(behind(shop)).rejects.toThrow(/No agent's work/);
  });

  it("has its link also if the daemon was started anew in between", async () => {
    const { shop, id } = await withWork();
    await shop.restart();
    await shop.run("reset", "-q", "--soft", "HEAD~1");
    expect(await shop.commitStaged("Again")).toBe(id);
  });
});

describe("an agent's work from another branch", () => {
  it.each([["checkout"], ["restore"], ["cherry-pick -n"]])("brings its link by %s", async (how) => {
    const { shop, id } = await withWork();
    await shop.run("branch", "work");
    await shop.run("reset", "-q", "--hard", "HEAD~1");
    shop.write("mine.ts", "export const mine = 1;\n");
    expect(await shop.commitAll("Mine")).toBeUndefined();
    if (how === "checkout") await shop.run("checkout", "-q", "work", "--", "a.ts");
    else if (how === "restore")
      await shop.run("restore", "--source=work", "--staged", "--worktree", "a.ts");
    else await shop.run("cherry-pick", "-n", "work");
    expect(await shop.commitStaged("From there")).toBe(id);
    // The commit it was made for is still there.
    const { metadata } = await shop.checkpoint(id);
    expect(metadata.commit_sha).toBe(shop.git("rev-parse", "work"));
  });

  it("is not what merely has lines in common", async () => {
    const { shop } = await withWork();
    await shop.run("checkout", "-q", "-b", "side", "HEAD~1");
    shop.write("a.ts", `${A}export const other = 2;\n`);
    expect(await shop.commitAll("Written here")).toBeUndefined();
  });
});

describe("a revert", () => {
  it.each([["at once"], ["-n"]])("by a person is not the agent's work, %s", async (how) => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("One", () => claude.write("a.ts", A));
    await shop.commitAll("One");
    await claude.turn("Two", () => claude.write("a.ts", B));
    await shop.commitAll("Two");
    // Something waits, so that the hook is at work.
    await claude.turn("Three", () => claude.write("c.ts", "export const c = 1;\n"));
    if (how === "-n") {
      await shop.run("revert", "-n", "HEAD");
      await shop.run("commit", "-q", "-m", "Back to one");
    } else await shop.run("revert", "--no-edit", "HEAD");
    expect(shop.git("show", "HEAD:a.ts")).toBe(A.trim());
    expect(shop.idsAt()).toEqual([]);
    expect(shop.git("for-each-ref", "--format=%(objectname)", "refs/seam/checkpoints/v1")).toBe(
      shop.git("log", "-1", "--format=%H", "--grep=^Checkpoint: ", "refs/seam/checkpoints/v1"),
    );
    expect(shop.git("rev-list", "--count", "refs/seam/checkpoints/v1")).toBe("2");
  });

  it.each([["at once"], ["-n"]])("by an agent is its work, %s", async (how) => {
    const { shop, claude, id } = await withWork();
    await claude.start();
    await claude.prompt("Take it back");
    await claude.bash(
      how === "-n" ? "git revert -n HEAD && git commit -q -m Back" : "git revert --no-edit HEAD",
    );
    const [own] = shop.idsAt();
    expect(own).toBeDefined();
    expect(own).not.toBe(id);
    await claude.stop();
    expect((await shop.checkpoint(own)).metadata.files_touched).toEqual(["a.ts", "b.ts"]);
  });
});

describe("a person's commit after an agent's", () => {
  it("costs no word to the daemon as long as nothing was taken back", async () => {
    const { shop } = await withWork();
    for (const number of [1, 2]) {
      shop.write("mine.ts", `export const mine = ${number};\n`);
      expect(await ringsFor(shop, () => shop.commitAll("Mine"))).toBe(false);
    }
    await shop.run("checkout", "-q", "-b", "side");
    shop.write("mine.ts", "export const mine = 3;\n");
    expect(await ringsFor(shop, () => shop.commitAll("On another branch"))).toBe(true);
    shop.write("mine.ts", "export const mine = 4;\n");
    expect(await ringsFor(shop, () => shop.commitAll("Still there"))).toBe(false);
  });

  it("costs none any more when all that was taken back is there again", async () => {
    const { shop } = await withWork();
    await shop.run("reset", "-q", "--soft", "HEAD~1");
    expect(await ringsFor(shop, () => shop.commitStaged("Again"))).toBe(true);
    shop.write("mine.ts", "export const mine = 1;\n");
    await shop.commitAll("Mine");
    shop.write("mine.ts", "export const mine = 2;\n");
    expect(await ringsFor(shop, () => shop.commitAll("Mine"))).toBe(false);
  });

  it("is looked at for a week at most", async () => {
    const { shop } = await withWork();
    const path = join(shop.root, ".git/seam/recent");
    const eightDays = 8 * 24 * 60 * 60;
    const older = (at: string) => String(Number(at) - eightDays);
    writeFileSync(path, readFileSync(path, "utf8").replace(/\d{10}$/gm, older));
    await shop.run("reset", "-q", "--hard", "HEAD~1");
    shop.write("mine.ts", "export const mine = 1;\n");
    await shop.commitAll("Mine");
    expect(existsSync(path)).toBe(false);
  });

  it.each(["", "garbage\n", "\0\0\0", `${"f".repeat(40)} nothing 99999999999\n`])(
    "goes through whatever is in the list: %j",
    async (text) => {
      const { shop } = await withWork();
      writeFileSync(join(shop.root, ".git/seam/recent"), text);
      await shop.run("reset", "-q", "--soft", "HEAD~1");
      await shop.run("commit", "-q", "-m", "Again");
      expect(shop.git("log", "-1", "--format=%s")).toBe("Again");
      expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
    },
  );
});

describe("an agent's work that was stashed", () => {
  it("is linked when it is committed after all", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", A));
    await shop.run("stash", "-q", "--include-untracked");
    // The next turn finds the work tree without it.
    await claude.turn("Look", () => {});
    await claude.hook("SessionEnd", { reason: "other" });
    await shop.run("stash", "pop", "-q");
    const id = await shop.commitAll("A");
    expect((await shop.checkpoint(id)).metadata.files_touched).toEqual(["a.ts"]);
  });

  it("is linked also if it had been committed before", async () => {
    const { shop, id } = await withWork();
    await shop.run("reset", "-q", "HEAD~1");
    await shop.run("stash", "-q", "--include-untracked");
    shop.write("mine.ts", "export const mine = 1;\n");
    expect(await shop.commitAll("Mine")).toBeUndefined();
    await shop.run("stash", "pop", "-q");
    expect(await shop.commitAll("A and b")).toBe(id);
  });
});
