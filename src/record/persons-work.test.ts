import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { turns } from "./history/turns.ts";
import { undoneOthers } from "./rewind/others-work.ts";
import { planRewind } from "./rewind/plan.ts";
import { findTarget } from "./rewind/target.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** Longer than the tick of the clock that file systems have. */
const A_WHILE_MS = 60;
const pause = () => sleep(A_WHILE_MS);

const A = "export const a = 1;\n";

async function atWork(): Promise<{ shop: Workshop; claude: FakeClaude }> {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop, { isNow: true }).start();
  await claude.prompt("Work");
  await command(claude, "echo 'made by a command' > made.txt");
  return { shop, claude };
}

async function command(agent: FakeClaude, line: string): Promise<void> {
  await agent.bash(line);
  await pause();
}

/** A person at an editor, while no command of the agent's runs. */
async function byHand(shop: Workshop, path = "mine.txt"): Promise<void> {
  shop.write(path, "written by hand\n");
  await pause();
}

/** A person's commit, until its hook was heard. */
async function commit(shop: Workshop, ...what: string[]): Promise<void> {
  const heard = () => shop.journal.filter(({ hook }) => hook === "post-commit").length;
  const before = heard();
  await shop.run("add", ...what);
  await shop.commitStaged("By a person");
  await shop.until(() => heard() > before);
}

async function told(shop: Workshop) {
  const { store } = await shop.record();
  const [turn] = await turns(store);
  return { files: turn?.files, unclaimed: turn?.unclaimed };
}

async function filesAt(shop: Workshop) {
  const { sessions } = await shop.checkpoint(shop.idAt());
  return sessions.map(({ metadata }) => metadata.files_touched);
}

it("a file that a person writes and commits in the middle of a turn is not the turn's", async () => {
  const { shop, claude } = await atWork();
  await byHand(shop);
  await commit(shop, "mine.txt");
  expect(shop.idsAt()).toEqual([]);
  await claude.write("a.ts", A);
  await claude.stop();
  expect(await told(shop)).toEqual({ files: ["a.ts", "made.txt"], unclaimed: ["mine.txt"] });
  await shop.commitAll("The rest");
  expect(await filesAt(shop)).toEqual([["a.ts", "made.txt"]]);
});

it("a person who commits all in the middle of a turn commits what the agent's commands made as its work", async () => {
  const { shop, claude } = await atWork();
  await claude.write("a.ts", A);
  await byHand(shop);
  await commit(shop, "-A");
  expect(await filesAt(shop)).toEqual([["a.ts", "made.txt"]]);
  await claude.stop();
  expect(await told(shop)).toEqual({ files: ["a.ts", "made.txt"], unclaimed: ["mine.txt"] });
});

it("an agent that commits all there is commits a person's file as that", async () => {
  const { shop, claude } = await atWork();
  await byHand(shop);
  await command(claude, "git add -A; git commit -q -m 'All of it'");
  await claude.stop();
  expect(await filesAt(shop)).toEqual([["made.txt"]]);
  expect(await told(shop)).toEqual({ files: ["made.txt"], unclaimed: ["mine.txt"] });
});

it("a person's file of the turn is not the agent's in a later commit either, and a rewind warns of it", async () => {
  const { shop, claude } = await atWork();
  await byHand(shop);
  await claude.stop();
  const record = await shop.record();
  const [turn] = await turns(record.store);
  const plan = await planRewind(record, await findTarget(record.store, turn?.id ?? "", "start"));
  expect(await undoneOthers(record, plan)).toEqual([{ who: "outside", files: ["mine.txt"] }]);
  await shop.commitAll("All of it");
  expect(await filesAt(shop)).toEqual([["made.txt"]]);
});

it("what a person writes and commits while a command runs is not claimed, until the agent changes it", async () => {
  const { shop, claude } = await atWork();
  await claude.tool("Bash", { command: "npm test" }, async () => {
    await pause();
    await byHand(shop, "mine.txt");
    await byHand(shop, "both.txt");
    await commit(shop, "mine.txt", "both.txt");
  });
  expect(shop.idsAt()).toEqual([]);
  await command(claude, "echo 'and by a command' >> both.txt");
  await claude.stop();
  expect(await told(shop)).toEqual({ files: ["both.txt", "made.txt"], unclaimed: ["mine.txt"] });
});

it("a file that a command of the turn names stays its own when a person changes it after that", async () => {
  const { shop, claude } = await atWork();
  await byHand(shop, "made.txt");
  await command(claude, "true");
  await claude.stop();
  expect(await told(shop)).toEqual({ files: ["made.txt"], unclaimed: undefined });
});

/** An agent at work on files that are committed, two of them in a folder; it has run a command. */
async function amongFiles(line = "echo 'made by a command' > made.txt") {
  const shop = await Workshop.open();
  for (const file of ["keep/a.txt", "keep/b.txt", "c.txt", "d.txt"]) shop.write(file, `${file}\n`);
  await shop.commitAll("Files");
  const claude = await new FakeClaude(shop, { isNow: true }).start();
  await claude.prompt("Work");
  await pause();
  await command(claude, line);
  const remove = async (path: string) => {
    rmSync(join(shop.root, path), { recursive: true });
    await pause();
  };
  return { shop, claude, remove };
}

it("a file that a person deletes after a command of the agent's is not the agent's", async () => {
  const { shop, claude, remove } = await amongFiles();
  await remove("c.txt");
  await remove("keep");
  await claude.stop();
  expect(await told(shop)).toEqual({
    files: ["made.txt"],
    unclaimed: ["c.txt", "keep/a.txt", "keep/b.txt"],
  });
  await shop.commitAll("All of it");
  expect(await filesAt(shop)).toEqual([["made.txt"]]);
});

it("nor is one that the person deletes between two commands, though the second changes the folder", async () => {
  const { shop, claude, remove } = await amongFiles();
  await remove("c.txt");
  await remove("keep/a.txt");
  await command(claude, "echo 'one more' > more.txt; rm -r keep d.???");
  await claude.stop();
  expect(await told(shop)).toEqual({
    files: ["d.txt", "keep/b.txt", "made.txt", "more.txt"],
    unclaimed: ["c.txt", "keep/a.txt"],
  });
});

it("what a command deleted is the agent's, though a person changes the folder after it", async () => {
  const { shop, claude, remove } = await amongFiles("rm ?.txt; rm -r k*");
  await byHand(shop);
  await claude.write("a.ts", A);
  await claude.stop();
  expect(await told(shop)).toEqual({
    files: ["a.ts", "c.txt", "d.txt", "keep/a.txt", "keep/b.txt"],
    unclaimed: ["mine.txt"],
  });
  await remove("mine.txt");
});

it("a file that came back and was deleted by a person is the person's deletion", async () => {
  const { shop, claude, remove } = await amongFiles("rm c.???");
  await command(claude, "git checkout -q .");
  await remove("c.txt");
  await remove("d.txt");
  await claude.stop();
  expect(await told(shop)).toEqual({ files: [], unclaimed: ["c.txt", "d.txt"] });
});
