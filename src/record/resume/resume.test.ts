import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkpoint, recordOf, turn } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { newState } from "../session/new-state.ts";
import { Project } from "../test-kit/project.ts";
import { findSessions } from "./find-sessions.ts";
import { resume } from "./resume.ts";

const LINES = [
  { type: "user", uuid: "u1", message: { role: "user", content: "Hello" } },
  { type: "assistant", uuid: "a1", message: { role: "assistant", content: [] } },
];
const STORED = LINES.map((line) => `${JSON.stringify(line)}\n`).join("");
const SESSION = "0b1c2d3e-0000-4000-8000-000000000001";

async function only(record: RepoRecord, what: string) {
  const [session, ...others] = await findSessions(record, what);
  if (!session) throw new Error("none found");
  expect(others).toEqual([]);
  return session;
}

const place = (project: Project) => ({ home: project.home, env: {} });

describe("a session is given back", () => {
  test("where its agent looks for it, from its branch, checkpoint, commit or id", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await checkpoint(project, record, { session: SESSION, lines: LINES });
    project.git("checkout", "-qb", "feature/x");
    const commit = project.commit(`Work\n\nSeam-Checkpoint: ${id}`);
    project.commit("Something else on top");
    for (const what of ["feature/x", id, id.slice(0, 6), commit, SESSION, SESSION.slice(0, 9)]) {
      expect((await only(record, what)).session_id).toBe(SESSION);
    }
    const resumed = await resume(record, await only(record, "feature/x"), place(project));
    expect(resumed).toMatchObject({
      agent: "claude-code",
      command: ["claude", "--resume", SESSION],
      folder: project.root,
      written: true,
      hadSubagents: false,
    });
    const folder = project.root.replace(/[^a-zA-Z0-9]/g, "-");
    expect(resumed.file).toBe(join(project.home, ".claude/projects", folder, `${SESSION}.jsonl`));
    expect(readFileSync(resumed.file ?? "", "utf8")).toBe(STORED);
  });

  test("never over a longer one", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await checkpoint(project, record, { session: SESSION, lines: LINES });
    const session = await only(record, SESSION);
    const { file = "" } = await resume(record, session, place(project));
    writeFileSync(file, `${STORED}and more\n`);
    expect(await resume(record, session, place(project))).toMatchObject({ written: false });
    expect(readFileSync(file, "utf8")).toBe(`${STORED}and more\n`);
  });

  test("as its newest checkpoint has it", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await checkpoint(project, record, { session: SESSION, lines: LINES.slice(0, 1) });
    const id = await checkpoint(project, record, { session: SESSION, lines: LINES });
    expect((await only(record, SESSION)).stored?.checkpoint.id).toBe(id);
  });

  test("by the commit when the trailer was lost", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const commit = project.commit("Work");
    await checkpoint(project, record, { session: SESSION, lines: LINES, commit });
    project.commit("More");
    expect((await only(record, "main")).session_id).toBe(SESSION);
  });

  test("with a word about subagents and secrets that do not come back", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const none = {
      input_tokens: 1,
      cache_creation_tokens: 0,
      cache_read_tokens: 0,
      output_tokens: 1,
      api_call_count: 1,
    };
    await checkpoint(project, record, {
      session: SESSION,
      lines: LINES,
      metadata: {
        token_usage: { ...none, subagent_tokens: none },
        redactions: [{ rule: "token", count: 2 }],
      },
    });
    const resumed = await resume(record, await only(record, SESSION), place(project));
    expect(resumed).toMatchObject({ hadSubagents: true, redacted: 2 });
  });

  test("by its command alone if only this machine knows it", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const known = { session_id: SESSION, agent: "claude-code" };
    const where = { work_tree: project.root, worktree_id: "" };
    record.states.put(newState({ ...known, ...where }, "2026-05-25T12:00:00Z"));
    const resumed = await resume(record, await only(record, SESSION), place(project));
    expect(resumed).toMatchObject({ written: false, command: ["claude", "--resume", SESSION] });
    expect(resumed.file).toBeUndefined();
  });
});

describe("a session whose turns have no commit is given back", () => {
  test("from its branch and its id, without a state of it", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await turn(record, () => {}, { session: SESSION, prompt: "Look around" });
    for (const what of ["main", SESSION, SESSION.slice(0, 8)]) {
      expect(await only(record, what)).toMatchObject({
        session_id: SESSION,
        agent: "claude-code",
        prompt: "Look around",
      });
    }
    const resumed = await resume(record, await only(record, "main"), place(project));
    expect(resumed.command).toEqual(["claude", "--resume", SESSION]);
  });

  test("beside the one of the last commit, the newest first, each with its prompt", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await turn(record, () => {}, { session: "long-ago", prompt: "Before" });
    const commit = project.commit("Work");
    await checkpoint(project, record, { session: "first", commit, prompts: ["Commit it"] });
    await turn(record, () => {}, { session: "second", prompt: "Think about it" });
    project.git("checkout", "-qb", "other");
    await turn(record, () => {}, { session: "third", prompt: "Elsewhere" });
    const found = await findSessions(record, "main");
    expect(found.map(({ session_id, prompt }) => [session_id, prompt])).toEqual([
      ["second", "Think about it"],
      ["first", "Commit it"],
    ]);
  });
});

describe("a session is not given back", () => {
  test("when several are meant: all are named, the newest first", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await checkpoint(project, record, { session: "first" });
    await checkpoint(project, record, { session: "second", id });
    const found = await findSessions(record, id);
    expect(found.map(({ session_id }) => session_id)).toEqual(["second", "first"]);
  });

  test("when its id would lead out of the agent's folder", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await checkpoint(project, record, { session: "../../evil", lines: LINES });
    const session = await only(record, id);
    await expect(resume(record, session, place(project))).rejects.toThrow(/place/);
    expect(existsSync(join(project.home, ".claude"))).toBe(false);
  });

  test("when there is none, no transcript, or no such agent", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await expect(findSessions(record, "main")).rejects.toThrow(/No session is recorded on main/);
    await expect(findSessions(record, "nobody")).rejects.toThrow(/no commit, checkpoint, session/);
    const bare = await only(record, await checkpoint(project, record, { session: "s1" }));
    await expect(resume(record, bare, place(project))).rejects.toThrow(/no transcript/);
    const metadata = { agent: "Somebody Else" };
    const id = await checkpoint(project, record, { session: "s2", lines: LINES, metadata });
    await expect(resume(record, await only(record, id), place(project))).rejects.toThrow(
      /does not know: Somebody Else/,
    );
  });

  test("over something that is no file", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    await checkpoint(project, record, { session: SESSION, lines: LINES });
    const session = await only(record, SESSION);
    const slug = project.root.replace(/[^a-zA-Z0-9]/g, "-");
    const path = join(project.home, ".claude/projects", slug, `${SESSION}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path);
    await expect(resume(record, session, place(project))).rejects.toThrow(/regular file/);
  });
});
