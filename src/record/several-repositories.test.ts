import { expect, it } from "vitest";
import { openRepo } from "../git/index.ts";
import { installGitHooks } from "./git-hooks/install.ts";
import { enableRecord } from "./seam-dir.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Project } from "./test-kit/project.ts";
import { KEEPS_ALL, Workshop } from "./test-kit/workshop.ts";

it("a repository with much to record does not keep another one's commits waiting", async () => {
  const large = new Project();
  let begun = false;
  let goOn = () => {};
  const scanned = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow = async <T>(work: Promise<T>): Promise<T> => {
    begun = true;
    await scanned;
    return work;
  };
  const slowly = {
    redact: (bytes: Buffer) => slow(KEEPS_ALL.redact(bytes)),
    document: (bytes: Buffer) => slow(KEEPS_ALL.document(bytes)),
    text: (text: string) => slow(KEEPS_ALL.text(text)),
  };
  const shop = await Workshop.open({
    redactor: (folder) => (folder === large.root ? slowly : KEEPS_ALL),
  });
  const repo = await openRepo(large.root);
  if (!repo) throw new Error("There is no repository.");
  enableRecord(repo);
  await installGitHooks(repo);

  const there = new FakeClaude(shop, { cwd: large.root, process: false });
  let isOver = false;
  const turn = (async () => {
    await there.start();
    await there.turn("A long one", () => there.write("b.ts", "export const b = 1;\n"));
    isOver = true;
  })();
  await shop.until(() => begun);
  const here = await new FakeClaude(shop).start();
  await here.turn("Write it", () => here.write("a.ts", "export const a = 1;\n"));
  expect(await shop.commitAll("Add a")).toBeDefined();
  expect([begun, isOver]).toEqual([true, false]);

  goOn();
  await turn;
  expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
});
