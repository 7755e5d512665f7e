import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitProcesses } from "../../git/index.ts";
import { Project } from "../test-kit/project.ts";
import { latestCheckpoints } from "./checkpoints.ts";
import { conversation } from "./conversation.ts";
import { costIn } from "./cost.ts";
import { findCheckpoints } from "./find-checkpoints.ts";
import { humanChanges } from "./human-changes.ts";
import { checkpoint, recordOf, turn } from "./test-kit.ts";
import { sessionsWithTurns, snapshots, turns } from "./turns.ts";

const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

describe("turns", () => {
  test("are listed newest first, with prompt and files, of all sessions or of one", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const a = await turn(record, () => project.write("a.txt", "1\n"), { prompt: "First" });
    const b = await turn(record, () => project.write("b.txt", "2\n"), { session: "other" });
    const c = await turn(record, () => project.write("a.txt", "3\n"));
    const all = await turns(record.store);
    expect(ids(all)).toEqual([c, b, a]);
    expect(all.map(({ files }) => files)).toEqual([["a.txt"], ["b.txt"], ["a.txt"]]);
    expect(all[2]).toMatchObject({
      prompt: "First",
      agent: "claude-code",
      session_id: "session-1",
    });
    expect(ids(await turns(record.store, { session: "session-1" }))).toEqual([c, a]);
    expect(ids(await turns(record.store, { limit: 1 }))).toEqual([c]);
    expect(await sessionsWithTurns(record.store, "sess")).toEqual(["session-1"]);
    expect(await sessionsWithTurns(record.store, "nobody")).toEqual([]);
  });

  test("cost one process more, however many there are", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    for (let at = 0; at < 6; at++) await turn(record, () => project.write("a.txt", `${at}\n`));
    const before = gitProcesses();
    expect(await turns(record.store, { limit: 2 })).toHaveLength(2);
    expect(gitProcesses() - before).toBe(1);
  });

  test("are listed although others put something else there, or objects are missing", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "1\n"));
    project.git("update-ref", "refs/seam/turns/foreign", "HEAD");
    project.git("update-ref", "refs/seam/turns/blob", project.git("rev-parse", "HEAD:README.md"));
    writeFileSync(join(project.root, ".git/refs/seam/turns/gone"), `${"1".repeat(40)}\n`);
    writeFileSync(join(project.root, ".git/refs/seam/turns/junk"), "not an id\n");
    expect(ids(await turns(record.store))).toEqual([id]);
    expect(await snapshots(record.store, { session: "nobody" })).toEqual([]);
  });

  test("tell what others changed in between", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await turn(record, () => project.write("a.txt", "agent\n"));
    project.write("by hand.txt", "human\n");
    const id = await turn(record, () => project.write("a.txt", "agent again\n"));
    await checkpoint(project, record, { metadata: { turn_ids: [id] } });
    const [found] = await latestCheckpoints(record.store, 1);
    const metadata = found?.sessions[0]?.metadata;
    expect(metadata && (await humanChanges(record.store, metadata))).toEqual(["by hand.txt"]);
  });
});

describe("checkpoints", () => {
  test("are listed as they were written, no more than wanted", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const made: string[] = [];
    for (const session of ["a", "b", "a"]) {
      made.unshift(await checkpoint(project, record, { session }));
    }
    expect(ids(await latestCheckpoints(record.store, 2))).toEqual(made.slice(0, 2));
    const ofB = await latestCheckpoints(record.store, 1, ({ sessions }) =>
      sessions.some(({ metadata }) => metadata.session_id === "b"),
    );
    expect(ids(ofB)).toEqual([made[1]]);
  });

  test("that are damaged do not hide the others", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const good = await checkpoint(project, record, { id: "aa0000000001" });
    const bad = await checkpoint(project, record, { id: "bb0000000002" });
    const blob = project.git("rev-parse", `refs/seam/checkpoints/v1:bb/0000000002/metadata.json`);
    rmSync(join(project.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    const again = await recordOf(project.root);
    expect(ids(await latestCheckpoints(again.store, 5))).toEqual([good]);
    await expect(findCheckpoints(again.store, bad)).rejects.toThrow();
  });

  test("are none where the reference leads nowhere", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    project.git("update-ref", "refs/seam/checkpoints/v1", "HEAD");
    expect(await latestCheckpoints(record.store, 5)).toEqual([]);
    await expect(findCheckpoints(record.store, "abcd")).rejects.toThrow(/no commit, checkpoint/);
  });
});

