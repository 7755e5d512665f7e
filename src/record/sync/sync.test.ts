import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ObjectBatch, updateRef } from "../../git/index.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { forget } from "../forget/forget.ts";
import { allCheckpoints } from "../history/checkpoints.ts";
import { checkpoint, recordOf, turn } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { newFolder, Project } from "../test-kit/project.ts";
import { remoteNamed } from "./remote.ts";
import { type SyncOptions, sync } from "./sync.ts";

const REF = "refs/seam/checkpoints/v1";
const BOTH: SyncOptions = { push: true, fetch: true };

interface Side {
  readonly project: Project;
  readonly record: RepoRecord;
}

/** Two clones of nothing in common, and a bare repository between them. */
async function sides(): Promise<{ hub: string; one: Side; two: Side }> {
  const hub = newFolder();
  const make = async (): Promise<Side> => {
    const project = new Project();
    project.git("remote", "add", "origin", hub);
    return { project, record: await recordOf(project.root) };
  };
  const [one, two] = [await make(), await make()];
  one.project.in(hub, "init", "-q", "--bare");
  return { hub, one, two };
}

async function syncWith({ record }: Side, options: Partial<SyncOptions> = {}, remote = "origin") {
  const { store, repo } = record;
  return sync(store, await remoteNamed(repo, remote), { ...BOTH, ...options });
}

const ids = async ({ record }: Side) =>
  (await allCheckpoints(record.store)).map(({ id }) => id).sort();

const line = (text: string) => ({ type: "user", uuid: text, message: { content: text } });

describe("checkpoints are exchanged", () => {
  test("in both directions until both sides have all, and then nothing more", async () => {
    const { hub, one, two } = await sides();
    const a = await checkpoint(one.project, one.record);
    const b = await checkpoint(two.project, two.record);
    expect(await syncWith(one)).toMatchObject({ received: [], sent: [a], pushed: true });
    expect(await syncWith(two)).toMatchObject({ received: [a], sent: [b], pushed: true });
    expect(await syncWith(one)).toMatchObject({ received: [b], sent: [], pushed: false });
    expect(await ids(one)).toEqual([a, b].sort());
    expect(await ids(two)).toEqual([a, b].sort());
    expect(one.project.git("rev-parse", REF)).toBe(two.project.git("rev-parse", REF));
    expect(await syncWith(two)).toMatchObject({ received: [], sent: [], pushed: false });
    expect(one.project.in(hub, "rev-parse", REF)).toBe(one.project.git("rev-parse", REF));
    for (const { project } of [one, two]) expect(project.isSound()).toBe(true);
  });

  test("and nothing else is: no turns, no branches, no tags", async () => {
    const { hub, one } = await sides();
    await checkpoint(one.project, one.record);
    await turn(one.record, () => one.project.write("a.txt", "a\n"));
    one.project.git("tag", "-a", "-m", "t", "v1");
    one.project.git("config", "push.followTags", "true");
    one.project.git("config", "remote.origin.push", "refs/*:refs/*");
    await syncWith(one);
    const refs = one.project.in(hub, "for-each-ref", "--format=%(refname)");
    expect(refs).toBe(REF);
  });

  test("with a URL that is no remote", async () => {
    const { one } = await sides();
    const url = newFolder();
    one.project.in(url, "init", "-q", "--bare");
    const id = await checkpoint(one.project, one.record);
    expect(await syncWith(one, {}, url)).toMatchObject({ sent: [id], pushed: true });
    expect(await syncWith(one, {}, `file://${url}`)).toMatchObject({ sent: [], pushed: false });
  });

  test("only in the direction that was asked for", async () => {
    const { hub, one, two } = await sides();
    const a = await checkpoint(one.project, one.record);
    const b = await checkpoint(two.project, two.record);
    await syncWith(one);
    expect(await syncWith(two, { push: false })).toMatchObject({ received: [a], pushed: false });
    expect(await ids(two)).toEqual([a, b].sort());
    expect(one.project.in(hub, "ls-tree", "-r", "--name-only", REF)).not.toContain(b.slice(2));
    const c = await checkpoint(one.project, one.record);
    await syncWith(two);
    await syncWith(one, { fetch: false });
    expect(await ids(one)).toEqual([a, c].sort());
    await syncWith(two);
    expect(await ids(two)).toEqual([a, b, c].sort());
  });

  test("not at all in a dry run, nor when the user says no", async () => {
    const { hub, one, two } = await sides();
    const a = await checkpoint(one.project, one.record);
    await syncWith(one);
    const b = await checkpoint(two.project, two.record);
    const before = two.project.git("rev-parse", REF);
    expect(await syncWith(two, { dryRun: true })).toMatchObject({
      received: [a],
      sent: [b],
      pushed: false,
    });
    expect(two.project.git("rev-parse", REF)).toBe(before);
    const asked: unknown[] = [];
    const confirm = (outgoing: unknown) => asked.push(outgoing) < 0;
    expect(await syncWith(two, { confirm })).toMatchObject({ pushed: false });
    expect(asked).toMatchObject([{ ids: [b], isFirst: false }]);
    expect((asked[0] as { bytes: number }).bytes).toBeGreaterThan(100);
    expect(one.project.in(hub, "ls-tree", "-r", "--name-only", REF)).not.toContain(b.slice(2));
  });

  test("also when somebody else is faster", async () => {
    const { one, two } = await sides();
    const a = await checkpoint(one.project, one.record);
    const b = await checkpoint(two.project, two.record);
    let isFirst = true;
    const confirm = async () => {
      if (isFirst) await syncWith(two);
      isFirst = false;
      return true;
    };
    expect(await syncWith(one, { confirm })).toMatchObject({ received: [b], pushed: true });
    expect(await ids(one)).toEqual([a, b].sort());
  });

  test("of which both sides have a version: every session in its longer form", async () => {
    const { one, two } = await sides();
    const id = await checkpoint(one.project, one.record, { session: "s1", lines: [line("a")] });
    await syncWith(one);
    await syncWith(two);
    // Here one session grows and another is added, there a third one is.
    const grown = [line("a"), line("b")];
    await checkpoint(one.project, one.record, { id, session: "s1", lines: grown });
    await checkpoint(one.project, one.record, { id, session: "s2", lines: [line("c")] });
    await checkpoint(two.project, two.record, { id, session: "s3", lines: [line("d")] });
    await syncWith(one);
    await syncWith(two);
    await syncWith(one);
    const read = async ({ record }: Side) => readCheckpoint(record.store, id);
    const [mine, yours] = [await read(one), await read(two)];
    expect(mine?.tree).toBe(yours?.tree);
    expect(mine?.sessions.map(({ metadata }) => metadata.session_id)).toEqual(["s1", "s2", "s3"]);
    const folder = `${id.slice(0, 2)}/${id.slice(2)}`;
    expect(mine?.metadata.sessions.map(({ metadata }) => metadata)).toEqual(
      [0, 1, 2].map((index) => `/${folder}/${index}/metadata.json`),
    );
    const stored = one.project.git("show", `${REF}:${folder}/0/full.jsonl`);
    expect(stored.split("\n")).toHaveLength(2);
    expect(mine?.metadata.checkpoints_count).toBe(3);
  });
});

