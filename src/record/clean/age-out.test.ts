import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { turns } from "../history/turns.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { Workshop } from "../test-kit/workshop.ts";

/** A session of months ago that is over, and one of the same day with a file in no commit. */
async function longAgo(days: number) {
  const shop = await Workshop.open({ keepDays: () => days });
  const over = await new FakeClaude(shop).start();
  await over.turn("Write a", () => over.write("a.ts", "1\n"));
  const id = await shop.commitAll("a");
  await over.hook("SessionEnd", { reason: "exit" });
  const waits = await new FakeClaude(shop).start();
  await waits.turn("Write b", () => waits.write("b.ts", "1\n"));
  await waits.hook("SessionEnd", { reason: "exit" });
  const isThere = ({ id: session }: FakeClaude) =>
    existsSync(join(shop.root, `.git/seam/sessions/claude-code/${session}.json`));
  const thinned = async ({ id: session }: FakeClaude) =>
    (await turns((await shop.record()).store, { session })).map(
      ({ end }) => end?.record.thinned === true,
    );
  return { shop, over, waits, id, isThere, thinned };
}

it("what is older than the user wants is removed, and what happened stays", async () => {
  const { shop, over, waits, id, isThere, thinned } = await longAgo(90);
  expect(await thinned(over)).toEqual([false]);
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(false);
  expect(await thinned(over)).toEqual([true]);
  const [turn] = await turns((await shop.record()).store, { session: over.id });
  expect(turn?.prompt).toBe("Write a");
  expect((await shop.checkpoint(id)).sessions).toHaveLength(1);
  expect(isThere(waits)).toBe(true);
  expect(await thinned(waits)).toEqual([false]);
});

it("that is looked at once a day", async () => {
  const { shop, over, isThere } = await longAgo(90);
  const marker = shop.write(".git/seam/aged", "");
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(true);
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  utimesSync(marker, yesterday, yesterday);
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(false);
});

it.each([0, 36_500])("with %i days nothing of it is removed", async (days) => {
  const { shop, over, isThere, thinned } = await longAgo(days);
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(true);
  expect(await thinned(over)).toEqual([false]);
});