describe("what is behind a commit", () => {
  test("is found by its trailers, also those of a squash", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const [a, b] = [await checkpoint(project, record), await checkpoint(project, record)];
    project.commit(`Squash\n\n* one\n\nSeam-Checkpoint: ${a}\n\n* two\n\nSeam-Checkpoint: ${b}`);
    const found = await findCheckpoints(record.store, "HEAD");
    expect(found.by).toBe("trailer");
    expect(ids(found.checkpoints)).toEqual([a, b]);
  });

  test("is found by the commit, then by its content, if a server dropped the message", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    project.write("a.txt", "by an agent\n");
    const commit = project.commit("Work");
    const files = { "a.txt": project.git("rev-parse", "HEAD:a.txt") };
    const id = await checkpoint(project, record, { commit, files });
    expect(await findCheckpoints(record.store, commit)).toMatchObject({ by: "commit" });
    project.git("checkout", "-q", "-b", "server", "HEAD~1");
    project.write("a.txt", "by an agent\n");
    project.write("b.txt", "more\n");
    project.commit("Squashed (#1)");
    const found = await findCheckpoints(record.store, "server");
    expect(found.by).toBe("content");
    expect(ids(found.checkpoints)).toEqual([id]);
    await expect(findCheckpoints(record.store, "HEAD~1")).rejects.toThrow(/No agent's work/);
  });

  test("is not what an agent brought back later, nor what a person brings back of it", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const commits = [];
    for (const text of ["by hand", "by an agent", "by hand", "by an agent"]) {
      project.write("a.txt", `${text}\n`);
      commits.push(project.commit("Change a"));
    }
    const [first = "", work = "", back = "", revert = ""] = commits;
    for (const commit of [work, back]) {
      const files = { "a.txt": project.git("rev-parse", `${commit}:a.txt`) };
      await checkpoint(project, record, { commit, files });
    }
    for (const commit of [first, revert]) {
      await expect(findCheckpoints(record.store, commit)).rejects.toThrow(/No agent's work/);
    }
  });

  test("is found by content where its own commit is not known, as in a clone", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    project.write("a.txt", "by an agent\n");
    project.commit("Squashed (#1)");
    const files = { "a.txt": project.git("rev-parse", "HEAD:a.txt") };
    const gone = await checkpoint(project, record, { commit: "1".repeat(40), files });
    const odd = await checkpoint(project, record, { commit: "HEAD\n--all", files });
    const found = await findCheckpoints(record.store, "HEAD");
    expect(found.by).toBe("content");
    expect(new Set(ids(found.checkpoints))).toEqual(new Set([gone, odd]));
  });

  test("costs no more by content, however many have it", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    project.write("a.txt", "by an agent\n");
    const commit = project.commit("Work");
    const files = { "a.txt": project.git("rev-parse", "HEAD:a.txt") };
    project.git("checkout", "-q", "-b", "server", "HEAD~1");
    project.write("a.txt", "by an agent\n");
    project.commit("Squashed (#1)");
    const costs: number[] = [];
    for (let many = 1; many < 6; many++) {
      await checkpoint(project, record, { commit, files });
      const before = gitProcesses();
      const { checkpoints } = await findCheckpoints(record.store, "server");
      costs.push(gitProcesses() - before);
      expect(checkpoints).toHaveLength(many);
    }
    expect(new Set(costs.slice(1)).size).toBe(1);
  });

  test("is all that was recorded for it, also without a trailer of its own", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const told = await checkpoint(project, record);
    project.write("a.txt", "by an agent\n");
    const commit = project.commit(`Work\n\nSeam-Checkpoint: ${told}`);
    // A fixup became part of this commit; another one says the same twice.
    const fixup = await checkpoint(project, record, { commit });
    const other = await checkpoint(project, record, { commit: project.git("rev-parse", "HEAD~1") });
    await checkpoint(project, record, { id: told, commit });
    const found = await findCheckpoints(record.store, "HEAD");
    expect(found.by).toBe("trailer");
    expect(ids(found.checkpoints)).toEqual([told, fixup]);
    expect(ids((await findCheckpoints(record.store, "HEAD~1")).checkpoints)).toEqual([other]);
    // What the list says of a commit is what the commit says of the list.
    for (const { id, metadata } of await latestCheckpoints(record.store, 10)) {
      const { checkpoints } = await findCheckpoints(record.store, metadata.commit_sha ?? "");
      expect(ids(checkpoints)).toContain(id);
    }
  });

  test("costs one process more, however many checkpoints there are", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    for (let at = 0; at < 5; at++) await checkpoint(project, record);
    const id = await checkpoint(project, record, { commit: project.git("rev-parse", "HEAD") });
    await findCheckpoints(record.store, "HEAD");
    const before = gitProcesses();
    expect(ids((await findCheckpoints(record.store, "HEAD")).checkpoints)).toEqual([id]);
    expect(gitProcesses() - before).toBe(1);
  });

  test("is not an empty file that both have", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    project.write("empty", "");
    project.commit("By hand");
    const files = { empty: project.git("rev-parse", "HEAD:empty") };
    await checkpoint(project, record, { files });
    await expect(findCheckpoints(record.store, "HEAD")).rejects.toThrow(/No agent's work/);
  });
});