describe("an exchange that cannot be", () => {
  test("says why, and changes nothing", async () => {
    const { one } = await sides();
    await checkpoint(one.project, one.record);
    const before = one.project.git("rev-parse", REF);
    await expect(syncWith(one, {}, "nowhere")).rejects.toThrow(/no remote "nowhere"/);
    await expect(syncWith(one, {}, "--upload-pack=evil /x")).rejects.toThrow(/no remote/);
    await expect(syncWith(one, {}, "/not/there")).rejects.toThrow(/could not be fetched/);
    await expect(syncWith(one, {}, "https://user:secret@127.0.0.1:1/x.git")).rejects.not.toThrow(
      /secret/,
    );
    expect(one.project.git("rev-parse", REF)).toBe(before);
  });

  test("because the other side refuses it is told in its words", async () => {
    const { hub, one } = await sides();
    await checkpoint(one.project, one.record);
    writeFileSync(
      join(hub, "hooks/pre-receive"),
      "#!/bin/sh\necho no checkpoints here >&2\nexit 1\n",
      {
        mode: 0o755,
      },
    );
    await expect(syncWith(one)).rejects.toThrow(/no checkpoints here/);
  });

  test("with something that is no checkpoint keeps both", async () => {
    const { one, two } = await sides();
    const a = await checkpoint(one.project, one.record);
    const batch = new ObjectBatch(two.record.store);
    const blob = await batch.writeBlob(Buffer.from("{ cut off"));
    const shard = a.slice(0, 2);
    const files = [{ name: "metadata.json", mode: "100644", id: blob }] as never[];
    const folder = await batch.writeTree(files);
    const inner = await batch.writeTree([
      { name: a.slice(2), mode: "40000", id: folder },
    ] as never[]);
    const tree = await batch.writeTree([
      { name: shard, mode: "40000", id: inner },
      { name: "NOTES", mode: "100644", id: blob },
    ] as never[]);
    const who = { name: "x", email: "x@example.com", time: 1, offset: 0 };
    const about = { tree, parents: [], author: who, committer: who, message: "odd\n" };
    const commit = await batch.writeCommit(about);
    await updateRef(two.record.repo, REF, commit, null);
    await syncWith(two);
    await syncWith(one);
    await syncWith(two);
    expect(await ids(two)).toEqual([a]);
    expect(one.project.git("show", `${REF}:NOTES`)).toBe("{ cut off");
  });
});

describe("what somebody deleted on the other side", () => {
  test("is not sent there again by whoever had fetched it, unless they say so", async () => {
    const { hub, one, two } = await sides();
    await checkpoint(one.project, one.record, { session: "secret" });
    const kept = await checkpoint(one.project, one.record, { session: "other" });
    await syncWith(one);
    await syncWith(two);
    await forget(one.record, "secret");
    expect(await syncWith(one, { forget: true })).toMatchObject({ pushed: true });
    const there = () => one.project.in(hub, "ls-tree", "-r", "--name-only", REF);
    const without = there();
    const withdrawn = { pushed: false, sent: [], withdrawn: ["secret"] };
    expect(await syncWith(two)).toMatchObject(withdrawn);
    await syncWith(two, { push: false });
    await checkpoint(two.project, two.record, { session: "more" });
    expect(await syncWith(two)).toMatchObject(withdrawn);
    expect(there()).toBe(without);
    await forget(two.record, "secret");
    expect(await syncWith(two)).toMatchObject({ pushed: true });
    expect(await syncWith(one)).toMatchObject({ pushed: false });
    expect(await ids(one)).toContain(kept);
    expect(await ids(one)).toEqual(await ids(two));
    expect(await ids(one)).toHaveLength(2);
  });

  test("goes there again if that is wanted", async () => {
    const { one, two } = await sides();
    const id = await checkpoint(one.project, one.record, { session: "secret" });
    await checkpoint(one.project, one.record, { session: "other" });
    await syncWith(one);
    await syncWith(two);
    await forget(one.record, "secret");
    await syncWith(one, { forget: true });
    expect(await syncWith(two, { sendBack: true })).toMatchObject({ pushed: true, sent: [id] });
  });
});
