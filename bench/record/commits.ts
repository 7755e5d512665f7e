import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { BenchProject, fill } from "./project.ts";
import { type Built, SEAM_COMMAND } from "./seam.ts";

const ROUNDS = { rounds: 25, warmUps: 3 };
const FILES = 200;

/** What `git commit` costs with Seam's hooks and daemon, beside the same without them. */
export async function* commitCases(
  seam: Built,
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("commits");
  const bare = ready(folder, "bare");
  const quiet = enabled(folder, "quiet");
  const one = enabled(folder, "one");
  const many = enabled(folder, "many");
  await addPast(seam, many, { sessions: 500, checkpoints: 1_000 });
  try {
    const series = await interleave(
      {
        bare: () => commit(bare),
        "no agent": () => commit(quiet),
        "1 session": () => agentCommit(one),
        "500 sessions": () => agentCommit(many),
      },
      ROUNDS,
    );
    const detail = medians(series, "ms");
    yield atMost({
      name: "git commit with hooks, 500 past sessions and 1,000 checkpoints",
      value: pairedRatio(series["500 sessions"], series.bare),
      bar: 3,
      unit: "times the bare commit",
      detail,
    });
    yield atMost({
      name: "the same beside 1 session",
      value: pairedRatio(series["500 sessions"], series["1 session"]),
      bar: 1.2,
      unit: "times",
      detail: [],
    });
    yield atMost({
      name: "git commit in an enabled repository where no agent worked",
      value: pairedRatio(series["no agent"], series.bare),
      bar: 1.3,
      unit: "times the bare commit",
      detail: [],
    });
  } finally {
    seamCommand(one, "daemon", "stop");
  }
}

function ready(folder: string, name: string): BenchProject {
  const project = new BenchProject(folder, name);
  fill(project, FILES);
  return project;
}

function enabled(folder: string, name: string): BenchProject {
  const project = ready(folder, name);
  seamCommand(project, "enable", "--agent", "claude-code", "--level", "project", "--yes");
  // What it wrote stays out of commits: the work tree is clean.
  return project;
}

function seamCommand(project: BenchProject, ...args: string[]): void {
  const { root: cwd, env } = project;
  execFileSync(process.execPath, [SEAM_COMMAND, ...args], { cwd, env, stdio: "ignore" });
}

let commits = 0;

async function commit(project: BenchProject): Promise<number> {
  const number = ++commits;
  project.write("work.ts", `export const work = ${number};\n`);
  project.git("add", "work.ts");
  return project.time("git", "commit", "-q", "-m", `Commit ${number}`);
}

/** A commit, by a person, of what an agent has just done. */
async function agentCommit(project: BenchProject): Promise<number> {
  const number = ++commits;
  const path = join(project.root, "work.ts");
  const content = `export const work = ${number};\n`;
  const call = {
    tool_name: "Write",
    tool_use_id: `toolu_${number}`,
    tool_input: { file_path: path, content },
  };
  const message = { role: "user", content: `Number ${number}: ${"some words ".repeat(200)}` };
  appendFileSync(transcriptOf(project), `${JSON.stringify({ type: "user", message })}\n`);
  hook(project, "UserPromptSubmit", { prompt: `Number ${number}` });
  hook(project, "PreToolUse", call);
  project.write("work.ts", content);
  hook(project, "PostToolUse", { ...call, tool_response: { success: true } });
  hook(project, "Stop", {});
  await until(() => pendingOf(project).includes("work.ts"));
  project.git("add", "work.ts");
  const ms = await project.time("git", "commit", "-q", "-m", `Commit ${number}`);
  await until(() => pendingOf(project).length === 0);
  const made = project.git("log", "-1", "--format=%B");
  if (!made.includes("Seam-Checkpoint: ")) throw new Error(`no trailer in: ${made}`);
  return ms;
}

const sessionOf = ({ root }: BenchProject) => basename(root);
const transcriptOf = ({ root }: BenchProject) => join(root, ".git/transcript.jsonl");

function hook(project: BenchProject, name: string, more: object): void {
  const { root: cwd, env } = project;
  const transcript_path = transcriptOf(project);
  const common = { session_id: sessionOf(project), transcript_path, cwd, hook_event_name: name };
  const client = join(env.SEAM_HOME ?? "", "bin/hook");
  const input = JSON.stringify({ ...common, ...more });
  const { status } = spawnSync(client, ["claude-code", name], { cwd, env, input });
  if (status !== 0) throw new Error(`the hook ${name} failed`);
}

/** Files that wait for a commit, as the session's own file says. */
function pendingOf({ root }: BenchProject): string[] {
  const path = join(root, `.git/seam/sessions/claude-code/${basename(root)}.json`);
  if (!existsSync(path)) return [];
  const { phase, pending } = JSON.parse(readFileSync(path, "utf8"));
  return phase === "active" ? ["(at work)"] : Object.keys(pending.files);
}

async function until(isSo: () => boolean): Promise<void> {
  const last = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > last) throw new Error("the record does not follow");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function addPast(
  { openRepo, openRepoRecord, newState, writeCheckpoints }: Built,
  { root }: BenchProject,
  past: { readonly sessions: number; readonly checkpoints: number },
): Promise<void> {
  const repo = await openRepo(root);
  if (!repo) throw new Error(`no repository at ${root}`);
  const { states, store } = openRepoRecord(repo);
  const at = new Date().toISOString();
  const idOf = (number: number) => `past-session-${number}`;
  for (let i = 0; i < past.sessions; i++) {
    const known = { session_id: idOf(i), agent: "claude-code", work_tree: root, worktree_id: "" };
    states.put({ ...newState(known, at), phase: "ended", ended_at: at });
  }
  for (let i = 0; i < past.checkpoints; i++) {
    const id = (i * 2_654_435_761).toString(16).padStart(12, "0").slice(-12);
    const metadata = {
      session_id: idOf(i % past.sessions),
      created_at: at,
      checkpoints_count: 1,
      files_touched: ["work.ts"],
      model: "",
    };
    await writeCheckpoints(store, `Checkpoint: ${id}`, [
      { id, parts: [{ metadata, prompts: [`Prompt ${i}`] }] },
    ]);
  }
  await store.close();
}
