import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepo } from "../git/index.ts";
import { installGitHooks } from "./git-hooks/install.ts";
import { turns } from "./history/turns.ts";
import { openRepoRecord } from "./repo-record.ts";
import { enableRecord } from "./seam-dir.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { newFolder } from "./test-kit/project.ts";
import { Workshop } from "./test-kit/workshop.ts";

const A = "export const a = 1;\n";

/** A session that did something here, and waits. */
async function begun() {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Here", () => claude.write("here.ts", A));
  return { shop, claude };
}

/** The same session in another folder. */
const takenUp = async (shop: Workshop, { id }: FakeClaude, cwd: string) =>
  new FakeClaude(shop, { cwd, id }).start("resume");

async function promptsAt(folder: string): Promise<(string | undefined)[]> {
  const repo = await openRepo(folder);
  if (!repo) throw new Error("There is no repository.");
  const { store } = openRepoRecord(repo);
  const all = await turns(store);
  await store.close();
  return all.map(({ prompt }) => prompt);
}

async function worktreeOf(shop: Workshop): Promise<string> {
  const folder = join(newFolder(), "tree");
  shop.git("worktree", "add", "-q", "-b", "other", folder);
  return folder;
}

describe("a session that is taken up elsewhere", () => {
  it("in a clone is recorded in the clone", async () => {
    const { shop, claude } = await begun();
    const clone = join(newFolder(), "clone");
    shop.git("clone", "-q", shop.root, clone);
    const repo = await openRepo(clone);
    if (!repo) throw new Error("There is no repository.");
    enableRecord(repo);
    await installGitHooks(repo);
    const there = await takenUp(shop, claude, clone);
    await there.turn("There", () => there.write("there.ts", A));
    expect(await promptsAt(clone)).toEqual(["There"]);
    expect(await promptsAt(shop.root)).toEqual(["Here"]);
    // And back, with what it left.
    const back = await takenUp(shop, claude, shop.root);
    await back.turn("Back", () => back.write("back.ts", A));
    expect(await promptsAt(shop.root)).toEqual(["Back", "Here"]);
    const { sessions } = await shop.checkpoint(await shop.commitAll("Both"));
    expect(sessions[0]?.metadata.files_touched).toEqual(["back.ts", "here.ts"]);
  });

  it("in a folder that is not recorded is recorded nowhere", async () => {
    const { shop, claude } = await begun();
    const there = await takenUp(shop, claude, newFolder());
    await there.turn("There", () => there.write("there.ts", A));
    expect(await promptsAt(shop.root)).toEqual(["Here"]);
  });

  it("in a folder below is the same session", async () => {
    const { shop, claude } = await begun();
    shop.write("below/b.txt", "b\n");
    const there = await takenUp(shop, claude, join(shop.root, "below"));
    await there.turn("Below", () => there.write("there.ts", A));
    const { sessions } = await shop.checkpoint(await shop.commitAll("Both"));
    expect(sessions.map(({ metadata }) => metadata.files_touched)).toEqual([
      ["below/there.ts", "here.ts"],
    ]);
  });

  it("in another work tree leaves what it did in the first one there", async () => {
    const { shop, claude } = await begun();
    const tree = await worktreeOf(shop);
    const there = await takenUp(shop, claude, tree);
    await there.turn("There", () => there.write("there.ts", A));
    await shop.runIn(tree, "git", "add", "-A");
    await shop.runIn(tree, "git", "commit", "-q", "-m", "There");
    const { sessions } = await shop.checkpoint(shop.idAt("other"));
    expect(sessions[0]?.metadata).toMatchObject({ branch: "other", files_touched: ["there.ts"] });
    expect(shop.file(shop.idAt("other") ?? "", "0/prompt.txt")).toBe("There");
    const here = await shop.checkpoint(await shop.commitAll("Here"));
    expect(here.sessions[0]?.metadata).toMatchObject({
      branch: "main",
      files_touched: ["here.ts"],
    });
    expect(shop.file(shop.idAt() ?? "", "0/prompt.txt")).toBe("Here");
  });

  it("is found again in the right work tree by a recorder that was restarted in its turn", async () => {
    const { shop, claude } = await begun();
    const there = await takenUp(shop, claude, await worktreeOf(shop));
    await there.prompt("There");
    await shop.restart();
    await there.write("there.ts", A);
    await there.stop();
    const all = (await shop.record()).states.all();
    const files = all.map(({ worktree_id, pending }) => [worktree_id, Object.keys(pending.files)]);
    expect(files.sort()).toEqual([
      ["", ["here.ts"]],
      ["tree", ["there.ts"]],
    ]);
  });
});

