import { describe, expect, it } from "vitest";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const STOP = "GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/'";

/** A repository with two commits of a person that cannot be picked upon each other. */
async function withConflict() {
  const shop = await Workshop.open();
  shop.write("a.ts", "export const a = 0;\n");
  shop.commit("Zero");
  shop.git("checkout", "-q", "-b", "side");
  shop.write("a.ts", "export const a = 1; // side\n");
  shop.commit("Side");
  shop.git("checkout", "-q", "main");
  shop.write("a.ts", "export const a = 2; // main\n");
  shop.commit("Main");
  const claude = await new FakeClaude(shop).start();
  return { shop, claude };
}

async function stopAtHead(shop: Workshop): Promise<void> {
  await shop.runIn(shop.root, "sh", "-c", `${STOP} git rebase -q -i HEAD~1`);
}

/** What a checkpoint says: its commit, and its files. */
async function told(shop: Workshop, id: string | undefined) {
  const { metadata } = await shop.checkpoint(id);
  return [metadata.commit_sha, ...metadata.files_touched];
}

describe("where a rebase stopped", () => {
  it("an agent's commit gets its trailer, and keeps it", async () => {
    const shop = await Workshop.open();
    shop.write("mine.ts", "export const mine = 1;\n");
    shop.commit("Mine");
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Split it");
    await claude.bash(`${STOP} git rebase -q -i HEAD~1`);
    await claude.write("a.ts", "export const a = 1;\n");
    await claude.bash("git add -A && git commit -q -m A && git rebase --continue");
    await claude.stop();
    expect(await told(shop, shop.idAt())).toEqual([shop.git("rev-parse", "HEAD"), "a.ts"]);
    expect(shop.idsAt("HEAD~1")).toEqual([]);
  });

  it("a person's commit upon an agent's leaves that one its checkpoint", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    const first = await shop.commitAll("A");
    const commit = shop.git("rev-parse", "HEAD");
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    await shop.run("stash", "-q", "-u");
    await stopAtHead(shop);
    await shop.run("stash", "pop", "-q");
    const second = await shop.commitAll("B");
    await shop.run("rebase", "--continue");
    expect(await told(shop, first)).toEqual([commit, "a.ts"]);
    expect(await told(shop, second)).toEqual([shop.git("rev-parse", "HEAD"), "b.ts"]);
    await shop.run("commit", "-q", "--amend", "-m", "Also followed");
    expect(await told(shop, second)).toEqual([shop.git("rev-parse", "HEAD"), "b.ts"]);
  });

  it("an amend with more of an agent's work tells of both", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    const first = await shop.commitAll("A");
    await stopAtHead(shop);
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "--amend", "--no-edit");
    await shop.run("rebase", "--continue");
    const [one, second] = shop.idsAt();
    expect(one).toBe(first);
    expect(await told(shop, second)).toEqual([shop.git("rev-parse", "HEAD"), "b.ts"]);
  });

  it("a conflict that an agent solved is its work", async () => {
    const { shop, claude } = await withConflict();
    await claude.prompt("Rebase");
    await claude.bash("git checkout -q side; git rebase -q main");
    await claude.write("a.ts", "export const a = 3; // both\n");
    await claude.bash("git add -A && GIT_EDITOR=true git rebase --continue");
    await claude.stop();
    expect(await told(shop, shop.idAt())).toEqual([shop.git("rev-parse", "HEAD"), "a.ts"]);
  });

  it("what is merely brought along is nobody's, whoever goes on", async () => {
    const { shop, claude } = await withConflict();
    shop.git("checkout", "-q", "side");
    shop.write("b.ts", "export const b = 1;\n");
    shop.commit("By hand");
    await claude.prompt("Rebase");
    await claude.bash("git rebase -q main");
    await claude.write("a.ts", "export const a = 3; // both\n");
    await claude.bash("git add -A && GIT_EDITOR=true git rebase --continue");
    await claude.bash(
      "GIT_EDITOR=true GIT_SEQUENCE_EDITOR='sed -i 1s/pick/reword/' git rebase -q -i HEAD~1",
    );
    await claude.stop();
    expect(shop.git("log", "-1", "--format=%B")).toBe("By hand");
    expect(shop.idsAt("HEAD~1")).toHaveLength(1);
  });
});

describe("where a cherry-pick stopped", () => {
  it.each(["git -c core.editor=true cherry-pick --continue", "git commit -q --no-edit"])(
    "a conflict that an agent solved is its work, with %s",
    async (goOn) => {
      const { shop, claude } = await withConflict();
      await claude.prompt("Pick");
      await claude.bash("git cherry-pick side");
      await claude.write("a.ts", "export const a = 3; // both\n");
      await claude.bash(`git add -A && ${goOn}`);
      await claude.stop();
      expect(await told(shop, shop.idAt())).toEqual([shop.git("rev-parse", "HEAD"), "a.ts"]);
    },
  );

  it("a conflict that a person solved is not an agent's", async () => {
    const { shop, claude } = await withConflict();
    await claude.turn("Write", () => claude.write("b.ts", "export const b = 1;\n"));
    await shop.run("cherry-pick", "side").catch(() => {});
    shop.write("a.ts", "export const a = 3; // both\n");
    await shop.run("add", "a.ts");
    await shop.run("cherry-pick", "--continue");
    expect(shop.git("log", "-1", "--format=%s")).toBe("Side");
    expect(shop.idsAt()).toEqual([]);
  });

  it("a trailer that came along stays the only one", async () => {
    const { shop, claude } = await withConflict();
    shop.git("checkout", "-q", "side");
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1; // agent\n"));
    const id = await shop.commitAll("Its");
    shop.git("checkout", "-q", "main");
    await shop.run("cherry-pick", "side").catch(() => {});
    shop.write("a.ts", "export const a = 1; // agent\nexport const both = 2;\n");
    await shop.run("add", "a.ts");
    await shop.run("cherry-pick", "--continue");
    expect(shop.idsAt()).toEqual([id]);
  });
});

it("a merge that is gone on with gets its trailer", async () => {
  const { shop, claude } = await withConflict();
  await claude.prompt("Merge");
  await claude.bash("git merge -q side");
  await claude.write("a.ts", "export const a = 3; // both\n");
  await claude.bash("git add -A && GIT_EDITOR=true git merge --continue");
  await claude.stop();
  expect(await told(shop, shop.idAt())).toEqual([shop.git("rev-parse", "HEAD"), "a.ts"]);
});