describe("names", () => {
  test("of checkpoints and sessions may be cut, as long as they are clear", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await checkpoint(project, record, { id: "abcd00000001", session: "11-aa" });
    await checkpoint(project, record, { id: "abcd00000002", session: "11-bb" });
    const find = (what: string) => findCheckpoints(record.store, what);
    expect(ids((await find("abcd00000002")).checkpoints)).toEqual(["abcd00000002"]);
    await expect(find("abcd")).rejects.toThrow(/Several ids start with "abcd"/);
    expect(await find("11-a")).toMatchObject({ by: "session" });
    await expect(find("11-")).rejects.toThrow(/Several ids start with "11-"/);
    for (const what of ["", "--all", "a\nb", "HEAD:README.md"]) {
      await expect(find(what)).rejects.toThrow(/no commit, checkpoint, session/);
    }
  });
});

describe("a conversation", () => {
  test("is the checkpoint's part of the transcript, with skills to fold", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const call = { type: "tool_use", id: "toolu_1", name: "Skill", input: { skill: "review" } };
    const back = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };
    const lines = [
      { type: "user", uuid: "u0", message: { role: "user", content: "Before" } },
      { type: "user", uuid: "u1", message: { role: "user", content: "Now" } },
      { type: "assistant", uuid: "a1", message: { role: "assistant", id: "m", content: [call] } },
      { type: "user", uuid: "u2", message: { role: "user", content: [back] } },
    ];
    const event = {
      id: "claude-skill-toolu_1",
      event_type: "tool_invocation",
      skill: { name: "review" },
      source: { agent: "claude-code", signal: "skill_tool_use", confidence: "explicit" },
      transcript_anchor: { unit: "line", start: 2, end: 3, tool_use_id: "toolu_1" },
      collapse: { target: "tool_pair", label: "Skill: review", default_collapsed: true },
    } as const;
    await checkpoint(project, record, {
      lines,
      metadata: { checkpoint_transcript_start: 1, skill_events: [event as never] },
    });
    const [found] = await latestCheckpoints(record.store, 1);
    const session = found?.sessions[0];
    const said = found && session && (await conversation(record.store, found, session));
    expect(said?.map(({ entry, skill }) => [entry.kind, skill?.skill.name])).toEqual([
      ["user", undefined],
      ["assistant", undefined],
      ["tool_call", "review"],
      ["tool_result", "review"],
    ]);
  });
});

describe("what it cost", () => {
  test("is what the agent wrote down in the part, or unknown", () => {
    const line = (total: unknown) => JSON.stringify({ message: { usage: { cost: { total } } } });
    const text = [line(1), line(0.25), "{ cut", line("x"), line(0.5), ""].join("\n");
    expect(costIn(Buffer.from(text), 1)).toBe(0.75);
    const aider = [
      "> Tokens: 2.1k sent, 120 received. Cost: $0.02 message, $0.02 session.  ",
      "Text with > Tokens: and no Cost: $5 message",
      "> Tokens: 12k sent, 950 received. Cost: $0.25 message, $0.27 session.  ",
      "> 33712 prompt tokens, 95 completion tokens, $0.5 cost  ",
    ].join("\n");
    expect(costIn(Buffer.from(aider), 0)).toBeCloseTo(0.77);
    expect(costIn(Buffer.from(aider), 2, 3)).toBe(0.25);
    expect(costIn(Buffer.from(text), 5)).toBeUndefined();
    expect(costIn(Buffer.from('{"message":{}}\n'), 0)).toBeUndefined();
    const messages = [
      { info: { cost: 1 } },
      { info: {} },
      { info: { cost: 0.5 } },
      { info: { cost: 2 } },
    ];
    const opencode = Buffer.from(JSON.stringify({ info: { cost: 3.5 }, messages }, null, 2));
    expect([costIn(opencode, 0), costIn(opencode, 1, 3)]).toEqual([3.5, 0.5]);
    expect(costIn(Buffer.from(`{"messages":[{"info":{"cost":0}}]}`), 0)).toBeUndefined();
    // Who knows no price writes down that it was free.
    const free = JSON.stringify({ message: { usage: { cost: { total: 0 } } } });
    expect(costIn(Buffer.from(`${free}\n`), 0)).toBeUndefined();
  });
});
