import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { noTokens } from "../../events/index.ts";
import { checkpoint, recordOf, turn } from "../history/test-kit.ts";
import { turnNamed, turns } from "../history/turns.ts";
import { recordStatus } from "../record-status.ts";
import { planRewind } from "../rewind/plan.ts";
import { rewind } from "../rewind/rewind.ts";
import { findTarget } from "../rewind/target.ts";
import { enableRecord } from "../seam-dir.ts";
import { newState, nothingPending } from "../session/new-state.ts";
import type { SessionState } from "../session/state.ts";
import type { TurnStory } from "../session/turn-story.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { Project } from "../test-kit/project.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { clean } from "./clean.ts";

const AT = "2026-05-25T12:00:00Z";
const DAY = 24 * 60 * 60 * 1000;

function state(project: Project, session_id: string, more: Partial<SessionState>): SessionState {
  const where = { work_tree: project.root, worktree_id: "" };
  return { ...newState({ session_id, agent: "claude-code", ...where }, AT), ...more };
}

const touched = { ...nothingPending(), files: { "a.txt": { blob: "0".repeat(40), turn: "t" } } };
const STORY: TurnStory = {
  token_usage: { ...noTokens(), input_tokens: 7, api_call_count: 1 },
  told: { entries: [{ kind: "call", tool: "bash", text: "ls" }] },
};
const EVERYTHING = { sessions: true, turns: true };

describe("a clean-up", () => {
  test("removes sessions that are over, and none that something can still come of", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const { states } = record;
    states.put(state(project, "over", { phase: "ended" }));
    states.put(state(project, "at-work", { phase: "active" }));
    states.put(state(project, "uncommitted", { phase: "ended", pending: touched }));
    states.put(state(project, "unfinished", { phase: "ended", turn_checkpoint_ids: ["x"] }));
    const last_seen_at = new Date().toISOString();
    states.put(state(project, "open", { phase: "idle", last_seen_at }));
    states.put(state(project, "silent", { phase: "idle" }));
    states.put(state(project, "killed", { phase: "idle", owner: { pid: 2 ** 30, started: "1" } }));
    const done = await clean(record, { sessions: true, turns: false });
    expect([...done.sessions].sort()).toEqual(["killed", "over", "silent"]);
    expect(done.fileBytes).toBeGreaterThan(100);
    const left = states.all().map(({ session_id }) => session_id);
    expect(left.sort()).toEqual(["at-work", "open", "uncommitted", "unfinished"]);
    expect(
      states
        .live()
        .map(({ session_id }) => session_id)
        .sort(),
    ).toEqual(["at-work", "uncommitted"]);
  });

  test("removes the files of old snapshots, but not what happened, and neither those of open sessions nor a checkpoint", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await checkpoint(project, record);
    await turn(record, () => project.write("a.txt", "a\n"), { session: "old" });
    await turn(record, () => project.write("a.txt", "b\n"), { session: "open" });
    record.states.put(state(project, "open", { phase: "active" }));
    project.git("update-ref", "refs/seam/turns/foreign", "HEAD");
    const before = project.git("rev-parse", "refs/seam/checkpoints/v1");
    const young = { turnAgeMs: 30 * DAY, now: Date.parse("2026-05-26T12:00:00Z") };
    expect((await clean(record, { ...EVERYTHING, ...young })).turns).toEqual([]);
    const old = { turnAgeMs: 30 * DAY, now: Date.parse("2026-07-26T12:00:00Z") };
    const dry = await clean(record, { ...EVERYTHING, ...old, dryRun: true });
    expect(dry.turns).toEqual(["old"]);
    expect(dry.objectBytes).toBeGreaterThan(0);
    expect(project.git("ls-tree", "refs/seam/turns/old")).not.toBe("");
    expect(await clean(record, { ...EVERYTHING, ...old })).toEqual(dry);
    expect(project.git("for-each-ref", "--format=%(refname)", "refs/seam").split("\n")).toEqual([
      "refs/seam/checkpoints/v1",
      "refs/seam/turns/foreign",
      "refs/seam/turns/old",
      "refs/seam/turns/open",
    ]);
    expect(project.git("ls-tree", "refs/seam/turns/old")).toBe("");
    expect(project.git("ls-tree", "refs/seam/turns/open")).not.toBe("");
    expect(project.git("rev-parse", "refs/seam/checkpoints/v1")).toBe(before);
  });

  test("removes states saved before rewinds, and what broken-off work left", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "a\n"));
    const target = await findTarget(record.store, id);
    const { ref } = await rewind(record, await planRewind(record, target));
    const names = [
      "reserved/0123456789ab",
      "sessions/claude-code/x.json.1.tmp",
      "rewind-index.lock",
    ];
    const files = names.map((name) => project.write(`.git/seam/${name}`, "x"));
    expect((await clean(record, { sessions: true, turns: false })).leftovers).toEqual([]);
    for (const file of files) utimesSync(file, 1, 1);
    const done = await clean(record, EVERYTHING);
    expect([done.turns, done.refs]).toEqual([["session-1"], [ref]]);
    expect([...done.leftovers].sort()).toEqual([...files].sort());
    expect(files.filter((file) => existsSync(file))).toEqual([]);
    expect(existsSync(join(project.root, ".git/seam/rewind.json"))).toBe(true);
    expect(await clean(record, EVERYTHING)).toMatchObject({
      sessions: [],
      turns: [],
      refs: [],
      leftovers: [],
    });
  });
});

