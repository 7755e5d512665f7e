import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepo } from "../src/git/index.ts";
import { checkpoint, recordOf, turn } from "../src/record/history/test-kit.ts";
import { enableRecord } from "../src/record/seam-dir.ts";
import type { TurnStory } from "../src/record/session/turn-story.ts";
import { newFolder, Project } from "../src/record/test-kit/project.ts";
import { inFull, sampled } from "./setup/sample.ts";

const MAIN = join(import.meta.dirname, "../dist/bin/seam.js");
const REF = "refs/seam/checkpoints/v1";
const LINES = [{ type: "user", uuid: "u1", message: { role: "user", content: "Hello" } }];

/** As in the examples of --help. */
const ID = "3f2a9c1b77de";
const MESSAGE = `Work\n\nSeam-Checkpoint: ${ID}`;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command, without a terminal. */
function seamIn(cwd: string, env: NodeJS.ProcessEnv) {
  return (...args: string[]) =>
    new Promise<Ended>((done) => {
      const child = execFile(
        process.execPath,
        [MAIN, ...args],
        { cwd, env },
        (error, stdout, stderr) =>
          done({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      );
      child.stdin?.end();
    });
}

async function worked() {
  const project = new Project();
  const record = await recordOf(project.root);
  const write = () => void project.write("work.txt", "work\n");
  const turnId = await turn(record, write, { prompt: "Write it", session: "session-1" });
  const metadata = { turn_id: turnId, turn_ids: [turnId] };
  const commit = project.commit(MESSAGE);
  const known = { id: ID, session: "session-1", lines: LINES };
  await checkpoint(project, record, { ...known, commit, metadata });
  return { project, record, turnId, id: ID, commit, seam: seamIn(project.root, project.env) };
}

/** Fails with this code: told to people with what to do next, and to programs as JSON. */
async function fails(
  seam: Awaited<ReturnType<typeof worked>>["seam"],
  args: readonly string[],
  code: string,
): Promise<Ended> {
  const ended = await seam(...args, "--json");
  const { error } = JSON.parse(ended.stdout) as {
    error: { code: string; message: string; next: string };
  };
  expect(error).toMatchObject({ code, next: expect.stringMatching(/\S/) });
  expect(ended.code).toBe(code === "SEAM_USAGE" ? 2 : 1);
  expect(ended.stderr.replaceAll("\n      ", "\n")).toBe(
    `error ${error.message.trimEnd()}\n${error.next}\n`,
  );
  return ended;
}

describe("a command of the record that cannot do it says why, and what to do", () => {
  it.each([
    ["log"],
    ["show"],
    ["rewind HEAD"],
    ["rewind --undo"],
    ["resume"],
    ["sync"],
    ["import entire"],
    ["clean"],
  ])("seam %s outside of a repository", async (args) => {
    const folder = newFolder();
    const seam = seamIn(folder, { PATH: process.env.PATH, HOME: folder });
    const { stderr } = await fails(seam, args.split(" "), "SEAM_RECORD_NO_REPO");
    expect(stderr).toContain(folder);
  });

  it.each([
    ["show", "SEAM_RECORD_OFF"],
    ["rewind", "SEAM_USAGE"],
    ["rewind --undo --yes", "SEAM_REWIND_NO_UNDO"],
    ["resume", "SEAM_RECORD_OFF"],
    ["log --session s", "SEAM_RECORD_OFF"],
    ["sync", "SEAM_SYNC_REMOTE"],
    ["import entire", "SEAM_IMPORT_NOTHING"],
  ])("seam %s in a repository without a record", async (args, code) => {
    const { root, env } = new Project();
    await fails(seamIn(root, env), args.split(" "), code);
  });

  it("nothing recorded and nothing to clean are no failures", async () => {
    const { root, env } = new Project();
    const seam = seamIn(root, env);
    expect(await seam("log")).toMatchObject({ code: 0, stdout: expect.stringMatching(/enable/) });
    expect(JSON.parse((await seam("log", "--json")).stdout)).toEqual([]);
    expect(await seam("clean")).toMatchObject({ code: 0 });
    expect(JSON.parse((await seam("status", "--json")).stdout)).toMatchObject({
      record: { enabled: false, checkpoints: 0 },
    });
  });

  inFull("what is unknown, or meant in several ways", async () => {
    const { seam, project, record, turnId } = await worked();
    await fails(seam, ["show", "no-such-thing"], "SEAM_RECORD_NOT_FOUND");
    await fails(seam, ["resume", "no-such-branch"], "SEAM_RECORD_NOT_FOUND");
    await fails(seam, ["rewind", "no-such-turn"], "SEAM_REWIND_NOT_FOUND");
    await fails(seam, ["log", "--session", "nobody"], "SEAM_RECORD_NO_SESSION");
    await fails(seam, ["sync", "no-such-remote"], "SEAM_SYNC_REMOTE");
    await fails(seam, ["sync", newFolder()], "SEAM_SYNC_FETCH");
    await checkpoint(project, record, { session: "session-2" });
    const { stderr } = await fails(seam, ["show", "session-"], "SEAM_RECORD_AMBIGUOUS");
    for (const name of ["session-1", "session-2"]) expect(stderr).toContain(`\n        ${name}\n`);
    await turn(record, () => {}, { session: "other-1" });
    await turn(record, () => {}, { session: "other-2" });
    await fails(seam, ["log", "--session", "other"], "SEAM_RECORD_AMBIGUOUS");
    await fails(seam, ["rewind", turnId], "SEAM_USAGE");
  });

  it.each([
    ["log -n 0", "whole number"],
    ["log --bogus", "--bogus"],
    ["clean --older-than 3y", "12h"],
    ["sync --push --fetch", "both"],
    ["rewind HEAD --undo", "--undo"],
    ["import nothing", "nothing"],
    ["nonsense", "nonsense"],
  ])("seam %s", async (args, words) => {
    const { root, env } = new Project();
    const { stderr } = await fails(seamIn(root, env), args.split(" "), "SEAM_USAGE");
    expect(stderr).toContain(words);
  });

  it("a first sending that nobody was asked about", async () => {
    const { project, seam } = await worked();
    const remote = newFolder();
    project.git("init", "-q", "--bare", remote);
    const { stderr } = await fails(seam, ["sync", remote], "SEAM_USAGE");
    expect(stderr).toContain("--yes");
    expect(project.git("--git-dir", remote, "for-each-ref")).toBe("");
    expect(await seam("sync", remote, "--yes")).toMatchObject({ code: 0 });
    expect(project.git("--git-dir", remote, "for-each-ref")).toContain("refs/seam/checkpoints");
    expect((await seam("sync", remote)).stdout).toContain("has everything");
  });

  it("a clone has commits of others without what they recorded", async () => {
    const { project, id } = await worked();
    const clone = join(newFolder(), "clone");
    project.git("clone", "-q", project.root, clone);
    const seam = seamIn(clone, project.env);
    const { stderr } = await fails(seam, ["show"], "SEAM_RECORD_ELSEWHERE");
    expect(stderr).toContain(id);
    const resume = await fails(seam, ["resume"], "SEAM_RECORD_OFF");
    expect(resume.stderr).toContain("seam sync --fetch");
    expect(await seam("sync", "--fetch")).toMatchObject({ code: 0 });
    expect((await seam("show")).stdout).toContain(`checkpoint ${id}`);
  });

  const REFERENCES: readonly [string, string][] = [
    ["no id", "nonsense"],
    ["an object that is missing", "1".repeat(40)],
    ["a file", "blob"],
  ];
  it.each(sampled(REFERENCES, "a file"))("a reference that is %s", async (_, value) => {
    const { project, seam, turnId, id: checkpoint } = await worked();
    const path = join(project.root, ".git", REF);
    const known = join(project.root, ".git/seam/checkpoints");
    mkdirSync(dirname(known), { recursive: true });
    writeFileSync(known, `${project.git("rev-parse", REF)}\n`);
    const id = value === "blob" ? project.git("hash-object", "-w", "README.md") : value;
    rmSync(path, { force: true });
    project.git("pack-refs", "--all");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${id}\n`);
    // As long as it is known where they were, that is where they are read.
    expect((await seam("show")).stdout).toContain(`checkpoint ${checkpoint}`);
    expect((await seam("status")).stdout).toContain(`${REF} does not lead to checkpoints`);
    rmSync(known);
    for (const args of [["show"], ["resume"], ["log", "--checkpoints"]]) {
      await fails(seam, args, "SEAM_RECORD_DAMAGED");
    }
    const log = await seam("log");
    expect([log.code, log.stdout, log.stderr]).toEqual([
      0,
      expect.stringContaining(turnId),
      expect.stringContaining(REF),
    ]);
    expect((await seam("status")).stdout).toContain(`${REF} is damaged`);
    expect(await seam("rewind", turnId, "--dry-run")).toMatchObject({ code: 0 });
  });
});

describe("seam show and seam resume", () => {
  inFull(
    "take a commit, a checkpoint, a session, a branch or a turn; without any, what is here",
    async () => {
      const { seam, id, commit, turnId } = await worked();
      for (const what of [commit, id, "session-1", "main", "HEAD", undefined]) {
        const args = what === undefined ? [] : [what];
        const { stdout } = await seam("show", ...args);
        expect([what, stdout]).toEqual([what, expect.stringContaining(`checkpoint ${id}`)]);
        expect(stdout).toContain("           Work\n");
      }
      for (const what of [commit, id, "session-1", "main", turnId, undefined]) {
        const { stdout } = await seam("resume", ...(what === undefined ? [] : [what]));
        expect([what, stdout]).toEqual([
          what,
          expect.stringContaining("claude --resume session-1"),
        ]);
      }
    },
  );

  it("take the beginning of a session's id that seam log prints, whatever else is in the list", async () => {
    const { record, seam } = await worked();
    for (const session of ["01a1ef98-3a12", "01a1ef98-cf0a"]) {
      await turn(record, () => {}, { session });
    }
    const { stdout } = await seam("log", "-n", "1");
    const [, printed = ""] = /session (\S+)/.exec(stdout) ?? [];
    expect(printed).toBe("01a1ef98-c");
    expect(await seam("show", printed)).toMatchObject({ code: 0 });
  });

  it("seam log starts git as often for many sessions as for one", async () => {
    const { project, record } = await worked();
    const bin = newFolder();
    const started = join(bin, "started");
    const [git] = (process.env.PATH ?? "")
      .split(":")
      .map((folder) => join(folder, "git"))
      .filter((path) => existsSync(path));
    writeFileSync(join(bin, "git"), `#!/bin/sh\necho >> ${started}\nexec ${git} "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    const seam = seamIn(project.root, { ...project.env, PATH: `${bin}:${project.env.PATH}` });
    const starts = async () => {
      writeFileSync(started, "");
      expect(await seam("log")).toMatchObject({ code: 0 });
      return readFileSync(started, "utf8").length;
    };
    const one = await starts();
    expect(one).toBeGreaterThan(0);
    for (let i = 10; i < 18; i++) await turn(record, () => {}, { session: `${i}a1ef98-3a12` });
    expect(await starts()).toBe(one);
  });

  it("a turn is shown with its files, and the checkpoint it is in", async () => {
    const { seam, id, turnId } = await worked();
    const { stdout } = await seam("show", turnId.slice(0, 6));
    for (const words of [`turn ${turnId}`, "Write it", "work.txt", id, `seam rewind ${turnId}`]) {
      expect(stdout).toContain(words);
    }
    expect(JSON.parse((await seam("show", turnId, "--json")).stdout)).toMatchObject({
      by: "turn",
      turn: { id: turnId, session_id: "session-1", files: ["work.txt"] },
      checkpoints: [{ id }],
    });
  });

  it("what others wrote cannot change the terminal", async () => {
    const { project, record, seam } = await worked();
    const bad = "\x1b]0;title\x07\x1b[2J\u202e\x9b1m";
    const metadata = { agent: `A${bad}`, model: `m${bad}`, branch: `b${bad}` };
    const id = await checkpoint(project, record, {
      session: `evil${bad}`,
      prompts: [bad],
      lines: [{ type: "user", uuid: "u", message: { role: "user", content: `Hi ${bad}` } }],
      files: { [`f${bad}`]: null },
      branch: `b${bad}`,
      metadata,
    });
    const outputs = await Promise.all([seam("show", id), seam("log"), seam("show", "evil")]);
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may get through
      expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });
});

/** What happened in a turn of the tests below. */
const STORY: TurnStory = {
  model: "claude-test",
  token_usage: {
    input_tokens: 1200,
    cache_creation_tokens: 0,
    cache_read_tokens: 0,
    output_tokens: 34,
    api_call_count: 2,
  },
  told: {
    entries: [
      { kind: "prompt", text: "Tidy up" },
      { kind: "call", tool: "bash", text: "make", call_id: "c1" },
      { kind: "failure", text: "no rule", call_id: "c1" },
      { kind: "call", tool: "bash", text: "rm -rf .", call_id: "c2" },
      { kind: "failure", text: "no: deletes all", call_id: "c2" },
      { kind: "call", tool: "subagent", text: "look around", call_id: "c3" },
      { kind: "call", tool: "read", text: "a.txt", call_id: "c4", child: "x" },
      { kind: "answer", text: "It is tidy." },
    ],
  },
  blocked_calls: [
    {
      tool: "bash",
      about: "rm -rf .",
      tool_use_id: "c2",
      at: "",
      reason: "deletes all",
      by: "gate",
    },
    { tool: "write", about: ".env", at: "", reason: "is protected", by: "paths" },
  ],
};

describe("a turn without a commit is told from git alone", () => {
  const HAPPENED = `  What happened
    • bash make
      failed: no rule
    ✗ bash rm -rf .
      stopped by gate: deletes all
    • subagent look around
      • read a.txt
      It is tidy.
    ✗ write .env
      stopped by paths: is protected
`;

  async function told() {
    const project = new Project();
    const record = await recordOf(project.root);
    const write = () => void project.write("work.txt", "work\n");
    const about = { session: "0a1b2c3d4e-session", prompt: "Tidy up", story: STORY };
    const turnId = await turn(record, write, about);
    return { seam: seamIn(project.root, project.env), turnId };
  }

  it("by seam show with a turn, and with its session", async () => {
    const { seam, turnId } = await told();
    for (const what of [turnId, "0a1b2c3d4e"]) {
      const { stdout } = await seam("show", what);
      expect(stdout).toContain(HAPPENED);
      const others = ["Tidy up", "claude-test", "work.txt", "1,200 in, 34 out, 2 model calls"];
      for (const words of [...others, turnId, "on main"]) expect(stdout).toContain(words);
    }
    const shown: unknown = JSON.parse((await seam("show", turnId, "--json")).stdout);
    expect(shown).toMatchObject({ by: "turn", turn: { story: STORY, branch: "main" } });
  });

  it("by seam log with its session, branch, calls, stops and tokens", async () => {
    const { seam } = await told();
    expect((await seam("log")).stdout).toContain(
      "    session 0a1b2c3d · on main · 4 tool calls · 2 stopped · 1,200 in, 34 out, 2 model calls\n",
    );
  });
});

describe("seam clean", () => {
  it("removes nothing that nobody agreed to, and never what happened", async () => {
    const { project, seam, turnId } = await worked();
    const turns = () => project.git("ls-tree", "refs/seam/turns/session-1");
    expect((await seam("clean", "--all", "--dry-run")).stdout).toContain(
      "files in snapshots of 1 session",
    );
    const refused = await seam("clean", "--all");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--yes")]);
    await seam("clean", "--all", "--json");
    expect(turns()).not.toBe("");
    expect(await seam("clean", "--all", "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Removed."),
    });
    expect(turns()).toBe("");
    expect((await seam("show", turnId)).stdout).toMatch(/Write it[\s\S]*work\.txt/);
    await fails(seam, ["rewind", turnId, "--yes"], "SEAM_REWIND_CLEANED");
    expect((await seam("clean", "--all", "--yes")).stdout).toContain("nothing to remove");
  });
});

inFull("the examples in --help can be typed", async () => {
  const { seam, turnId, project } = await worked();
  project.git("branch", "my-branch");
  for (const _ of ["one more", "another"]) project.commit(MESSAGE);
  for (const name of ["log", "show", "rewind", "resume", "clean", "status"]) {
    const { stdout } = await seam(name, "--help");
    const [, list = ""] = stdout.split("Examples:\n");
    const examples = list.split("\n").flatMap((line) => /^ {2}seam (.*)$/.exec(line)?.[1] ?? []);
    expect(examples.length).toBeGreaterThan(1);
    for (const example of examples) {
      const known = name === "rewind" ? turnId : ID;
      const args = example.replace(ID, known).replace("0b1c", "sess").split(" ");
      // What would ask, and what would start an agent.
      const isAsking = name === "rewind" && !args.includes("--yes");
      const { code, stderr } = await seam(...args.filter((word) => word !== "--run"));
      const [expected, words] = isAsking ? [2, "Say where to|no terminal"] : [0, "^$"];
      if (args.includes("--undo")) continue;
      expect([example, code, stderr]).toEqual([
        example,
        expected,
        expect.stringMatching(new RegExp(words)),
      ]);
    }
  }
});

describe("a pattern of the settings that cannot be used", () => {
  inFull(
    "is shown by doctor, status and config, to people and to programs",
    async () => {
      const project = new Project();
      const seam = seamIn(project.root, project.env);
      const repo = await openRepo(project.root);
      if (repo) enableRecord(repo);
      project.write(
        ".seam/settings.json",
        JSON.stringify({ redaction: { patterns: ["/(x+x+)+y/", "/(bad[/", "ACME-[0-9]+"] } }),
      );
      for (const command of ["doctor", "status", "config"]) {
        const { stdout } = await seam(command);
        expect(stdout).toContain('Entry 2 of "redaction.patterns"');
        expect(stdout).toContain('Entry 3 of "redaction.patterns"');
        expect(stdout).not.toContain("Entry 1");
        const json = (await seam(command, "--json")).stdout;
        expect(json).toContain("SEAM_REDACTION_PATTERN");
        expect(json).toContain("SEAM_REDACTION_TEXT");
      }
    },
    60_000,
  );
});

describe("a rewind that would undo the work of others", () => {
  async function shared() {
    const here = await worked();
    const { project, record } = here;
    const two = { session: "session-2", prompt: "Something else" };
    await turn(record, () => void project.write("theirs.txt", "theirs\n"), two);
    project.write("mine.txt", "by hand\n");
    return here;
  }
  const OTHERS = [
    { who: "session", agent: "claude-code", session_id: "session-2", files: ["theirs.txt"] },
    { who: "outside", files: ["mine.txt"] },
  ];

  it("is not done in a script by --yes alone: it says whose, and wants --force", async () => {
    const { project, seam, turnId } = await shared();
    const said = await seam("rewind", turnId, "--yes");
    expect(said.code).toBe(1);
    expect(said.stderr).toContain("Claude Code (session session-2): theirs.txt");
    expect(said.stderr).toContain("outside any recorded turn, perhaps your own: mine.txt");
    expect(said.stderr).toContain("--force");
    const { stdout } = await fails(seam, ["rewind", turnId, "--yes"], "SEAM_REWIND_OTHERS");
    expect(JSON.parse(stdout)).toMatchObject({ done: false, undoes_others: OTHERS });
    expect(project.git("for-each-ref", "refs/seam/rewind")).toBe("");
    const forced = await seam("rewind", turnId, "--force", "--json");
    expect(JSON.parse(forced.stdout)).toMatchObject({ done: true, undoes_others: OTHERS });
    expect(project.git("status", "--porcelain").split("\n")).toEqual([" D work.txt"]);
  });

  inFull("is shown with --dry-run", async () => {
    const { seam, turnId } = await shared();
    const { code, stdout } = await seam("rewind", turnId, "--dry-run");
    expect([code, stdout]).toEqual([0, expect.stringContaining("This also undoes what is not of")]);
    const json = await seam("rewind", turnId, "--dry-run", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ undoes_others: OTHERS });
  });
});
