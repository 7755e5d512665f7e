import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run, tempDir, write } from "../../git/test-kit/index.ts";
import { smallDisk } from "../../git/test-kit/small-disk.ts";
import { saveWork } from "./save-work.ts";
import { branchOf, crewRepository, poolFor } from "./test-kit.ts";

const read = (path: string, name: string) => readFileSync(join(path, name), "utf8");

it("saves and gives back the slots of tasks that nobody wants, and leaves the others", async () => {
  const { root, home, take } = crewRepository();
  const [wanted, left] = [await take("wanted"), await take("left")];
  write(wanted.path, { a: "2\n" });
  write(left.path, { a: "3\n" });
  const { pool, take: takeAgain } = poolFor({ repository: root, home });
  const done = await pool.reconcile((_, task) => task === "wanted");
  expect(done).toMatchObject([{ task: "left", slot: left.slot, saved: { changed: ["a"] } }]);
  expect(run(root, "show", `${branchOf("left")}:a`)).toBe("3");
  expect(read(wanted.path, "a")).toBe("2\n");
  expect((await takeAgain("next")).path).toBe(left.path);
});

it("frees a slot whose preparation was broken off, and keeps what was set aside", async () => {
  const { home, take, pool, base } = crewRepository();
  const { slot, path } = await take("one");
  const file = join(home, `crew/slots/${slot}.json`);
  const row = JSON.parse(read(file, ""));
  writeFileSync(file, JSON.stringify({ ...row, taken: { ...row.taken, isReady: false } }));
  expect(await pool.reconcile(() => true)).toEqual([{ slot, run: "r", task: "one" }]);
  expect(await take("two")).toMatchObject({ path, base });
});

it("makes a slot anew that nothing is known of any more, beside what was in it", async () => {
  const { home, take, pool, root } = crewRepository();
  const first = await take("one");
  write(first.path, { a: "not saved\n" });
  writeFileSync(join(home, `crew/slots/${first.slot}.json`), "rubbish");
  await pool.reconcile(() => false);
  const second = await take("two");
  expect(second.path).toBe(first.path);
  expect(second.notes).toEqual([expect.stringContaining(`${first.path}.found-1`)]);
  expect(read(`${first.path}.found-1`, "a")).toBe("not saved\n");
  expect(run(`${first.path}.found-1`, "status", "--porcelain")).toBe(" M a");
  rmSync(join(home, "crew"), { recursive: true });
  const third = await poolFor({ repository: root, home }).take("three");
  expect(third.path).toBe(first.path);
  expect(existsSync(`${first.path}.found-2`)).toBe(true);
});

it("loses nothing on a full disk, and goes on when there is room", async ({ skip }) => {
  const disk = smallDisk("size=3m");
  if (disk === undefined) return skip();
  const { root, home, base } = crewRepository({ a: "1\n", big: "x".repeat(200_000) });
  const { pool, take } = poolFor({ repository: root, home, folder: disk });
  const one = await take("one");
  write(one.path, { a: "2\n" });
  const filler = join(disk, "filler");
  writeFileSync(filler, "");
  try {
    writeFileSync(filler, Buffer.alloc(8 << 20));
  } catch {
    // That is what a full disk says.
  }
  expect(statSync(filler).size).toBeGreaterThan(0);
  await expect(take("two")).rejects.toMatchObject({ code: expect.stringMatching(/^SEAM_|ENOSPC/) });
  // The repository is on another disk: the work can be saved.
  expect((await saveWork(one, "work")).changed).toEqual(["a"]);
  rmSync(filler);
  expect(await pool.reconcile(() => true)).toEqual([]);
  const two = await take("two");
  expect([run(two.path, "status", "--porcelain"), two.base]).toEqual(["", base]);
  expect(
    readdirSync(join(home, "crew/slots")).filter((name) => name.endsWith(".json")),
  ).toHaveLength(2);
});

it("says that a repository on a full disk cannot take the work, which stays in the workspace", async ({
  skip,
}) => {
  const disk = smallDisk("size=2m");
  if (disk === undefined) return skip();
  const root = join(disk, "project");
  run(tempDir(), "init", "-q", "-b", "main", root);
  write(root, { a: "1\n" });
  run(root, "add", ".");
  run(root, "-c", "user.name=x", "-c", "user.email=y", "commit", "-qm", "1");
  const { take } = poolFor({ repository: root, home: join(tempDir(), ".seam") });
  const one = await take("one");
  write(one.path, { a: "2\n", random: run(root, "rev-parse", "HEAD").repeat(100_000) });
  const filler = join(disk, "filler");
  try {
    writeFileSync(filler, Buffer.alloc(8 << 20));
  } catch {
    // That is what a full disk says.
  }
  await expect(saveWork(one, "work")).rejects.toMatchObject({
    code: expect.stringMatching(/^SEAM_/),
  });
  expect(read(one.path, "a")).toBe("2\n");
  rmSync(filler);
  expect((await saveWork(one, "work")).changed).toEqual(["a", "random"]);
});
