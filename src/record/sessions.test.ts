import { existsSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFull } from "../../test/setup/sample.ts";
import { idOfCommit } from "./checkpoint/checkpoint-files.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const stateOf = async (shop: Workshop, { id }: FakeClaude) =>
  (await shop.record()).states.get("claude-code", id);

describe("a session whose end nobody announced", () => {
  it("ends when its process is gone, and keeps what it did", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write");
    await claude.write("a.ts", "export const a = 1;\n");
    await shop.recorder.sweep();
    expect((await stateOf(shop, claude))?.phase).toBe("active");
    await claude.die();
    await shop.recorder.sweep();
    expect(await stateOf(shop, claude)).toMatchObject({ phase: "ended", ended_by: "process" });
    expect(await shop.commitAll("Late")).toBeDefined();
  });

  it("ends when it rests and its process is gone, also for the next recorder", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Nothing", () => {});
    await claude.die();
    await shop.restart();
    await new FakeClaude(shop).start();
    await shop.recorder.sweep();
    expect(await stateOf(shop, claude)).toMatchObject({ phase: "ended", ended_by: "process" });
  });

  it("ends when it and its transcript are old and nobody knows its process", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop, { process: false }).start();
    await claude.prompt("Write");
    await shop.recorder.sweep();
    // The hooks are of May, but somebody has just written to the transcript.
    expect((await stateOf(shop, claude))?.phase).toBe("active");
    utimesSync(claude.transcript, 1, 1);
    await shop.recorder.sweep();
    expect(await stateOf(shop, claude)).toMatchObject({ phase: "ended", ended_by: "age" });
  });
});

describe("a turn", () => {
  it("that was interrupted is closed by the next one, with what it did and committed", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("First");
    await claude.bash("echo 'a committed line' > a.txt && git add . && git commit -q -m A");
    const id = shop.idAt();
    await claude.bash("echo 'a waiting line' > b.txt");
    await claude.prompt("Second");
    expect((await shop.checkpoint(id)).sessions[0]?.metadata.finalized_at).toBeDefined();
    await claude.stop();
    const { metadata, sessions } = await shop.checkpoint(await shop.commitAll("B"));
    expect(metadata.files_touched).toEqual(["b.txt"]);
    expect(sessions[0]?.metadata.turn_ids).toHaveLength(2);
  });

  it("goes on when its agent is told to instead of stopping", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write");
    await claude.hook("Stop", {}, { goOn: "Not yet." });
    expect((await stateOf(shop, claude))?.phase).toBe("active");
    await claude.bash("echo 'a line' > a.txt");
    await claude.stop();
    expect((await stateOf(shop, claude))?.phase).toBe("idle");
    expect(await shop.commitAll("A")).toBeDefined();
  });

  it("does not begin with a prompt that was refused", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.hook("UserPromptSubmit", { prompt: "No" }, { prompt: { blocked: "Never." } });
    expect(await stateOf(shop, claude)).toMatchObject({ phase: "idle", turn_count: 0 });
  });
});

describe("a session that was cleared or resumed", () => {
  it("is another one, or goes on", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    await claude.hook("SessionEnd", { reason: "clear" });
    const next = await new FakeClaude(shop).start("clear");
    await next.turn("Write", () => next.write("b.ts", "export const b = 1;\n"));
    const { sessions } = await shop.checkpoint(await shop.commitAll("Both"));
    expect(sessions.map(({ metadata }) => metadata.session_id).sort()).toEqual([
      claude.id,
      next.id,
    ]);
    await claude.start("resume");
    await claude.turn("More", () => claude.write("a.ts", "export const a = 2;\n"));
    const again = await shop.checkpoint(await shop.commitAll("More"));
    expect(again.sessions.map(({ metadata }) => metadata.session_id)).toEqual([claude.id]);
    expect(again.sessions[0]?.metadata).toMatchObject({
      checkpoints_count: 1,
      session_metrics: { turn_count: 2 },
    });
  });
});

