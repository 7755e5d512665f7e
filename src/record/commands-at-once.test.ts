import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** Longer than the tick of the clock that file systems have. */
const A_WHILE_MS = 60;
const pause = () => sleep(A_WHILE_MS);

async function two(shop: Workshop): Promise<[FakeClaude, FakeClaude]> {
  const [one, other] = [
    new FakeClaude(shop, { isNow: true }),
    new FakeClaude(shop, { isNow: true }),
  ];
  await one.start();
  await other.start();
  await one.prompt("One");
  await other.prompt("Other");
  await pause();
  return [one, other];
}

/** Runs a command of one agent while one of the other is running. */
async function within(outer: FakeClaude, inner: () => Promise<unknown>): Promise<void> {
  await outer.tool("Bash", { command: "sleep" }, async () => {
    await pause();
    await inner();
    await pause();
  });
  await pause();
}

async function command(agent: FakeClaude, line: string): Promise<void> {
  await agent.bash(line);
  await pause();
}

async function toldOf(shop: Workshop, prompt: string) {
  const { store } = await shop.record();
  const {
    files,
    others = [],
    one_of = [],
  } = (await turns(store)).find((turn) => turn.prompt === prompt) ?? {};
  const short = (list: typeof others) => list.map((each) => [each.session_id, each.files]);
  return { files, others: short(others), one_of: short(one_of) };
}

async function filesAt(shop: Workshop) {
  const { sessions } = await shop.checkpoint(shop.idAt());
  return Object.fromEntries(
    sessions.map(({ metadata: { session_id, files_touched, files_one_of } }) => [
      session_id,
      [files_touched, files_one_of],
    ]),
  );
}

it("what commands of two agents changed one after the other is told apart, and committed as that", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await command(one, "echo 1 > of-one.txt");
  await command(other, "echo 2 > of-other.txt");
  await command(one, "true");
  await one.stop();
  await other.stop();
  expect(await toldOf(shop, "One")).toEqual({
    files: ["of-one.txt"],
    others: [[other.id, ["of-other.txt"]]],
    one_of: [],
  });
  expect(await toldOf(shop, "Other")).toEqual({
    files: ["of-other.txt"],
    others: [[one.id, ["of-one.txt"]]],
    one_of: [],
  });
  await shop.commitAll("Both");
  expect(await filesAt(shop)).toEqual({
    [one.id]: [["of-one.txt"], undefined],
    [other.id]: [["of-other.txt"], undefined],
  });
});

it("what changed while commands of both ran is of one of them, in turns and in the checkpoint", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await within(one, () => other.bash("echo 1 > who.txt"));
  await one.stop();
  await other.stop();
  expect(await toldOf(shop, "One")).toEqual({
    files: [],
    others: [],
    one_of: [[other.id, ["who.txt"]]],
  });
  expect(await toldOf(shop, "Other")).toEqual({
    files: [],
    others: [],
    one_of: [[one.id, ["who.txt"]]],
  });
  await shop.commitAll("Who was it");
  expect(await filesAt(shop)).toEqual({
    [one.id]: [["who.txt"], ["who.txt"]],
    [other.id]: [["who.txt"], ["who.txt"]],
  });
});

it("a file that a tool named is of that agent, though a command of another one was running", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await within(one, () => other.write("named.ts", "export const named = 1;\n"));
  await one.stop();
  expect(await toldOf(shop, "One")).toEqual({
    files: [],
    others: [[other.id, ["named.ts"]]],
    one_of: [],
  });
  await other.stop();
  await shop.commitAll("Named");
  expect(await filesAt(shop)).toEqual({ [other.id]: [["named.ts"], undefined] });
});

it("an agent that commits everything does not get what only a command of another one made", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await command(other, "echo 2 > of-other.txt");
  await command(one, "echo 1 > of-one.txt; git add -A && git commit -q -m All");
  await one.stop();
  await other.stop();
  expect(await filesAt(shop)).toEqual({
    [one.id]: [["of-one.txt"], undefined],
    [other.id]: [["of-other.txt"], undefined],
  });
});

