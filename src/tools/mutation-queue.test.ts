import { appendFile, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withFileMutationQueue } from "./mutation-queue.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-queue-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Adds a number to a file in a way that loses updates when two run at once. */
async function addLine(path: string, line: string, pauseMs: number): Promise<void> {
  const before = await readFile(path, "utf8").catch(() => "");
  await sleep(pauseMs);
  await writeFile(path, `${before}${line}\n`);
}

test("changes to one file run one after the other, in the order they were asked for", async () => {
  const file = join(folder, "a.txt");
  await Promise.all(
    [20, 10, 0].map((pause, index) =>
      withFileMutationQueue(file, () => addLine(file, String(index), pause)),
    ),
  );
  expect(await readFile(file, "utf8")).toBe("0\n1\n2\n");
});

test("a link, a linked folder and a file not yet there all count as the file itself", async () => {
  const file = join(folder, "new.txt");
  const link = join(folder, "link.txt");
  await symlink("new.txt", link);
  await symlink(folder, join(folder, "loop"));
  const paths = [file, link, join(folder, "loop", "new.txt"), join(folder, ".", "new.txt")];
  await Promise.all(
    paths.map((path, index) => withFileMutationQueue(path, () => addLine(file, String(index), 5))),
  );
  expect(await readFile(file, "utf8")).toBe("0\n1\n2\n3\n");
});

test("changes to different files run at the same time", async () => {
  const order: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = withFileMutationQueue(join(folder, "slow"), async () => {
    await held;
    order.push("slow");
  });
  await withFileMutationQueue(join(folder, "fast"), async () => {
    order.push("fast");
  });
  release();
  await slow;
  expect(order).toEqual(["fast", "slow"]);
});

test("a change that fails reports its error and lets the next one run", async () => {
  const file = join(folder, "a.txt");
  const failing = withFileMutationQueue(file, () => Promise.reject(new Error("no luck")));
  const next = withFileMutationQueue(file, () => appendFile(file, "ran"));
  await expect(failing).rejects.toThrow("no luck");
  await next;
  expect(await readFile(file, "utf8")).toBe("ran");
});

test("links that form a loop are an error, not an endless search", async () => {
  await symlink("b", join(folder, "a"));
  await symlink("a", join(folder, "b"));
  await expect(withFileMutationQueue(join(folder, "a"), async () => {})).rejects.toThrow("loop");
});
