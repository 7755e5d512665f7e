import { mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRepo } from "../git/index.ts";
import { readCheckpoint } from "./checkpoint/read-checkpoint.ts";
import { installGitHooks } from "./git-hooks/install.ts";
import { turns } from "./history/turns.ts";
import { openRepoRecord } from "./repo-record.ts";
import { findSessions } from "./resume/find-sessions.ts";
import { resume } from "./resume/resume.ts";
import { enableRecord } from "./seam-dir.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { newFolder, Project } from "./test-kit/project.ts";
import { Workshop } from "./test-kit/workshop.ts";

it("a turn names the files that its tools wrote in other repositories, and the next one does not", async () => {
  const shop = await Workshop.open();
  const sibling = newFolder();
  shop.in(sibling, "init", "-q");
  mkdirSync(join(shop.root, "inner"));
  shop.in(join(shop.root, "inner"), "init", "-q");
  const claude = await new FakeClaude(shop).start();
  const elsewhere = [join(sibling, "b.ts"), join(shop.root, "inner/c.ts")];
  await claude.turn("Write everywhere", async () => {
    await claude.write("a.ts", "export const a = 1;\n");
    for (const path of [...elsewhere, ...elsewhere]) await claude.write(path, "somewhere else\n");
  });
  await claude.turn("Only here", () => claude.write("a.ts", "export const a = 2;\n"));
  const [last, first] = await turns((await shop.record()).store);
  expect(first).toMatchObject({ files: ["a.ts"], elsewhere });
  expect(last).toMatchObject({ files: ["a.ts"] });
  expect(last).not.toHaveProperty("elsewhere");
});

/** A second repository that is recorded, beside the one of the workshop. */
async function neighbour(): Promise<Project> {
  const other = new Project();
  const repo = await openRepo(other.root);
  if (!repo) throw new Error("There is no repository.");
  enableRecord(repo);
  await installGitHooks(repo);
  return other;
}

const recordOf = async (folder: string) => {
  const repo = await openRepo(folder);
  if (!repo) throw new Error("There is no repository.");
  const record = openRepoRecord(repo);
  onTestFinished(() => record.store.close());
  return record;
};

it.each([
  ["a file of a tool", (claude: FakeClaude, path: string) => claude.write(path, "there\n")],
  [
    "a command",
    (claude: FakeClaude, path: string) => claude.bash(`cd ${dirname(path)}; echo there > b.ts`),
  ],
])(
  "a commit that an agent makes in another recorded repository has its session: %s",
  async (_, write) => {
    const shop = await Workshop.open();
    const other = await neighbour();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("First here", () => claude.write("a.ts", "export const a = 1;\n"));
    const commit = `cd ${other.root} && git add -A && git commit -qm There`;
    await claude.turn("Now next door", async () => {
      await write(claude, join(other.root, "b.ts"));
      await claude.bash(commit);
      await claude.write("a.ts", "export const a = 2;\n");
    });
    const { store } = await recordOf(other.root);
    const [, id = ""] =
      /^Seam-Checkpoint: (\S+)$/m.exec(other.git("log", "-1", "--format=%B")) ?? [];
    const found = await readCheckpoint(store, id);
    expect(found?.sessions[0]?.metadata).toMatchObject({
      session_id: claude.id,
      files_touched: ["b.ts"],
      works_in: relative(other.root, shop.root),
    });
    const [guest] = await findSessions(await recordOf(other.root), id);
    const where = { home: shop.home, env: {} };
    await expect(guest && resume(await recordOf(other.root), guest, where)).rejects.toMatchObject({
      code: "SEAM_RECORD_GUEST",
      details: { home: shop.root },
    });
    // Tokens count once, and what was said about this repository stays in it.
    expect(found?.sessions[0]?.metadata).not.toHaveProperty("token_usage");
    expect(found?.metadata.sessions[0]).not.toHaveProperty("transcript");
    const there = await turns(store);
    expect(there.map(({ prompt, files }) => [prompt, files])).toEqual([
      ["Now next door", ["b.ts"]],
    ]);
    expect(there[0]?.story).toMatchObject({ works_in: relative(other.root, shop.root) });
    const texts = JSON.stringify(there[0]?.story?.told);
    expect(texts).not.toContain("First here");

    const here = await turns((await shop.record()).store);
    expect(here.map(({ prompt }) => prompt)).toEqual(["Now next door", "First here"]);
    const checkpoint = await shop.checkpoint(await shop.commitAll("Here"));
    expect(checkpoint.sessions[0]?.metadata.token_usage?.api_call_count).toBe(6);
    expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  },
);

it("a guest without a commit is resumed where it got its prompt, also from another work tree", async () => {
  const shop = await Workshop.open();
  const other = await neighbour();
  const linked = join(other.home, "linked");
  other.git("worktree", "add", "-q", "-b", "side", linked);
  const claude = await new FakeClaude(shop).start();
  const where = { home: shop.home, env: {} };
  const refusal = { code: "SEAM_RECORD_GUEST", details: { session: claude.id, home: shop.root } };
  const resumedIn = async (folder: string) => {
    const record = await recordOf(folder);
    const found = await findSessions(record, claude.id);
    expect(found).toHaveLength(1);
    return Promise.all(found.map((one) => resume(record, one, where)));
  };
  await claude.turn("Next door", async () => {
    await claude.write(join(other.root, "b.ts"), "there\n");
    await expect(resumedIn(other.root)).rejects.toMatchObject(refusal);
  });
  for (const folder of [other.root, linked]) {
    await expect(resumedIn(folder)).rejects.toMatchObject(refusal);
  }
  // From then on it is at home there, in a work tree of its own.
  const moved = await new FakeClaude(shop, { id: claude.id, cwd: linked }).start();
  await moved.turn("Here now", () => moved.write(join(linked, "c.ts"), "here\n"));
  for (const folder of [other.root, linked]) {
    expect(await resumedIn(folder)).toMatchObject([{ folder: linked, written: false }]);
  }
});
