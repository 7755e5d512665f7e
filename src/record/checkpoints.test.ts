import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

describe("a commit a person makes of an agent's work", () => {
  it("leads to a checkpoint with prompt, transcript, files and tokens", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write it", () => claude.write("a.ts", "export const a = 1;\n"));
    const id = await shop.commitAll("Add a");
    const { metadata, sessions } = await shop.checkpoint(id);
    expect(metadata).toMatchObject({
      cli_version: "1.0.0-test",
      checkpoint_id: id,
      strategy: "seam",
      branch: "main",
      commit_sha: shop.git("rev-parse", "HEAD"),
      checkpoints_count: 1,
      files_touched: ["a.ts"],
      file_hashes: { "a.ts": shop.git("rev-parse", "HEAD:a.ts") },
      token_usage: { input_tokens: 20, output_tokens: 10, api_call_count: 2 },
    });
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.metadata).toMatchObject({
      checkpoint_id: id,
      session_id: claude.id,
      agent: "Claude Code",
      model: "claude-test-1",
      files_touched: ["a.ts"],
      checkpoint_transcript_start: 0,
      token_usage: { input_tokens: 20, output_tokens: 10, api_call_count: 2 },
      session_metrics: { turn_count: 1 },
    });
    expect(sessions[0]?.metadata).not.toHaveProperty("skill_events");
    expect(shop.file(id ?? "", "0/prompt.txt")).toBe("Write it");
    const stored = shop.file(id ?? "", "0/full.jsonl");
    expect(`${stored}\n`).toBe(readFileSync(claude.transcript, "utf8"));
    expect(shop.file(id ?? "", "0/content_hash.txt")).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(shop.isSound()).toBe(true);
    expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  });

  it("has no trailer if nothing of it is the agent's", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write it", () => claude.write("a.ts", "export const a = 1;\n"));
    shop.write("mine.ts", "export const mine = 1;\n");
    await shop.run("add", "mine.ts");
    expect(await shop.commitStaged("Mine")).toBeUndefined();
    expect(await shop.commitAll("Its")).toBeDefined();
    shop.write("mine.ts", "export const mine = 2;\n");
    expect(await shop.commitAll("Mine again")).toBeUndefined();
  });

  it("takes what was staged, and what was not waits for the next one", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Both", async () => {
      await claude.write("a.ts", "export const a = 1;\n");
      await claude.write("b.ts", "export const b = 1;\n");
    });
    await shop.run("add", "a.ts");
    const first = await shop.checkpoint(await shop.commitStaged("a"));
    expect(first.metadata.files_touched).toEqual(["a.ts"]);
    const second = await shop.checkpoint(await shop.commitAll("b"));
    expect(second.metadata.files_touched).toEqual(["b.ts"]);
    expect(shop.file(second.id, "0/prompt.txt")).toBe("Both");
    shop.write("c.ts", "export const c = 1;\n");
    expect(await shop.commitAll("c")).toBeUndefined();
  });

  it("that holds a part of a file leaves the rest of the file waiting", async () => {
    const shop = await Workshop.open();
    const lines = Array.from({ length: 20 }, (_, i) => `line number ${i}`);
    shop.write("a.txt", `${lines.join("\n")}\n`);
    shop.commit("Lines");
    const claude = await new FakeClaude(shop).start();
    const both = ["first of the agent", ...lines, "last of the agent"];
    await claude.turn("Both ends", () => claude.write("a.txt", `${both.join("\n")}\n`));
    shop.write("a.txt", `${both.slice(0, -1).join("\n")}\n`);
    await shop.run("add", "a.txt");
    shop.write("a.txt", `${both.join("\n")}\n`);
    expect(await shop.commitStaged("First")).toBeDefined();
    expect(await shop.commitAll("Last")).toBeDefined();
    shop.write("a.txt", `${both.join("\n")}\nmine\n`);
    expect(await shop.commitAll("Mine")).toBeUndefined();
  });

  it("and has gone on with is linked, once", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write it", () => claude.write("a.ts", "export const agent = 1;\n"));
    shop.write("a.ts", "export const agent = 1;\nexport const human = 2;\n");
    const { metadata } = await shop.checkpoint(await shop.commitAll("Both"));
    expect(metadata.files_touched).toEqual(["a.ts"]);
    shop.write("a.ts", "export const agent = 1;\nexport const human = 3;\n");
    expect(await shop.commitAll("Human")).toBeUndefined();
  });

  it("belongs to both sessions that changed the same file", async () => {
    const shop = await Workshop.open();
    const lines = Array.from({ length: 30 }, (_, i) => `line number ${i}`);
    shop.write("a.txt", `${lines.join("\n")}\n`);
    shop.commit("Lines");
    const [one, two] = [await new FakeClaude(shop).start(), await new FakeClaude(shop).start()];
    lines[2] = "what the first one wrote";
    await one.turn("Near the top", () => one.write("a.txt", `${lines.join("\n")}\n`));
    lines[27] = "what the second one wrote";
    await two.turn("Near the end", () => two.write("a.txt", `${lines.join("\n")}\n`));
    const { metadata, sessions } = await shop.checkpoint(await shop.commitAll("Both"));
    expect(metadata.files_touched).toEqual(["a.txt"]);
    expect(new Set(sessions.map((session) => session.metadata.session_id))).toEqual(
      new Set([one.id, two.id]),
    );
    expect((await shop.record()).states.live()).toEqual([]);
  });

  it("while the agent still works is linked too", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write");
    await claude.write("a.ts", "export const a = 1;\n");
    const id = await shop.commitAll("Meanwhile");
    expect((await shop.checkpoint(id)).metadata.files_touched).toEqual(["a.ts"]);
    await claude.stop();
    expect((await shop.checkpoint(id)).sessions[0]?.metadata.finalized_at).toBeDefined();
    expect((await shop.record()).states.live()).toEqual([]);
  });

  it("finds a file a tool named although the snapshot at the prompt came too late", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    // The agent is faster than the recorder: the file is there when the prompt is recorded.
    shop.write("early.ts", "export const early = 1;\n");
    await claude.turn("Write", () => claude.write("early.ts", "export const early = 1;\n"));
    expect(await shop.commitAll("Early")).toBeDefined();
  });

  it("finds what a shell command did, deletions too", async () => {
    const shop = await Workshop.open();
    shop.write("old.ts", "export const old = 1;\n");
    shop.commit("Old");
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Move", () => claude.bash("mv old.ts new.ts"));
    const { metadata } = await shop.checkpoint(await shop.commitAll("Moved"));
    expect(metadata.files_touched).toEqual(["new.ts", "old.ts"]);
    expect(metadata.file_hashes?.["old.ts"]).toBeNull();
  });
});

