import { expect, it } from "vitest";
import { CoalescedSync } from "./coalesced-sync.ts";

/** A disk that takes until it is told, and how often it was asked. */
function slowDisk() {
  const asked: { done: () => void; fail: (error: Error) => void }[] = [];
  const sync = new CoalescedSync(
    () =>
      new Promise((resolve, reject) => {
        asked.push({ done: resolve, fail: reject });
      }),
  );
  return { asked, sync };
}

it("what is written while the disk is busy is put on it together", async () => {
  const { asked, sync } = slowDisk();
  for (let at = 0; at < 50; at++) sync.wrote();
  let isSettled = false;
  const settled = sync.settled().then(() => {
    isSettled = true;
  });
  expect(asked).toHaveLength(1);
  sync.wrote();
  asked[0]?.done();
  await expect.poll(() => asked.length).toBe(2);
  // The last write came after the first sync had begun: that one does not count for it.
  expect(isSettled).toBe(false);
  asked[1]?.done();
  await settled;
  expect(asked).toHaveLength(2);
});

it("nobody waits where nothing was written", async () => {
  const { asked, sync } = slowDisk();
  await sync.settled();
  expect(asked).toEqual([]);
});

it("a disk that fails is told to who waits, and asked again", async () => {
  const { asked, sync } = slowDisk();
  sync.wrote();
  const settled = sync.settled();
  asked[0]?.fail(new Error("no space"));
  await expect(settled).rejects.toThrow("no space");
  const again = sync.settled();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.done();
  await again;
});