it("who deleted a file is known also to an agent that looks after the other one has seen it gone", async () => {
  const shop = await Workshop.open();
  shop.write("a.txt", "a\n");
  await shop.commitAll("A file");
  const [one, other] = await two(shop);
  await command(one, "ls");
  await command(other, "rm ?.txt; sleep 0.1");
  await command(one, "ls");
  await one.stop();
  await other.stop();
  const told = { files: [], others: [[other.id, ["a.txt"]]], one_of: [] };
  expect(await toldOf(shop, "One")).toEqual(told);
});

it("a file that is gone was deleted by the one who ran a command after it was seen last", async () => {
  const shop = await Workshop.open();
  for (const file of ["a.txt", "b.txt"]) shop.write(file, `${file}\n`);
  await shop.commitAll("Two files");
  const [one, other] = await two(shop);
  await command(one, "ls");
  await command(other, "rm ?.txt");
  await one.stop();
  await other.stop();
  const files = ["a.txt", "b.txt"];
  expect(await toldOf(shop, "One")).toEqual({ files: [], others: [[other.id, files]], one_of: [] });
  await shop.commitAll("Two files less");
  expect(await filesAt(shop)).toEqual({ [other.id]: [files, undefined] });
});

it("a file that went while commands of both ran was deleted by one of them", async () => {
  const shop = await Workshop.open();
  for (const file of ["a.txt", "b.txt"]) shop.write(file, `${file}\n`);
  await shop.commitAll("Two files");
  const [one, other] = await two(shop);
  await within(one, () => other.bash("rm ?.txt"));
  await one.stop();
  await other.stop();
  const files = ["a.txt", "b.txt"];
  expect(await toldOf(shop, "One")).toEqual({ files: [], others: [], one_of: [[other.id, files]] });
  await shop.commitAll("Two files less");
  expect(await filesAt(shop)).toEqual({ [one.id]: [files, files], [other.id]: [files, files] });
});

it("a file that is gone was deleted by the one whose command names it, or its folder", async () => {
  const shop = await Workshop.open();
  for (const file of ["a.txt", "b/b.txt"]) shop.write(file, `${file}\n`);
  await shop.commitAll("Two files");
  const [one, other] = await two(shop);
  await command(one, `rm ${shop.root}/a.txt`);
  await command(other, "rm -r b/");
  await other.stop();
  await one.stop();
  expect(await toldOf(shop, "One")).toEqual({
    files: ["a.txt"],
    others: [[other.id, ["b/b.txt"]]],
    one_of: [],
  });
});

it("a file that an agent deletes and commits is not of another one that ran a command before", async () => {
  const shop = await Workshop.open();
  shop.write("a.txt", "a\n");
  await shop.commitAll("A file");
  const [one, other] = await two(shop);
  await command(one, "ls");
  await command(other, "git rm -q a.txt && git commit -q -m Gone");
  expect(await filesAt(shop)).toEqual({ [other.id]: [["a.txt"], undefined] });
  await one.stop();
  await other.stop();
});

it("a file that was deleted before anybody else ran a command is of the one who did", async () => {
  const shop = await Workshop.open();
  for (const file of ["a/a.txt", "a/stays.txt"]) shop.write(file, `${file}\n`);
  await shop.commitAll("A folder");
  const [one, other] = await two(shop);
  await command(one, "rm a/a.txt");
  await command(other, "ls");
  await command(one, "ls");
  await one.stop();
  await other.stop();
  expect(await toldOf(shop, "One")).toEqual({ files: ["a/a.txt"], others: [], one_of: [] });
  expect(await toldOf(shop, "Other")).toEqual({
    files: [],
    others: [[one.id, ["a/a.txt"]]],
    one_of: [],
  });
  await shop.commitAll("One file less");
  expect(await filesAt(shop)).toEqual({ [one.id]: [["a/a.txt"], undefined] });
});

it.each(["sleep 1 &", "nohup sleep 1"])(
  "after %s nobody can say that only the other one ran something",
  async (line) => {
    const shop = await Workshop.open();
    const [one, other] = await two(shop);
    await one.tool("Bash", { command: line }, () => {});
    await pause();
    await command(other, "echo 2 > of-other.txt");
    await one.stop();
    await other.stop();
    expect(await toldOf(shop, "Other")).toMatchObject({
      files: [],
      one_of: [[one.id, ["of-other.txt"]]],
    });
  },
);
