import { expect, it } from "vitest";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const COMMIT = "git add -A && git commit -q -m 'All of it'";

/** The files of each session in the checkpoint of HEAD. */
async function filesAt(shop: Workshop): Promise<Record<string, readonly string[]>> {
  const { sessions } = await shop.checkpoint(shop.idAt());
  return Object.fromEntries(
    sessions.map(({ metadata }) => [metadata.session_id, metadata.files_touched]),
  );
}

async function two(shop: Workshop): Promise<[FakeClaude, FakeClaude]> {
  return [await new FakeClaude(shop).start(), await new FakeClaude(shop).start()];
}

it("the work of an agent that another agent commits is in the checkpoint, with its prompt and tokens", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await one.turn("Write the tests", () => one.write("a.test.ts", "it works\n"));
  await other.turn("Commit it all", async () => {
    await other.write("b.ts", "export const b = 1;\n");
    await other.bash(COMMIT);
  });
  expect(await filesAt(shop)).toEqual({ [other.id]: ["b.ts"], [one.id]: ["a.test.ts"] });
  const { id, metadata, sessions } = await shop.checkpoint(shop.idAt());
  expect(metadata.files_touched).toEqual(["a.test.ts", "b.ts"]);
  expect(shop.file(id, "0/prompt.txt")).toBe("Commit it all");
  expect(shop.file(id, "1/prompt.txt")).toBe("Write the tests");
  expect(sessions.map((each) => each.metadata.token_usage?.api_call_count)).toEqual([3, 2]);
  const { states } = await shop.record();
  expect(states.live().flatMap(({ pending }) => Object.keys(pending.files))).toEqual([]);
});

it("a file that an agent names while another one commits everything is not that one's", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await one.prompt("Write a");
  await other.turn("Commit it all", async () => {
    await one.write("a.ts", "export const a = 1;\n");
    await other.bash(`echo 'made by a command' > made.txt; ${COMMIT}`);
  });
  await one.stop();
  expect(await filesAt(shop)).toEqual({ [other.id]: ["made.txt"], [one.id]: ["a.ts"] });
});

it("a file of one agent that another one changed and commits is the work of both", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await one.turn("Write a", () => one.write("a.ts", "export const first = 1;\n"));
  await other.turn("Go on", () => other.bash(`echo 'export const second = 2;' >> a.ts; ${COMMIT}`));
  expect(await filesAt(shop)).toEqual({ [other.id]: ["a.ts"], [one.id]: ["a.ts"] });
});

it("a file of an agent whose turn ends while another one commits it stays with its session", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await one.prompt("Write a");
  await one.write("a.ts", "export const a = 1;\n");
  await other.prompt("Commit it all");
  await other.write("b.ts", "export const b = 1;\n");
  // Git has asked for the message, the commit is there, and nobody has heard of it yet.
  await shop.holding("post-commit", async () => {
    await other.tool("Bash", { command: COMMIT }, () => other.runOnly(COMMIT));
    await one.stop();
    await one.hook("SessionEnd", { reason: "other" });
  });
  await other.stop();
  expect(await filesAt(shop)).toEqual({ [other.id]: ["b.ts"], [one.id]: ["a.ts"] });
});

it("what an agent made with a command alone is its own when it commits that", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await one.prompt("Look around");
  await other.turn("Commit it all", () => other.bash(`echo 'made it' > made.txt; ${COMMIT}`));
  await one.stop();
  expect(await filesAt(shop)).toEqual({ [other.id]: ["made.txt"] });
});

it("a turn has its own files, and says which ones others changed in the meantime", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  const [ends] = await two(shop);
  await one.turn("Before", () => one.write("before.ts", "export const before = 1;\n"));
  await other.prompt("Write b");
  await ends.turn("Write c", () => ends.bash("true").then(() => ends.write("c.ts", "c\n")));
  await ends.run("git add c.ts && git commit -q -m C");
  await ends.hook("SessionEnd", { reason: "other" });
  await one.turn("Write a", async () => {
    await one.write("a.ts", "export const a = 1;\n");
    await other.write("b.ts", "export const b = 1;\n");
    await one.bash("echo 'made by a command' > made.txt");
  });
  await other.bash("echo 'made by the other one' >> before.ts");
  await other.stop();
  const { store } = await shop.record();
  const told = await turns(store);
  const about = (prompt: string) => {
    const { files, others = [] } = told.find((turn) => turn.prompt === prompt) ?? {};
    return { files, others: others.map(({ session_id, files: theirs }) => [session_id, theirs]) };
  };
  expect(about("Write a")).toEqual({ files: ["a.ts", "made.txt"], others: [[other.id, ["b.ts"]]] });
  // What a command made may be of both; what was there before is of who changed it since.
  expect(about("Write b")).toEqual({
    files: ["b.ts", "before.ts", "made.txt"],
    others: [
      [one.id, ["a.ts"]],
      // It has ended, and all of its work is committed.
      [ends.id, ["c.ts"]],
    ],
  });
  expect(about("Before").others).toEqual([]);
});