describe("the record", () => {
  it("is the same when everything is told a second time", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write");
    await claude.write("a.ts", "export const a = 1;\n");
    await claude.bash("git add . && git commit -q -m A");
    await claude.stop();
    const before = [shop.git("for-each-ref"), JSON.stringify(await stateOf(shop, claude))];
    await shop.restart();
    for (const record of [...shop.journal]) await shop.recorder.accept(record);
    expect([shop.git("for-each-ref"), JSON.stringify(await stateOf(shop, claude))]).toEqual(before);
  });

  it("survives the loss of all its state", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    const id = await shop.commitAll("A");
    rmSync(join(shop.root, ".git/seam/sessions"), { recursive: true });
    rmSync(join(shop.root, ".git/seam/pending"), { force: true });
    await shop.restart();
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    expect((await shop.checkpoint(await shop.commitAll("B"))).metadata.files_touched).toEqual([
      "b.ts",
    ]);
    expect((await shop.checkpoint(id)).metadata.files_touched).toEqual(["a.ts"]);
  });

  it("finds what waits although the list of it was emptied or deleted", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    truncateSync(join(shop.root, ".git/seam/pending"));
    await shop.restart();
    expect(await shop.commitAll("A")).toBeDefined();
    await claude.prompt("More");
    rmSync(join(shop.root, ".git/seam/pending"));
    await claude.write("b.ts", "export const b = 1;\n");
    expect(existsSync(join(shop.root, ".git/seam/pending"))).toBe(true);
  });

  it("keeps its promise when a session vanished between message and commit", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    await shop.run("add", "-A");
    const path = shop.write(".git/MESSAGE", "A\n");
    const from = { cwd: shop.root, pid: process.pid };
    await shop.recorder.git({ hook: "prepare-commit-msg", ...from, args: [path, "message"] });
    rmSync(join(shop.root, ".git/seam/sessions"), { recursive: true });
    await shop.restart();
    shop.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-F", path);
    await shop.recorder.git({ hook: "post-commit", ...from });
    const { sessions } = await shop.checkpoint(shop.idAt());
    expect(sessions[0]?.metadata.session_id).toBe(claude.id);
    expect(shop.file(shop.idAt() ?? "", "0/full.jsonl")).toContain("Done.");
  });

  inFull("is written later when the hook after a commit was lost", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    rmSync(join(shop.root, ".git/hooks/post-commit.seam-resting"));
    shop.write("a.ts", "export const a = 1;\n");
    await shop.run("add", "-A");
    const commit = shop.commitStaged("A");
    const id = await commit;
    await expect(shop.checkpoint(id)).rejects.toThrow();
    utimesSync(join(shop.root, `.git/seam/reserved/${id}`), 1, 1);
    await shop.recorder.sweep();
    expect((await shop.checkpoint(id)).metadata.files_touched).toEqual(["a.ts"]);
  });

  it("is written with the next prompt when no hook told of the commit yet, and only once", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    shop.git("add", "-A");
    shop.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "A");
    const commit = shop.git("rev-parse", "HEAD");
    const id = idOfCommit(commit);
    await claude.prompt("Go on");
    const { metadata } = await shop.checkpoint(id);
    expect(metadata).toMatchObject({ commit_sha: commit, files_touched: ["a.ts"] });
    const tip = shop.git("rev-parse", "refs/seam/checkpoints/v1");
    const from = { cwd: shop.root, pid: process.pid };
    await shop.recorder.git({ hook: "post-commit", ...from, commit });
    expect(shop.git("rev-parse", "refs/seam/checkpoints/v1")).toBe(tip);
  });

  it("has its files also if the next prompt comes before the hook after the commit", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    rmSync(join(shop.root, ".git/hooks/post-commit.seam-resting"));
    const id = await shop.commitAll("A");
    await claude.prompt("Go on");
    const from = { cwd: shop.root, pid: process.pid };
    const commit = shop.git("rev-parse", "HEAD");
    await shop.recorder.git({ hook: "post-commit", ...from, commit });
    expect((await shop.checkpoint(id)).metadata.files_touched).toEqual(["a.ts"]);
  });

  it("is not written for commits of others that came in between turns", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    shop.write("b.ts", "export const b = 2;\n");
    shop.git("add", "b.ts");
    shop.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "B");
    await claude.prompt("Go on");
    expect(shop.git("for-each-ref", "refs/seam/checkpoints")).toBe("");
    await claude.stop();
    expect((await shop.checkpoint(await shop.commitAll("A"))).metadata.files_touched).toEqual([
      "a.ts",
    ]);
  });

  it("stores a transcript anew that was rewritten, and keeps what was there", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    const first = (await shop.commitAll("A")) ?? "";
    const old = readFileSync(claude.transcript, "utf8");
    writeFileSync(claude.transcript, old.replaceAll("Write", "Wrote"));
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    const second = (await shop.commitAll("B")) ?? "";
    expect(`${shop.file(first, "0/full.jsonl")}\n`).toBe(old);
    expect(`${shop.file(second, "0/full.jsonl")}\n`).toBe(readFileSync(claude.transcript, "utf8"));
  });

  it("has its own part of a transcript that was cut short, and all tokens of it", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    for (const name of ["a", "b", "c"]) {
      await claude.turn(`Write ${name}`, () => claude.write(`${name}.ts`, `const ${name} = 1;\n`));
    }
    await shop.commitAll("Three");
    const lines = readFileSync(claude.transcript, "utf8").split("\n");
    writeFileSync(claude.transcript, lines.slice(-3).join("\n"));
    await claude.turn("After", async () => {
      await claude.write("d.ts", "const d = 1;\n");
      await claude.skill("greet");
    });
    const cut = (await shop.checkpoint(await shop.commitAll("Cut"))).sessions[0]?.metadata;
    expect(cut?.checkpoint_transcript_start).toBe(2);
    expect(cut?.token_usage).toMatchObject({ input_tokens: 30, api_call_count: 3 });
    const anchor = cut?.skill_events?.[0]?.transcript_anchor;
    expect(anchor?.start).toBeGreaterThan(2);
    const whole = readFileSync(claude.transcript, "utf8").split("\n");
    expect(whole[anchor?.start ?? 0]).toContain("greet");
    await claude.turn("Next", () => claude.write("e.ts", "const e = 1;\n"));
    const next = (await shop.checkpoint(await shop.commitAll("Next"))).sessions[0]?.metadata;
    expect(next?.checkpoint_transcript_start).toBe(whole.length - 1);
    expect(next?.token_usage).toMatchObject({ input_tokens: 20, api_call_count: 2 });
  });

  it("counts no tokens twice when a transcript is cut short before the commit", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("One", () => claude.write("a.ts", "const a = 1;\n"));
    await claude.turn("Two", () => claude.write("b.ts", "const b = 1;\n"));
    const lines = readFileSync(claude.transcript, "utf8").split("\n");
    writeFileSync(claude.transcript, lines.slice(lines.length >> 1).join("\n"));
    const cut = (await shop.checkpoint(await shop.commitAll("Cut"))).sessions[0]?.metadata;
    expect(cut?.checkpoint_transcript_start).toBe(0);
    expect(cut?.token_usage).toMatchObject({ input_tokens: 40, api_call_count: 4 });
  });

  it("keeps a stored transcript that the agent deleted before the turn was over", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write");
    await claude.bash("echo 'a line' > a.txt && git add . && git commit -q -m A");
    const before = shop.file(shop.idAt() ?? "", "0/full.jsonl");
    rmSync(claude.transcript);
    await claude.hook("Stop");
    expect(shop.file(shop.idAt() ?? "", "0/full.jsonl")).toBe(before);
    const { sessions } = await shop.checkpoint(shop.idAt());
    expect(sessions[0]?.metadata.finalized_at).toBeDefined();
  });

  it("is whole although git cleans up between any two hooks", async () => {
    const shop = await Workshop.open();
    const clean = () => shop.git("gc", "-q", "--prune=now");
    const claude = await new FakeClaude(shop).start();
    clean();
    await claude.prompt("Write");
    clean();
    await claude.write("a.ts", "export const a = 1;\n");
    clean();
    await claude.bash("git add . && git commit -q -m A");
    clean();
    await claude.write("b.ts", "export const b = 1;\n");
    await claude.stop();
    clean();
    expect((await shop.checkpoint(await shop.commitAll("B"))).metadata.files_touched).toEqual([
      "b.ts",
    ]);
    clean();
    // Somebody throws the record away: what is stored of the transcript is gone too.
    shop.git("update-ref", "-d", "refs/seam/checkpoints/v1");
    clean();
    await claude.turn("Again", () => claude.write("c.ts", "export const c = 1;\n"));
    const id = (await shop.commitAll("C")) ?? "";
    expect(`${shop.file(id, "0/full.jsonl")}\n`).toBe(readFileSync(claude.transcript, "utf8"));
    expect(shop.isSound()).toBe(true);
  });

  it("says what is broken, puts it aside and goes on", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    shop.write(".git/refs/seam/checkpoints/v1", `${"1".repeat(40)}\n`);
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "-m", "A");
    expect(shop.git("log", "-1", "--format=%s")).toBe("A");
    expect(shop.said.join("\n")).toContain("checkpoints/v1 does not lead to checkpoints");
    expect((await shop.checkpoint(shop.idAt())).metadata.files_touched).toEqual(["a.ts"]);
    expect(shop.isSound()).toBe(true);
  });
});
