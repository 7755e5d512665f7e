import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const isMarked = (shop: Workshop) => existsSync(join(shop.root, ".git/seam/pending"));

/** A session that changed a file, deleted one and added two, and is over. */
async function overWith(end: "said" | "died" = "said") {
  const shop = await Workshop.open();
  shop.write("old.ts", "export const old = 1;\n");
  shop.write("gone.ts", "export const gone = 1;\n");
  shop.commit("Two files");
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Work", async () => {
    await claude.write("old.ts", "export const old = 2;\n");
    await claude.write("new.ts", "export const fresh = 1;\n");
    await claude.write("deep/new.ts", "export const deep = 1;\n");
    await claude.remove("gone.ts");
  });
  if (end === "said") await claude.hook("SessionEnd", { reason: "other" });
  else await claude.die();
  return { shop, claude };
}

async function undo(shop: Workshop): Promise<void> {
  await shop.run("checkout", "-q", "--", ".");
  await shop.run("clean", "-qfd");
}

async function ownCommit(shop: Workshop): Promise<string | undefined> {
  shop.write("mine.ts", `export const mine = ${Date.now()};\n`);
  await shop.run("add", "mine.ts");
  const id = await shop.commitStaged("Mine");
  await shop.until(() => !isMarked(shop));
  return id;
}

describe("work of a session that is over and was undone", () => {
  it("is asked for by one more commit, and then by none", async () => {
    const { shop } = await overWith();
    await undo(shop);
    expect(isMarked(shop)).toBe(true);
    expect(await ownCommit(shop)).toBeUndefined();
    expect(isMarked(shop)).toBe(false);
  });

  it.each(["said", "died"] as const)(
    "is found without a commit, also if the agent %s",
    async (end) => {
      const { shop } = await overWith(end);
      await shop.recorder.sweep();
      expect(isMarked(shop)).toBe(true);
      await undo(shop);
      await shop.recorder.sweep();
      expect(isMarked(shop)).toBe(false);
      expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
    },
  );

  it("is found for an agent that died in the middle of it", async () => {
    const { shop } = await overWith("died");
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("More");
    await claude.write("more.ts", "export const more = 1;\n");
    await claude.die();
    await undo(shop);
    await shop.recorder.sweep();
    expect(isMarked(shop)).toBe(false);
  });

  it.each([
    [
      "one file still differs",
      (shop: Workshop) => shop.write("new.ts", "export const other = 1;\n"),
    ],
    ["a deleted file is still gone", (shop: Workshop) => rmSync(join(shop.root, "gone.ts"))],
    [
      "it is still staged",
      (shop: Workshop) => {
        shop.write("new.ts", "export const fresh = 1;\n");
        shop.git("add", "new.ts");
        rmSync(join(shop.root, "new.ts"));
      },
    ],
  ])("goes on waiting if %s", async (_, change) => {
    const { shop } = await overWith();
    await undo(shop);
    change(shop);
    await shop.recorder.sweep();
    expect(isMarked(shop)).toBe(true);
  });

  it("goes on waiting in a stash, and no longer when that was dropped", async () => {
    const { shop } = await overWith();
    await shop.run("stash", "-q", "--include-untracked");
    await shop.recorder.sweep();
    expect(isMarked(shop)).toBe(true);
    await shop.run("stash", "drop", "-q");
    await shop.recorder.sweep();
    expect(isMarked(shop)).toBe(false);
  });

  it("is gone with its work tree", async () => {
    const shop = await Workshop.open();
    const there = join(shop.home, "there");
    await shop.run("worktree", "add", "-q", there);
    const claude = await new FakeClaude(shop, { cwd: there }).start();
    await claude.turn("Work", () => claude.write("a.ts", "export const a = 1;\n"));
    await claude.hook("SessionEnd", { reason: "other" });
    expect(isMarked(shop)).toBe(true);
    await shop.run("worktree", "remove", "--force", there);
    await shop.recorder.sweep();
    expect(isMarked(shop)).toBe(false);
  });

  it("is asked for no longer if the file of its session was deleted", async () => {
    const { shop } = await overWith();
    await shop.restart();
    rmSync(join(shop.root, ".git/seam/sessions"), { recursive: true });
    expect(await ownCommit(shop)).toBeUndefined();
    expect(isMarked(shop)).toBe(false);
  });
});
