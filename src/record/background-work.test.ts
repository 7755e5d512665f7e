import { expect, it } from "vitest";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const A = "export const a = 1;\n";

/** A turn that is answered while its children go on. */
async function answered(): Promise<{ shop: Workshop; claude: FakeClaude }> {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Do it in the background", () => {});
  return { shop, claude };
}

async function told(shop: Workshop) {
  const { store } = await shop.record();
  return (await turns(store)).map(({ prompt, files }) => ({ prompt, files }));
}

it("what children write after the answer is the turn's, as often as one of them ends [claude-works-after-stop]", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("one.ts", A));
  await claude.inChild("two", () => claude.bash("echo two > two.txt"));
  await claude.childStops("one");
  await claude.inChild("two", () => claude.write("two.ts", A));
  await claude.childStops("two");
  const files = ["one.ts", "two.ts", "two.txt"];
  expect(await told(shop)).toEqual([{ prompt: "Do it in the background", files }]);
  const id = (await shop.commitAll("By a person")) ?? "";
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata).toMatchObject({
    files_touched: files,
    session_metrics: { turn_count: 1 },
    // One answer; three calls and two answers of children.
    token_usage: { api_call_count: 1, subagent_tokens: { api_call_count: 5 } },
  });
});

it("the end of a task is no prompt: its turn goes on", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("one.ts", A));
  await claude.childStops("one");
  await claude.notify("one");
  await claude.write("after.ts", A);
  await claude.stop();
  const files = ["after.ts", "one.ts"];
  expect(await told(shop)).toEqual([{ prompt: "Do it in the background", files }]);
  const id = (await shop.commitAll("By a person")) ?? "";
  expect(shop.file(id, "0/prompt.txt")).toBe("Do it in the background");
});

it("a task that a shell did in the background is of the turn that began it", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Build it", () => claude.bash("true"));
  shop.write("built.txt", "built\n");
  await claude.notify("shell");
  await claude.stop();
  expect(await told(shop)).toEqual([{ prompt: "Build it", files: ["built.txt"] }]);
});

it("a child that outlives the next prompt works for that one", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("early.ts", A));
  await claude.turn("Something else", () => claude.inChild("one", () => claude.write("mid.ts", A)));
  await claude.inChild("one", () => claude.write("late.ts", A));
  await claude.childStops("one");
  expect(await told(shop)).toEqual([
    { prompt: "Something else", files: ["late.ts", "mid.ts"] },
    { prompt: "Do it in the background", files: ["early.ts"] },
  ]);
  const id = (await shop.commitAll("All of it")) ?? "";
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata.files_touched).toEqual(["early.ts", "late.ts", "mid.ts"]);
});

it("a child makes commits of its own, which have its session", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () =>
    claude.bash("echo 'a line of it' > a.txt && git add . && git commit -q -m 'By a child'"),
  );
  const id = shop.idAt() ?? "";
  await claude.childStops("one");
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata).toMatchObject({ session_id: claude.id, files_touched: ["a.txt"] });
  expect(sessions[0]?.metadata.finalized_at).toBeDefined();
});

it("what comes after a commit of what was there is in the next one, with the same prompt", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("early.ts", A));
  await claude.childStops("one");
  await shop.commitAll("Early");
  await claude.inChild("two", () => claude.write("late.ts", A));
  await claude.childStops("two");
  const id = (await shop.commitAll("Late")) ?? "";
  expect(shop.file(id, "0/prompt.txt")).toBe("Do it in the background");
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata.files_touched).toEqual(["late.ts"]);
});

it.each([
  [
    "is killed",
    async (shop: Workshop, claude: FakeClaude) => {
      await claude.die();
      await shop.recorder.sweep();
    },
  ],
  ["ends", (_: Workshop, claude: FakeClaude) => claude.hook("SessionEnd", { reason: "clear" })],
  [
    "is followed by a restart of the recorder",
    async (shop: Workshop, claude: FakeClaude) => {
      await shop.restart();
      await claude.childStops("one");
    },
  ],
])("what a child did until its agent %s is kept", async (_, happen) => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.bash("echo 'a line of it' > a.txt"));
  await happen(shop, claude);
  expect(await told(shop)).toEqual([{ prompt: "Do it in the background", files: ["a.txt"] }]);
  const { sessions } = await shop.checkpoint(await shop.commitAll("Late"));
  expect(sessions[0]?.metadata.files_touched).toEqual(["a.txt"]);
});

it("what a person writes when nothing is under way is not the agent's", async () => {
  const { shop, claude } = await answered();
  await claude.childStops("one");
  shop.write("mine.txt", "a line of mine\n");
  await claude.turn("Next", () => claude.write("its.ts", A));
  expect((await told(shop)).map(({ files }) => files)).toEqual([["its.ts"], []]);
});