describe("a commit an agent makes in the middle of a turn", () => {
  it("is written at once, and completed when the turn ends", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write and commit");
    await claude.skill("first-skill");
    await claude.write("a.ts", "export const a = 1;\n");
    await claude.bash("git add a.ts && git commit -q -m 'By the agent'");
    const id = shop.idAt();
    const early = await shop.checkpoint(id);
    expect(early.sessions[0]?.metadata.skill_events).toHaveLength(1);
    expect(early.sessions[0]?.metadata).not.toHaveProperty("finalized_at");
    await claude.skill("second-skill");
    await claude.stop();
    const { metadata, sessions } = await shop.checkpoint(id);
    const [session] = sessions;
    expect(session?.metadata.skill_events?.map(({ skill }) => skill.name)).toEqual([
      "first-skill",
      "second-skill",
    ]);
    expect(session?.metadata.files_touched).toEqual(["a.ts"]);
    expect(session?.metadata.token_usage).toMatchObject({ api_call_count: 5, output_tokens: 25 });
    expect(metadata.token_usage).toMatchObject({ api_call_count: 5, output_tokens: 25 });
    const stored = shop.file(id ?? "", "0/full.jsonl");
    expect(`${stored}\n`).toBe(readFileSync(claude.transcript, "utf8"));
    expect((await shop.record()).states.live()).toEqual([]);
  });

  it("is that agent's alone, whoever else is at work", async () => {
    const shop = await Workshop.open();
    const one = await new FakeClaude(shop).start();
    const other = await new FakeClaude(shop).start();
    await other.prompt("Something else");
    await other.write("other.ts", "export const other = 1;\n");
    await one.prompt("Commit");
    await one.write("one.ts", "export const one = 1;\n");
    await one.bash("git add one.ts && git commit -q -m One");
    const { sessions } = await shop.checkpoint(shop.idAt());
    expect(sessions.map(({ metadata }) => metadata.session_id)).toEqual([one.id]);
    await one.stop();
    await other.stop();
    const later = await shop.checkpoint(await shop.commitAll("Other"));
    expect(later.sessions.map(({ metadata }) => metadata.session_id)).toEqual([other.id]);
  });

  it("is not the agent's if it is the user who commits while it rests", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Nothing", () => {});
    shop.write("mine.ts", "export const mine = 1;\n");
    await claude.run("git add mine.ts && git commit -q -m Mine");
    expect(shop.idAt()).toBeUndefined();
  });

  it("in another work tree or a folder below is its own too", async () => {
    const shop = await Workshop.open();
    shop.write("sub/x.ts", "export const x = 1;\n");
    shop.commit("Sub");
    shop.git("worktree", "add", "-q", `${shop.root}-tree`);
    const claude = await new FakeClaude(shop, { cwd: join(shop.root, "sub") }).start();
    await claude.prompt("Go");
    await claude.write("y.ts", "export const y = 1;\n");
    await claude.bash("git add . && git commit -q -m Below");
    expect((await shop.checkpoint(shop.idAt())).metadata.files_touched).toEqual(["sub/y.ts"]);
    const there = `${shop.root}-tree`;
    await claude.bash(
      `cd '${there}' && echo 'a line' > z.txt && git add . && git commit -q -m There`,
    );
    const id = /Seam-Checkpoint: (\S+)/.exec(shop.in(there, "log", "-1", "--format=%B"))?.[1];
    expect((await shop.checkpoint(id)).sessions[0]?.metadata.session_id).toBe(claude.id);
    shop.git("worktree", "remove", "--force", there);
  });
});

describe("two work trees", () => {
  it("keep their sessions apart", async () => {
    const shop = await Workshop.open();
    const there = `${shop.root}-tree`;
    shop.git("worktree", "add", "-q", there);
    const here = await new FakeClaude(shop).start();
    const other = await new FakeClaude(shop, { cwd: there }).start();
    await here.turn("Here", () => here.write("same.ts", "export const same = 1;\n"));
    await other.turn("There", () => other.write("same.ts", "export const same = 1;\n"));
    await shop.runIn(there, "git", "add", "-A");
    await shop.runIn(there, "git", "commit", "-q", "-m", "There");
    const id = /Seam-Checkpoint: (\S+)/.exec(shop.in(there, "log", "-1", "--format=%B"))?.[1];
    const { sessions } = await shop.checkpoint(id);
    expect(sessions.map(({ metadata }) => metadata.session_id)).toEqual([other.id]);
    const mine = await shop.checkpoint(await shop.commitAll("Here"));
    expect(mine.sessions.map(({ metadata }) => metadata.session_id)).toEqual([here.id]);
    shop.git("worktree", "remove", "--force", there);
  });
});
