import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCheckpoint, readTranscript } from "../checkpoint/read-checkpoint.ts";
import { findCheckpoints } from "../history/find-checkpoints.ts";
import { checkpoint, recordOf } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { secretRemover } from "../secret-remover.ts";
import { Project } from "../test-kit/project.ts";
import { importEntire } from "./import-entire.ts";

const FIXTURE = join(import.meta.dirname, "test-kit");
const ID = "00d5a39e185b";
const ULID = "01K5ABCDEFGHJKMNPQRSTVWXYZ";
const REF = "refs/seam/checkpoints/v1";
const SECRET = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

const fixture = (path: string) => readFileSync(join(FIXTURE, path), "utf8");
const redactor = secretRemover(() => {});
const bringIn = (record: RepoRecord) => importEntire(record, { redactor });

type Files = Readonly<Record<string, string>>;

/** Commits these files to a reference, without the work tree. */
function plant(project: Project, ref: string, files: Files): void {
  const index = join(project.home, `index-${ref.replaceAll("/", "-")}`);
  const git = (...args: string[]) => project.git("-c", "core.bare=false", ...args);
  const lines = Object.entries(files).map(([path, text]) => {
    project.write(".git/planted", text);
    return `100644 ${git("hash-object", "-w", ".git/planted")}\t${path}`;
  });
  project.write(".git/listed", `${lines.join("\n")}\n`);
  const script = `GIT_INDEX_FILE='${index}' git update-index --index-info < .git/listed &&
    GIT_INDEX_FILE='${index}' git write-tree`;
  const tree = project.git("-c", `alias.plant=!${script}`, "plant");
  git("update-ref", ref, git("commit-tree", "-m", "x", tree));
}

