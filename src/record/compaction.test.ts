import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** Sums up what was said: the transcript is written anew, with its last lines alone. */
async function compact(claude: FakeClaude, keep: number): Promise<string> {
  await claude.hook("PreCompact", { trigger: "auto" });
  const before = readFileSync(claude.transcript, "utf8");
  const lines = before.split("\n").slice(0, -1);
  const content = "This session is being continued from another one.";
  const summary = { type: "user", isCompactSummary: true, message: { role: "user", content } };
  const rest = keep === 0 ? [] : lines.slice(-keep);
  writeFileSync(claude.transcript, `${[JSON.stringify(summary), ...rest].join("\n")}\n`);
  return before;
}

it("what was there before an agent wrote its transcript anew is kept, with tokens and skills", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("First", async () => {
    await claude.skill("greet");
    await claude.write("a.ts", "export const a = 1;\n");
  });
  await claude.prompt("Second");
  await claude.skill("review");
  const first = await compact(claude, 0);
  await claude.write("b.ts", "export const b = 1;\n");
  const second = await compact(claude, 1);
  await claude.skill("check");
  await claude.stop();
  const id = (await shop.commitAll("Both")) ?? "";
  const [session] = (await shop.checkpoint(id)).sessions;
  expect(session?.metadata.token_usage).toMatchObject({ input_tokens: 70, api_call_count: 7 });
  expect(session?.metadata.skill_events?.map(({ skill }) => skill.name)).toEqual([
    "greet",
    "review",
    "check",
  ]);
  expect(`${shop.file(id, "0/earlier-1.jsonl")}\n`).toBe(first);
  expect(`${shop.file(id, "0/earlier-2.jsonl")}\n`).toBe(second);
  expect(`${shop.file(id, "0/full.jsonl")}\n`).toBe(readFileSync(claude.transcript, "utf8"));
  // They belong to this commit, and not to every later one.
  await claude.turn("Third", () => claude.write("c.ts", "export const c = 1;\n"));
  const next = (await shop.commitAll("Third")) ?? "";
  expect(() => shop.file(next, "0/earlier-1.jsonl")).toThrow();
  expect((await shop.checkpoint(next)).metadata.token_usage).toMatchObject({ api_call_count: 2 });
});

it("a commit before a compaction in the same turn has what was said before and after", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Commit, then go on");
  await claude.bash("echo 'a line' > a.txt && git add . && git commit -q -m A");
  const id = shop.idAt() ?? "";
  const before = await compact(claude, 0);
  await claude.skill("review");
  await claude.stop();
  const [session] = (await shop.checkpoint(id)).sessions;
  expect(session?.metadata.token_usage).toMatchObject({ input_tokens: 30, api_call_count: 3 });
  expect(session?.metadata.skill_events?.map(({ skill }) => skill.name)).toEqual(["review"]);
  expect(`${shop.file(id, "0/earlier-1.jsonl")}\n`).toBe(before);
  expect(shop.file(id, "0/full.jsonl")).toContain("Done.");
  expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
});

it("what was there before is safe from git's clean-up until a checkpoint has it, and then nothing else keeps it", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Write");
  await claude.write("a.ts", "export const a = 1;\n");
  const before = await compact(claude, 0);
  shop.git("gc", "--quiet", "--prune=now");
  await claude.write("b.ts", "export const b = 1;\n");
  await claude.stop();
  shop.git("gc", "--quiet", "--prune=now");
  const id = (await shop.commitAll("Both")) ?? "";
  expect(`${shop.file(id, "0/earlier-1.jsonl")}\n`).toBe(before);
  expect(shop.git("for-each-ref", "refs/seam/held")).toBe("");
  expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
});
