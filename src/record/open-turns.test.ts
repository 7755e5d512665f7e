import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { conversation } from "./history/conversation.ts";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { KEEPS_ALL, Workshop } from "./test-kit/workshop.ts";

const stateOf = async (shop: Workshop, { id }: FakeClaude) =>
  (await shop.record()).states.get("claude-code", id);

/** A command that is told before it runs, and never after: somebody ended it. */
async function unfinished(claude: FakeClaude, command: string): Promise<void> {
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_unfinished" };
  claude.say([{ type: "tool_use", id: "toolu_unfinished", name: "Bash", input: { command } }]);
  await claude.hook("PreToolUse", call);
  await claude.run(command);
}

/** What Claude Code writes when the user presses Esc. No hook tells of it. */
function pressEsc(claude: FakeClaude, at = new Date()): void {
  const content = [{ type: "text", text: "[Request interrupted by user for tool use]" }];
  const timestamp = at.toISOString();
  claude.line({ type: "user", message: { role: "user", content }, uuid: "esc", timestamp });
}

it("the files of a command in a turn that was stopped are in the commit a person makes of them", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Make it");
  await unfinished(claude, "echo 'made by a command' > made.txt");
  pressEsc(claude);
  const { metadata, sessions } = await shop.checkpoint(await shop.commitAll("Made"));
  expect(metadata.files_touched).toEqual(["made.txt"]);
  expect(sessions[0]?.metadata.token_usage).toMatchObject({ api_call_count: 1 });
  expect((await stateOf(shop, claude))?.phase).toBe("idle");
  const [turn, ...others] = await turns((await shop.record()).store);
  expect(turn).toMatchObject({ prompt: "Make it", files: ["made.txt"] });
  expect(others).toEqual([]);
});

it("a turn that was stopped ends by itself, without what the user wrote later", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Make it");
  await unfinished(claude, "echo 'made by a command' > made.txt");
  await shop.recorder.sweep();
  expect((await stateOf(shop, claude))?.phase).toBe("active");
  pressEsc(claude, new Date(Date.now() - 60_000));
  await claude.run("touch -d '-2 minutes' made.txt");
  shop.write("mine.txt", "written by a person\n");
  await shop.recorder.sweep();
  const state = await stateOf(shop, claude);
  expect(state?.phase).toBe("idle");
  expect(Object.keys(state?.pending.files ?? {})).toEqual(["made.txt"]);
  const [turn] = await turns((await shop.record()).store);
  expect(turn).toMatchObject({ files: ["made.txt"], after_stop: ["mine.txt"] });
  await claude.turn("Go on", () => claude.write("more.txt", "more of it\n"));
  const { metadata } = await shop.checkpoint(await shop.commitAll("All"));
  expect(metadata.files_touched).toEqual(["made.txt", "more.txt"]);
});

it("a turn goes on after it was stopped and told to go on", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Make it");
  pressEsc(claude);
  claude.say([{ type: "text", text: "I go on." }]);
  await shop.recorder.sweep();
  expect((await stateOf(shop, claude))?.phase).toBe("active");
});

it("the files of a command whose agent was killed are in the commit a person makes at once", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Make it");
  await unfinished(claude, "echo 'made by a command' > made.txt");
  await claude.die();
  await shop.restart();
  const { metadata } = await shop.checkpoint(await shop.commitAll("Made"));
  expect(metadata.files_touched).toEqual(["made.txt"]);
  expect(await stateOf(shop, claude)).toMatchObject({ phase: "ended", ended_by: "process" });
});

it("what failed at the end of a turn is all that is tried again", async () => {
  let isBroken = false;
  const text = async (said: string) => {
    if (isBroken && said === "Not that.") throw new Error("out of order");
    return said;
  };
  const shop = await Workshop.open({ redactor: { ...KEEPS_ALL, text } });
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Commit");
  await claude.bash("echo 'a line' > a.txt && git add . && git commit -q -m A");
  const id = shop.idAt();
  await claude.tool("Bash", { command: "ls" }, () => {}, { block: { reason: "Not that." } });
  await claude.write("b.txt", "a waiting line\n");
  isBroken = true;
  await claude.stop();
  isBroken = false;
  expect(shop.said.join("\n")).toContain("lack the end of the turn");
  const snapshots = () => shop.git("log", "--format=%s", "--glob=refs/seam/turns/*").split("\n");
  const before = snapshots();
  shop.write("mine.txt", "written by a person in between\n");
  await claude.prompt("Next");
  // The start of the next turn, and no second end of this one.
  expect(snapshots()).toHaveLength(before.length + 1);
  const [session] = (await shop.checkpoint(id)).sessions;
  expect(session?.metadata).toMatchObject({
    finalized_at: expect.any(String),
    token_usage: { api_call_count: 4 },
    blocked_calls: [{ reason: "Not that." }],
  });
  expect(Object.keys((await stateOf(shop, claude))?.pending.files ?? {})).toEqual(["b.txt"]);
});

it("work after a commit in the middle of a turn is in one checkpoint, and so are its tokens", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Commit twice");
  await claude.bash("echo 'first line' > a.txt && git add . && git commit -q -m A");
  const first = shop.idAt();
  await claude.bash("echo 'second line' > b.txt && git add . && git commit -q -m B");
  const second = shop.idAt();
  await claude.write("c.txt", "third line\n");
  await claude.stop();
  const third = await shop.commitAll("C");
  const { store } = await shop.record();
  const told: unknown[] = [];
  let calls = 0;
  for (const id of [first, second, third]) {
    const checkpoint = await shop.checkpoint(id);
    const [session] = checkpoint.sessions;
    const said = session && (await conversation(store, checkpoint, session));
    told.push(said?.flatMap(({ entry }) => (entry.kind === "tool_call" ? entry.tool?.name : [])));
    calls += session?.metadata.token_usage?.api_call_count ?? 0;
  }
  expect(told).toEqual([["bash"], ["bash", "write"], []]);
  expect(calls).toBe(4);
  expect((await shop.checkpoint(third)).metadata.files_touched).toEqual(["c.txt"]);
});

it("what a person writes after an agent was killed is not the agent's, once it was noticed", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Make it");
  await unfinished(claude, "echo 'made by a command' > made.txt");
  await claude.die();
  await shop.recorder.endGone();
  expect((await stateOf(shop, claude))?.phase).toBe("ended");
  shop.write("mine.txt", "written by a person\n");
  const { metadata } = await shop.checkpoint(await shop.commitAll("All"));
  expect(metadata.files_touched).toEqual(["made.txt"]);
});

it.each(["Esc", "the next prompt"])(
  "what a person writes in a later turn is not the work of a command that %s cut off",
  async (how) => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop, { isNow: true }).start();
    await claude.prompt("Make it");
    await unfinished(claude, "true");
    if (how === "Esc") {
      pressEsc(claude, new Date(Date.now() - 2_000));
      await shop.recorder.sweep();
    }
    await claude.prompt("No, this");
    await claude.bash("echo 'made by a command' > made.txt");
    // Longer than a tick of a file system's clock.
    await sleep(60);
    shop.write("mine.txt", "written by a person\n");
    await sleep(60);
    await claude.stop();
    const [turn] = await turns((await shop.record()).store);
    expect(turn).toMatchObject({ files: ["made.txt"], unclaimed: ["mine.txt"] });
    const { metadata } = await shop.checkpoint(await shop.commitAll("All"));
    expect(metadata.files_touched).toEqual(["made.txt"]);
  },
);
