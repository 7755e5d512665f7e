import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordOf, turn } from "../history/test-kit.ts";
import { turns } from "../history/turns.ts";
import type { RepoRecord } from "../repo-record.ts";
import { newTurnId } from "../session/step.ts";
import { takeSnapshot } from "../snapshot/take-snapshot.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { newFolder, Project } from "../test-kit/project.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { undoneOthers } from "./others-work.ts";
import { planRewind } from "./plan.ts";
import { rewind, undoTarget } from "./rewind.ts";
import { findTarget } from "./target.ts";

const planTo = async (record: RepoRecord, what: string, moment?: "start" | "end") =>
  planRewind(record, await findTarget(record.store, what, moment));

const others = async (record: RepoRecord, what: string, moment?: "start" | "end") =>
  undoneOthers(record, await planTo(record, what, moment));

const two = { session: "session-2" };

describe("a rewind to a turn", () => {
  test("undoes nobody else's work where only its own session changed files", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const first = await turn(record, () => project.write("a.txt", "one\n"));
    await turn(record, () => project.write("b.txt", "two\n"));
    expect(await others(record, first)).toEqual([]);
  });

  test("names another session with its files, and what was changed outside any turn", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const first = await turn(record, () => project.write("a.txt", "one\n"));
    await turn(record, () => project.write("theirs.txt", "two\n"), two);
    project.write("mine.txt", "by hand\n");
    expect(await others(record, first)).toEqual([
      { who: "session", agent: "claude-code", session_id: "session-2", files: ["theirs.txt"] },
      { who: "outside", files: ["mine.txt"] },
    ]);
    const after = await others(record, first, "end");
    expect(after.map(({ files }) => files)).toEqual([["theirs.txt"], ["mine.txt"]]);
  });

  test("names a person's change between two turns, also to a file of the agent's", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const first = await turn(record, () => project.write("a.txt", "one\n"));
    project.write("a.txt", "one, and a fix\n");
    rmSync(join(project.root, "README.md"));
    await turn(record, () => project.write("b.txt", "two\n"));
    expect(await others(record, first)).toEqual([
      { who: "outside", files: ["README.md", "a.txt"] },
    ]);
  });

  test("does not name what would not be undone", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await turn(record, () => project.write("theirs.txt", "early\n"), two);
    const mine = await turn(record, () => project.write("a.txt", "one\n"));
    expect(await others(record, mine)).toEqual([]);
  });

  test("takes an earlier rewind for nobody's work", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const first = await turn(record, () => project.write("a.txt", "one\n"));
    const second = await turn(record, () => project.write("b.txt", "two\n"));
    await rewind(record, await planTo(record, second));
    expect(await others(record, first)).toEqual([]);
    await rewind(record, await planTo(record, first));
    expect(await undoneOthers(record, await planRewind(record, await undoTarget(record)))).toEqual(
      [],
    );
    project.write("c.txt", "by hand\n");
    expect(await undoneOthers(record, await planRewind(record, await undoTarget(record)))).toEqual([
      { who: "outside", files: ["c.txt"] },
    ]);
  });

  test("of another work tree says that this one would become that one", async () => {
    const project = new Project();
    const tree = join(newFolder(), "tree");
    project.git("worktree", "add", "-q", tree);
    const [here, there] = [await recordOf(project.root), await recordOf(tree)];
    const id = await turn(there, () => {});
    project.write("mine.txt", "here\n");
    expect(await others(here, id)).toEqual([
      { who: "work tree", work_tree: tree, files: ["mine.txt"] },
    ]);
    expect(await others(there, id)).toEqual([]);
  });
});

describe("a rewind to a commit", () => {
  /** After the commit, which git dates itself. */
  const after = Date.now() + 60_000;
  let moments = 0;
  const moment = () => new Date(after + moments++ * 1_000).toISOString();

  async function work(record: RepoRecord, session: string, doIt: () => void): Promise<void> {
    const about = { session_id: session, agent: "codex", turn_id: newTurnId() };
    await takeSnapshot(record, { ...about, moment: "start", at: moment() });
    doIt();
    await takeSnapshot(record, { ...about, moment: "end", at: moment() });
  }

  test("names sessions where there were several, and always what was changed by hand", async () => {
    const project = new Project();
    project.write("LICENSE", "none\n");
    project.commit("Another file");
    const record = await recordOf(project.root);
    await work(record, "one", () => project.write("README.md", "one\n"));
    expect(await others(record, "HEAD")).toEqual([]);
    await work(record, "two", () => project.write("LICENSE", "two\n"));
    expect(await others(record, "HEAD")).toEqual([
      { who: "session", agent: "codex", session_id: "one", files: ["README.md"] },
      { who: "session", agent: "codex", session_id: "two", files: ["LICENSE"] },
    ]);
    project.write("README.md", "by hand\n");
    expect((await others(record, "HEAD")).at(-1)).toEqual({ who: "outside", files: ["README.md"] });
  });
});

describe("two agents at work at the same time", () => {
  test("each is named for its own files, and a person for what neither wrote", async () => {
    const shop = await Workshop.open();
    const [one, other] = [new FakeClaude(shop), new FakeClaude(shop)];
    await (await one.start()).prompt("One");
    await (await other.start()).prompt("Other");
    await one.write("one.txt", "1\n");
    await other.write("other.txt", "2\n");
    shop.write("person.txt", "3\n");
    await one.stop();
    await other.stop();
    const record = await shop.record();
    const [state] = record.states.all().filter(({ session_id }) => session_id === one.id);
    expect(await others(record, state?.turn_id ?? "")).toEqual([
      { who: "session", agent: "claude-code", session_id: other.id, files: ["other.txt"] },
      { who: "outside", files: ["person.txt"] },
    ]);
  });

  test("each is named for its own files also when all of it is committed", async () => {
    const shop = await Workshop.open();
    const [one, other] = [new FakeClaude(shop), new FakeClaude(shop)];
    await (await one.start()).prompt("One");
    await (await other.start()).prompt("Other");
    await one.write("one.txt", "1\n");
    await other.write("other.txt", "2\n");
    await other.bash("true");
    await one.bash("git add -A && git commit -q -m Both");
    for (const agent of [one, other]) {
      await agent.stop();
      await agent.prompt("What else?");
      await agent.stop();
    }
    const record = await shop.record();
    const first = (await turns(record.store)).find(({ prompt }) => prompt === "One");
    expect(await others(record, first?.id ?? "")).toEqual([
      { who: "session", agent: "claude-code", session_id: other.id, files: ["other.txt"] },
    ]);
  });
});
