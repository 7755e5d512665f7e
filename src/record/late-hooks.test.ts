import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { latestCheckpoints } from "./history/checkpoints.ts";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** Prompts are told from what was before them by their time. */
const pause = () => sleep(20);

async function began(): Promise<{ shop: Workshop; claude: FakeClaude }> {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop, { isNow: true }).start();
  return { shop, claude };
}

async function prompt(claude: FakeClaude, text: string): Promise<void> {
  await pause();
  await claude.prompt(text);
  await pause();
}

/** One file, and two calls of the model with the answer. */
async function turn(claude: FakeClaude, text: string): Promise<void> {
  await prompt(claude, text);
  await claude.write(`${text}.ts`, `${text}\n`);
  await claude.stop();
}

/** Of each turn, the oldest first: its calls of the model, of subagents too, and what was said. */
async function told(shop: Workshop) {
  const { store } = await shop.record();
  return (await turns(store)).reverse().map(({ prompt, story }) => ({
    prompt,
    calls: story?.token_usage.api_call_count,
    children: story?.token_usage.subagent_tokens?.api_call_count,
    prompts: story?.told.entries.filter(({ kind }) => kind === "prompt").map(({ text }) => text),
  }));
}

const oneTurn = (prompt: string, calls: number) => ({
  prompt,
  calls,
  children: undefined,
  prompts: [prompt],
});

it("the end of a turn that is heard of after the next ones counts nothing of theirs", async () => {
  const { shop, claude } = await began();
  await prompt(claude, "One");
  await claude.write("One.ts", "One\n");
  await shop.away(async () => {
    await claude.stop();
    await turn(claude, "Two");
    await claude.hook("SessionEnd", { reason: "other" });
    await claude.start("resume");
    await turn(claude, "Three");
  });
  await turn(claude, "Four");
  expect(await told(shop)).toEqual(["One", "Two", "Three", "Four"].map((text) => oneTurn(text, 2)));
  const { sessions } = await shop.checkpoint(await shop.commitAll("All"));
  expect(sessions[0]?.metadata.token_usage).toMatchObject({ api_call_count: 8 });
});

it("a checkpoint is completed with its own turn alone, however late its end is heard of", async () => {
  const { shop, claude } = await began();
  await prompt(claude, "One");
  await claude.bash("echo 1 > one.txt && git add -A && git commit -q -m One");
  const first = shop.idAt();
  await shop.away(async () => {
    await claude.stop();
    await prompt(claude, "Two");
    await claude.write("two.ts", "two\n");
  });
  await claude.stop();
  const second = await shop.commitAll("Two");
  const counted = async (id: string | undefined) => {
    const { sessions } = await shop.checkpoint(id);
    return sessions[0]?.metadata;
  };
  expect(await counted(first)).toMatchObject({
    token_usage: { api_call_count: 2 },
    checkpoint_transcript_start: 0,
    checkpoint_transcript_end: 4,
  });
  expect(await counted(second)).toMatchObject({
    token_usage: { api_call_count: 2 },
    checkpoint_transcript_start: 4,
  });
});

it("a turn that its agent's death ended counts nothing of the one after it", async () => {
  const { shop, claude } = await began();
  await prompt(claude, "One");
  await claude.write("One.ts", "One\n");
  await claude.die();
  const again = new FakeClaude(shop, { isNow: true, id: claude.id });
  await shop.away(async () => {
    await again.start("resume");
    await turn(again, "Two");
  });
  expect(await told(shop)).toEqual([oneTurn("One", 1), oneTurn("Two", 2)]);
});

it("a turn whose end nobody told has its own prompt and work, also if both are heard of late", async () => {
  const { shop, claude } = await began();
  await shop.away(async () => {
    await prompt(claude, "One");
    await claude.write("One.ts", "One\n");
    await turn(claude, "Two");
  });
  expect(await told(shop)).toEqual([oneTurn("One", 1), oneTurn("Two", 2)]);
});

it("subagents of the next turn are counted in that one", async () => {
  const { shop, claude } = await began();
  await prompt(claude, "One");
  await claude.write("One.ts", "One\n");
  await shop.away(async () => {
    await claude.stop();
    await prompt(claude, "Two");
    await claude.tool("Task", { prompt: "A part" }, () =>
      claude.inChild("a1", () => claude.write("child.ts", "child\n")),
    );
    await claude.stop();
  });
  expect(await told(shop)).toEqual([oneTurn("One", 2), { ...oneTurn("Two", 2), children: 1 }]);
});

it("a commit between two turns has nothing of the second, if all of it is heard of late", async () => {
  const { shop, claude } = await began();
  await turn(claude, "One");
  await shop.away(async () => {
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "-m", "One");
    // Git knows the time of a commit to the second.
    await sleep(1_100);
    await turn(claude, "Two");
  });
  expect(await told(shop)).toEqual([oneTurn("One", 2), oneTurn("Two", 2)]);
  const { store } = await shop.record();
  const [first] = await latestCheckpoints(store, 10);
  expect(first?.sessions[0]?.metadata).toMatchObject({
    files_touched: ["One.ts"],
    token_usage: { api_call_count: 2 },
    checkpoint_transcript_end: 4,
  });
});
