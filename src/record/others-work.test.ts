import { expect, it } from "vitest";
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

it("what an agent made with a command alone is its own when it commits that", async () => {
  const shop = await Workshop.open();
  const [one, other] = await two(shop);
  await one.prompt("Look around");
  await other.turn("Commit it all", () => other.bash(`echo 'made it' > made.txt; ${COMMIT}`));
  await one.stop();
  expect(await filesAt(shop)).toEqual({ [other.id]: ["made.txt"] });
});