describe("a clean-up never removes the only evidence", () => {
  test("of a turn: what it was, did and used stays when its files go", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "a\n"), { story: STORY });
    await clean(record, EVERYTHING);
    const told = await turnNamed(record.store, id);
    expect(told).toMatchObject({ prompt: "Do it", story: STORY, files: ["a.txt"], thinned: true });
    await expect(findTarget(record.store, id)).rejects.toThrow(id);
    // The session may go on.
    const next = await turn(record, () => project.write("b.txt", "b\n"));
    expect((await turnNamed(record.store, next))?.files).toEqual(["b.txt"]);
  });

  test("of what was stopped: a state stays until the story of its turns is in git", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => {}, { story: STORY });
    const stopped = (turn_id: string) => ({
      ...nothingPending(),
      turns: [{ id: turn_id, prompt: "Do it", transcript_start: 0 }],
      blocked_calls: [{ tool: "bash", turn_id, at: AT, reason: "no" }],
    });
    const over = { phase: "ended" } as const;
    record.states.put(state(project, "session-1", { ...over, pending: stopped(id) }));
    record.states.put(state(project, "untold", { ...over, pending: stopped("0123456789ab") }));
    const done = await clean(record, EVERYTHING);
    expect([done.sessions, done.kept]).toEqual([["session-1"], ["untold"]]);
    expect(record.states.all().map(({ session_id }) => session_id)).toEqual(["untold"]);
  });
});

describe("the status of a record", () => {
  test("says what is on, at work, stored and not exchanged", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    expect(await recordStatus(record.repo)).toMatchObject({
      enabled: false,
      sessions: [],
      checkpoints: 0,
      unsynced: 0,
      synced: false,
    });
    enableRecord(record.repo);
    await checkpoint(project, record);
    project.git("update-ref", "refs/seam/remotes/origin/v1", "refs/seam/checkpoints/v1");
    await checkpoint(project, record);
    record.states.put(state(project, "s", { phase: "ended", pending: touched }));
    expect(await recordStatus(record.repo)).toMatchObject({
      enabled: true,
      hooks: { "post-commit": "missing" },
      sessions: [{ session_id: "s", phase: "ended", pending_files: ["a.txt"] }],
      checkpoints: 2,
      unsynced: 1,
      synced: true,
      brokenRewind: false,
    });
  });
});

/** A session of months ago that is over, and one of the same day with a file in no commit. */
async function longAgo(days: number) {
  const shop = await Workshop.open({ keepDays: () => days });
  const over = await new FakeClaude(shop).start();
  await over.turn("Write a", () => over.write("a.ts", "1\n"));
  const id = await shop.commitAll("a");
  await over.hook("SessionEnd", { reason: "exit" });
  const waits = await new FakeClaude(shop).start();
  await waits.turn("Write b", () => waits.write("b.ts", "1\n"));
  await waits.hook("SessionEnd", { reason: "exit" });
  const isThere = ({ id: session }: FakeClaude) =>
    existsSync(join(shop.root, `.git/seam/sessions/claude-code/${session}.json`));
  const thinned = async ({ id: session }: FakeClaude) =>
    (await turns((await shop.record()).store, { session })).map(
      ({ end }) => end?.record.thinned === true,
    );
  return { shop, over, waits, id, isThere, thinned };
}

it("what is older than the user wants is removed, and what happened stays", async () => {
  const { shop, over, waits, id, isThere, thinned } = await longAgo(90);
  expect(await thinned(over)).toEqual([false]);
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(false);
  expect(await thinned(over)).toEqual([true]);
  const [turn] = await turns((await shop.record()).store, { session: over.id });
  expect(turn?.prompt).toBe("Write a");
  expect((await shop.checkpoint(id)).sessions).toHaveLength(1);
  expect(isThere(waits)).toBe(true);
  expect(await thinned(waits)).toEqual([false]);
});

it("that is looked at once a day", async () => {
  const { shop, over, isThere } = await longAgo(90);
  const marker = shop.write(".git/seam/aged", "");
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(true);
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  utimesSync(marker, yesterday, yesterday);
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(false);
});

it.each([0, 36_500])("with %i days nothing of it is removed", async (days) => {
  const { shop, over, isThere, thinned } = await longAgo(days);
  await shop.recorder.sweep();
  expect(isThere(over)).toBe(true);
  expect(await thinned(over)).toEqual([false]);
});
