import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readTranscript } from "../checkpoint/read-checkpoint.ts";
import { blankLines, blankMessages, withoutBlanks } from "../checkpoint/without-history.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { planForget } from "./plan-forget.ts";

it("what was forgotten does not come back when the agent goes on with the session", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Of old", () => claude.write("a.ts", "1\n"));
  await shop.commitAll("Old");
  await shop.recorder.forget(shop.root, claude.id);
  const lines = readFileSync(claude.transcript, "utf8").split("\n").length - 1;
  await claude.start("resume");
  for (const name of ["b.ts", "c.ts"]) {
    await claude.turn(`Write ${name}`, () => claude.write(name, "2\n"));
    const checkpoint = await shop.checkpoint(await shop.commitAll(name));
    const [session] = checkpoint.sessions;
    expect(session?.metadata.token_usage).toMatchObject({ api_call_count: 2 });
    expect(session?.metadata.checkpoint_transcript_start).toBeGreaterThanOrEqual(lines);
    const { store } = await shop.record();
    const text = (await readTranscript(store, checkpoint, session?.index ?? 0))?.toString() ?? "";
    expect(text).not.toContain("Of old");
    expect(text).not.toContain("a.ts");
    expect(text).toContain("Write b.ts");
    expect(text.split("\n")).toHaveLength(
      readFileSync(claude.transcript, "utf8").split("\n").length,
    );
  }
});

it("a transcript without its history keeps its places, and is given back without the gap", () => {
  const lines = Buffer.from("a\nb\nc\n");
  expect(blankLines(lines, 0, 2).toString()).toBe("\n\nc\n");
  expect(blankLines(lines, 1, 2).toString()).toBe("\nb\nc\n");
  expect(withoutBlanks(blankLines(lines, 0, 2)).toString()).toBe("c\n");
  const messages = [{ id: "1" }, { id: "2" }];
  const document = Buffer.from(JSON.stringify({ info: { id: "s", title: "t" }, messages }));
  const blank = blankMessages(document, 1) ?? Buffer.alloc(0);
  expect(JSON.parse(blank.toString())).toEqual({ info: { id: "s" }, messages: [{}, { id: "2" }] });
  expect(JSON.parse(withoutBlanks(blank).toString()).messages).toEqual([{ id: "2" }]);
  expect(blankMessages(Buffer.from("no document"), 1)).toBeUndefined();
});

it("the preview names sessions that carry the conversation on, and every transcript", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Of old", () => claude.write("a.ts", "1\n"));
  await shop.commitAll("Old");
  const fork = new FakeClaude(shop);
  const old = readFileSync(claude.transcript, "utf8");
  writeFileSync(fork.transcript, old.replaceAll("2026-05-25T12:34", "2026-05-25T11:34"));
  await fork.start("fork");
  await fork.turn("Go on", () => fork.write("b.ts", "1\n"));
  const other = await new FakeClaude(shop).start();
  await other.turn("Of old", () => other.write("c.ts", "1\n"));
  await shop.commitAll("More");
  const copy = claude.transcript.replace("/x/", "/elsewhere/");
  cpSync(claude.transcript, copy, { recursive: true });
  const plan = await planForget(await shop.record(), claude.id);
  expect(plan.carried_on_by).toEqual([fork.id]);
  expect([...plan.transcripts].sort()).toEqual([copy, claude.transcript].sort());
});
