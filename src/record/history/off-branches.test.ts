import { expect, it } from "vitest";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { latestCheckpoints } from "./checkpoints.ts";
import { offBranches } from "./off-branches.ts";

/** Two commits of an agent, and the ids of their checkpoints. */
async function twoCommits() {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  const commit = async (file: string) => {
    await claude.turn(`Write ${file}`, () => claude.write(file, `${file}\n`));
    return (await shop.commitAll(`Add ${file}`)) ?? "";
  };
  return { shop, ids: [await commit("a.ts"), await commit("b.ts")] as const };
}

async function off(shop: Workshop): Promise<string[]> {
  const { store } = await shop.record();
  return [...(await offBranches(store, await latestCheckpoints(store, 10)))];
}

it("a checkpoint whose commit was reset away is on no branch, until something names the commit", async () => {
  const { shop, ids } = await twoCommits();
  expect(await off(shop)).toEqual([]);
  const lost = shop.git("rev-parse", "HEAD");
  shop.git("reset", "-q", "--hard", "HEAD~1");
  expect(await off(shop)).toEqual([ids[1]]);
  shop.git("tag", "kept", lost);
  expect(await off(shop)).toEqual([]);
});

it("one that another work tree has checked out is not lost", async () => {
  const { shop } = await twoCommits();
  shop.git("worktree", "add", "-q", "--detach", `${shop.home}/tree`, "HEAD");
  shop.git("reset", "-q", "--hard", "HEAD~1");
  expect(await off(shop)).toEqual([]);
});

it("one whose trailer a squashed commit carries on is not lost", async () => {
  const { shop } = await twoCommits();
  shop.git("checkout", "-q", "-b", "side", "HEAD~2");
  await shop.run("merge", "-q", "--squash", "main");
  await shop.run("commit", "-q", "--no-edit");
  shop.git("branch", "-q", "-D", "main");
  expect(await off(shop)).toEqual([]);
});
