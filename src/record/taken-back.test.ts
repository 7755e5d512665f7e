import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** Longer than the tick of the clock that file systems have. */
const pause = () => sleep(60);

const COMMIT = "echo one > one.txt; echo new > old.txt; git add -A; git commit -q -m One";

/** A turn in which an agent commits, and what a person does after its end, before it is recorded. */
async function turnThen(command: string, ...person: readonly (readonly string[])[]) {
  const shop = await Workshop.open();
  shop.write("old.txt", "old\n");
  await shop.commitAll("Before");
  const claude = await new FakeClaude(shop, { isNow: true }).start();
  await claude.prompt("Work");
  await claude.bash(command);
  await pause();
  await shop.away(async () => {
    await claude.stop();
    await pause();
    for (const args of person) await shop.run(...args);
  });
  const { store, states } = await shop.record();
  const [turn] = await turns(store);
  const waiting = states.live().flatMap(({ pending }) => Object.keys(pending.files));
  const { files, unclaimed = [] } = turn ?? {};
  return { shop, end: turn?.end?.commit ?? "", told: { files, unclaimed, waiting } };
}

it("a turn has the files of its commit, though a person resets it before the end of the turn is recorded", async () => {
  const { shop, end, told } = await turnThen(COMMIT, ["reset", "-q", "--hard", "HEAD~1"]);
  expect(told).toEqual({ files: ["old.txt", "one.txt"], unclaimed: [], waiting: [] });
  expect([shop.git("show", `${end}:one.txt`), shop.git("show", `${end}:old.txt`)]).toEqual([
    "one",
    "new",
  ]);
});

it("so it has if the person goes to another branch", async () => {
  const { told } = await turnThen(COMMIT, ["checkout", "-q", "-b", "other", "HEAD~1"]);
  expect(told).toEqual({ files: ["old.txt", "one.txt"], unclaimed: [], waiting: [] });
});

it("what the agent took back itself is not among its files", async () => {
  const { told } = await turnThen(`${COMMIT}; git reset -q --hard HEAD~1`);
  expect(told).toEqual({ files: [], unclaimed: [], waiting: [] });
});

it("a person's own commit, made before the end is recorded, takes nothing back", async () => {
  const own = ["commit", "-q", "--allow-empty", "-m", "Mine"];
  const { told } = await turnThen(`${COMMIT}; echo old > old.txt`, own);
  expect(told.files).toEqual(["one.txt"]);
});