it("an agent that goes to a folder which is not recorded works on for its project", async () => {
  const { shop, claude } = await begun();
  const folder = newFolder();
  await claude.hook("UserPromptSubmit", { prompt: "Look there", cwd: folder });
  writeFileSync(join(folder, "x.txt"), "x");
  await claude.write("more.ts", A);
  await claude.stop();
  expect(await promptsAt(shop.root)).toEqual(["Look there", "Here"]);
});

it("a session in another work tree that version 0.1.0 knew goes on, and does not take the place of one here", async () => {
  const shop = await Workshop.open();
  const tree = await worktreeOf(shop);
  const claude = await new FakeClaude(shop, { cwd: tree }).start();
  await claude.turn("There", () => claude.write("there.ts", A));
  const { states } = await shop.record();
  const [known] = states.all();
  if (!known) throw new Error("There is no session.");
  // That version had one file for a session.
  shop.write(`.git/seam/sessions/claude-code/${claude.id}.json`, JSON.stringify(known));
  states.remove(known);
  await shop.restart();
  const here = await takenUp(shop, claude, shop.root);
  await here.turn("Here", () => here.write("here.ts", A));
  const all = (await shop.record()).states.all();
  const files = all.map(({ worktree_id, pending }) => [worktree_id, Object.keys(pending.files)]);
  expect(files.sort()).toEqual([
    ["", ["here.ts"]],
    ["tree", ["there.ts"]],
  ]);
});

it("a session whose work tree was deleted keeps what was stopped in it, and its tokens", async () => {
  const shop = await Workshop.open();
  const tree = await worktreeOf(shop);
  const claude = await new FakeClaude(shop, { cwd: tree }).start();
  const block = { reason: "deletes whole folders.", by: "gate" };
  await claude.turn("Tidy up", async () => {
    await claude.write("a.ts", A);
    await claude.tool("Bash", { command: "rm -rf ." }, () => {}, { block });
  });
  await claude.die();
  shop.git("worktree", "remove", "--force", tree);
  await shop.recorder.sweep();
  const [state] = (await shop.record()).states.all();
  expect(state).toMatchObject({ phase: "ended", ended_by: "process" });
  expect(state?.pending).toMatchObject({
    files: {},
    turns: [{ prompt: "Tidy up" }],
    token_usage: { api_call_count: 3 },
    blocked_calls: [{ tool: "bash", ...block }],
  });
});

it.each(["its folder", "the main work tree"])(
  "a session that deletes its own work tree has the end of its turn, told from %s",
  async (from) => {
    const shop = await Workshop.open();
    const tree = await worktreeOf(shop);
    const cwd = from === "its folder" ? tree : shop.root;
    const claude = await new FakeClaude(shop, { cwd: tree }).start();
    await claude.prompt("Tidy up");
    await claude.write("a.ts", A);
    const command = `git worktree remove --force ${tree}`;
    await claude.tool("Bash", { command }, () => shop.git("worktree", "remove", "--force", tree));
    claude.say([{ type: "text", text: "It is gone." }]);
    await claude.hook("Stop", { cwd });
    await claude.hook("SessionEnd", { reason: "other", cwd });
    const all = (await shop.record()).states.all();
    expect(all).toMatchObject([
      { phase: "ended", ended_by: "agent", token_usage: { api_call_count: 3 } },
    ]);
    expect(JSON.stringify(all)).toContain("It is gone.");
    expect(existsSync(join(shop.root, ".git/worktrees/tree"))).toBe(false);
  },
);

it("a session whose work tree got another name in its turn goes on in it", async () => {
  const shop = await Workshop.open();
  const before = await worktreeOf(shop);
  const after = join(newFolder(), "renamed");
  const claude = await new FakeClaude(shop, { cwd: before }).start();
  await claude.prompt("Go on");
  shop.git("worktree", "move", before, after);
  const file_path = join(after, "a.ts");
  const call = { tool_name: "Write", tool_use_id: "call", tool_input: { file_path, content: A } };
  await claude.hook("PreToolUse", { ...call, cwd: after });
  writeFileSync(file_path, A);
  await claude.hook("PostToolUse", { ...call, cwd: after, tool_response: { ok: true } });
  await claude.hook("Stop", { cwd: after });
  const all = (await shop.record()).states.all();
  expect(all).toMatchObject([{ work_tree: after, phase: "idle" }]);
  expect(Object.keys(all[0]?.pending.files ?? {})).toEqual(["a.ts"]);
});