const OLD: Files = {
  "00/d5a39e185b/metadata.json": fixture("00/d5a39e185b/metadata.json"),
  "00/d5a39e185b/0/metadata.json": fixture("00/d5a39e185b/0/metadata.json"),
};

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe("checkpoints of Entire", () => {
  test("on its branch come in with every field they had and none they had not", async () => {
    const project = new Project();
    plant(project, "refs/heads/entire/checkpoints/v1", OLD);
    const record = await recordOf(project.root);
    expect(await bringIn(record)).toMatchObject({ imported: [ID], unreadable: [] });
    const summary = parsed(project.git("show", `${REF}:00/d5a39e185b/metadata.json`));
    const { imported, imported_from, ...rest } = summary;
    expect(imported).toBe(true);
    expect(imported_from).toMatch(/^[0-9a-f]{40}$/);
    expect(rest).toEqual(parsed(fixture("00/d5a39e185b/metadata.json")));
    expect(parsed(project.git("show", `${REF}:00/d5a39e185b/0/metadata.json`))).toEqual(
      parsed(fixture("00/d5a39e185b/0/metadata.json")),
    );
    const read = await readCheckpoint(record.store, ID);
    expect(read?.sessions[0]?.metadata).toMatchObject({ agent: "Codex", model: "gpt-6-astra" });
    expect(project.isSound()).toBe(true);
  });

  test("in references of their own come in too: chunks joined, old names, tasks, secrets out", async () => {
    const project = new Project();
    const lines = [`{"type":"user","text":"key ${SECRET}"}`, '{"type":"b"}', '{"type":"c"}'];
    plant(project, `refs/entire/checkpoints/YZ/${ULID}`, {
      "metadata.json": JSON.stringify({
        checkpoint_id: ULID,
        strategy: "manual-commit",
        sessions: [
          { metadata: "/0/metadata.json", transcript: "/0/full.jsonl", prompt: "/0/prompt.txt" },
          { metadata: "/1/metadata.json", transcript: "/1/full.log", context: "/1/context.md" },
        ],
        from_the_future: { a: 1 },
      }),
      "0/metadata.json": JSON.stringify({ session_id: "s0", agent: "Claude Code", odd: [1] }),
      "0/full.jsonl": lines[0] ?? "",
      "0/full.jsonl.001": lines[1] ?? "",
      "0/full.jsonl.002": `${lines[2]}\n`,
      "0/content_hash.txt": "sha256:of-before",
      "0/prompt.txt": `use ${SECRET}`,
      "1/metadata.json": JSON.stringify({ session_id: "s1" }),
      "1/full.log": '{"type":"old"}\n',
      "1/context.md": "# Context\n",
      "tasks/toolu_1/task.json": JSON.stringify({ tool_use_id: "toolu_1", files: [] }),
    });
    const record = await recordOf(project.root);
    expect(await bringIn(record)).toMatchObject({ imported: [ULID] });
    const folder = `01/${ULID.slice(2)}`;
    const show = (path: string) => project.git("show", `${REF}:${folder}/${path}`);
    expect(parsed(show("metadata.json"))).toMatchObject({
      from_the_future: { a: 1 },
      imported: true,
      sessions: [
        { transcript: `/${folder}/0/full.jsonl`, prompt: `/${folder}/0/prompt.txt` },
        { transcript: `/${folder}/1/full.jsonl`, context: `/${folder}/1/context.md` },
      ],
    });
    expect(parsed(show("metadata.json"))).not.toHaveProperty("token_usage");
    const read = await readCheckpoint(record.store, ULID);
    const stored = read && (await readTranscript(record.store, read, 0));
    const got = (stored?.toString() ?? "").trimEnd().split("\n");
    expect(got.slice(1)).toEqual(lines.slice(1));
    expect(got).toHaveLength(3);
    expect(parsed(show("0/metadata.json"))).toMatchObject({ odd: [1], redactions: [{ count: 1 }] });
    expect(show("0/content_hash.txt")).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(parsed(show("1/metadata.json"))).toEqual({ session_id: "s1" });
    expect(show("1/full.jsonl")).toBe('{"type":"old"}');
    expect(show("1/context.md")).toBe("# Context");
    expect(parsed(show("tasks/toolu_1/task.json"))).toMatchObject({ tool_use_id: "toolu_1" });
    const files = project.git("ls-tree", "-r", "--name-only", REF);
    for (const path of files.split("\n")) {
      expect(project.git("show", `${REF}:${path}`)).not.toContain(SECRET);
    }
    expect(files).not.toContain("1/content_hash.txt");
    expect(project.isSound()).toBe(true);
  });

  test("are imported once; what changed since is imported again", async () => {
    const project = new Project();
    plant(project, "refs/remotes/origin/entire/checkpoints/v1", OLD);
    const record = await recordOf(project.root);
    await bringIn(record);
    const tip = project.git("rev-parse", REF);
    expect(await bringIn(record)).toMatchObject({ imported: [], unchanged: [ID] });
    expect(project.git("rev-parse", REF)).toBe(tip);
    const more = { ...OLD, "00/d5a39e185b/0/prompt.txt": "Fix it" };
    plant(project, "refs/remotes/origin/entire/checkpoints/v1", more);
    expect(await bringIn(record)).toMatchObject({ imported: [ID], unchanged: [] });
    expect(project.git("show", `${REF}:00/d5a39e185b/0/prompt.txt`)).toBe("Fix it");
  });

  test("never take the place of Seam's own, and damaged ones are named", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await checkpoint(project, record, { id: ID });
    plant(project, "refs/heads/entire/checkpoints/v1", {
      ...OLD,
      "aa/bbbbbbbbbb/metadata.json": '{"checkpoint_id": "aabb',
      "aa/cccccccccc/0/full.jsonl": "{}\n",
      "README.md": "hello",
      "zz/not-an-id/metadata.json": "{}",
    });
    project.git("update-ref", "refs/entire/checkpoints/v2/main", "HEAD");
    expect(await bringIn(record)).toMatchObject({
      imported: [],
      kept: [ID],
      unreadable: ["aabbbbbbbbbb", "aacccccccccc"],
    });
    expect((await readCheckpoint(record.store, ID))?.metadata.imported).toBeUndefined();
  });

  test("are found from commits with Entire's trailer", async () => {
    const project = new Project();
    plant(project, "refs/heads/entire/checkpoints/v1", OLD);
    const record = await recordOf(project.root);
    await bringIn(record);
    project.commit(`Fix licence check\n\nEntire-Checkpoint: ${ID}`);
    const { checkpoints, by } = await findCheckpoints(record.store, "HEAD");
    expect(by).toBe("trailer");
    expect(checkpoints.map(({ id }) => id)).toEqual([ID]);
  });

  test("that are not there are asked for", async () => {
    const record = await recordOf(new Project().root);
    await expect(bringIn(record)).rejects.toThrow(/nothing that Entire recorded/);
  });
});
