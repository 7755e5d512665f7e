import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentNamed, eventsFor } from "../agents/index.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const A = "export const a = 1;\n";
const BEFORE = "2026-05-25T11:00:00.000Z";

/** A transcript in which everything happened before Seam saw its session. */
function withHistory({ transcript }: FakeClaude): number {
  const lines = readFileSync(transcript, "utf8").trimEnd().split("\n");
  const old = lines.map((line) => JSON.stringify({ ...JSON.parse(line), timestamp: BEFORE }));
  writeFileSync(transcript, `${old.join("\n")}\n`);
  return old.length;
}

function sayMuch(claude: FakeClaude): number {
  claude.line({ type: "user", message: { role: "user", content: "Of old" } });
  claude.say([{ type: "tool_use", id: "toolu_old", name: "Skill", input: { skill: "old" } }]);
  claude.say([{ type: "text", text: "Done." }]);
  return withHistory(claude);
}

/** One call, its result and the answer. */
const ONE_TURN = { api_call_count: 2, input_tokens: 20, output_tokens: 10 };

it("a session that began before Seam counts what happened since, and tells it from there", async () => {
  const shop = await Workshop.open();
  const claude = new FakeClaude(shop);
  const lines = sayMuch(claude);
  await claude.start("resume");
  await claude.turn("Now", () => claude.write("a.ts", A));
  const { sessions } = await shop.checkpoint(await shop.commitAll("A"));
  const { metadata } = sessions[0] ?? {};
  expect(metadata).toMatchObject({ token_usage: ONE_TURN, checkpoint_transcript_start: lines });
  expect(metadata?.skill_events).toBeUndefined();
  expect(metadata).not.toHaveProperty("fork_of");
});

it("a fork whose history is written only after its first prompt counts its own", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start("fork");
  await claude.hook("UserPromptSubmit", { prompt: "Now" });
  const lines = sayMuch(claude);
  await claude.write("a.ts", A);
  await claude.stop();
  const { sessions } = await shop.checkpoint(await shop.commitAll("A"));
  expect(sessions[0]?.metadata).toMatchObject({
    token_usage: ONE_TURN,
    checkpoint_transcript_start: lines,
  });
});

it("a fork of a session that is recorded counts nothing twice, nor does a fork of the fork", async () => {
  const shop = await Workshop.open();
  let last = await new FakeClaude(shop).start();
  await last.turn("First", () => last.write("0.ts", A));
  await shop.commitAll("First");
  for (const n of [1, 2]) {
    const fork = new FakeClaude(shop);
    cpSync(last.transcript, fork.transcript);
    withHistory(fork);
    await fork.start("fork");
    await fork.turn("Forked", () => fork.write(`${n}.ts`, A));
    const { sessions } = await shop.checkpoint(await shop.commitAll(`Fork ${n}`));
    expect(sessions[0]?.metadata).toMatchObject({
      session_id: fork.id,
      fork_of: last.id,
      token_usage: ONE_TURN,
    });
    last = fork;
  }
});

it("a session of an agent that keeps sums counts what was added to them", async () => {
  const shop = await Workshop.open();
  const folder = join(shop.home, ".factory/sessions");
  mkdirSync(folder, { recursive: true });
  const used = (inputTokens: number) =>
    writeFileSync(
      join(folder, "d1.settings.json"),
      JSON.stringify({ tokenUsage: { inputTokens } }),
    );
  const said = { type: "message", id: "m1", message: { role: "assistant", content: [] } };
  const transcript = join(folder, "d1.jsonl");
  writeFileSync(transcript, `${JSON.stringify({ ...said, timestamp: BEFORE })}\n`);
  const hooks = agentNamed("factoryai-droid")?.hooks;
  const tell = async (hook: string, more: object = {}) => {
    const payload = { session_id: "d1", transcript_path: transcript, cwd: shop.root, ...more };
    const [row, reading] = [hooks?.mapping[hook], hooks?.read(hook, payload)];
    if (!row || !reading) throw new Error("There is no such hook.");
    const seq = shop.nextSeq();
    const at = new Date(Date.UTC(2026, 4, 25, 12, 0, seq)).toISOString();
    const events = eventsFor(row, reading).map(({ type }) => type);
    const agent = "factoryai-droid";
    await shop.tell({ seq, id: `droid-${seq}`, at, agent, hook, reading, events, told: {} });
  };
  used(500);
  await tell("SessionStart", { source: "resume" });
  await tell("UserPromptSubmit", { prompt: "Now" });
  used(700);
  await tell("Stop");
  const state = (await shop.record()).states.get("factoryai-droid", "d1");
  expect(state?.token_usage).toMatchObject({ input_tokens: 200, api_call_count: 0 });
});
