import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { daemonOf, Machine, until } from "./record/machine.ts";
import { inFull, sampled } from "./setup/sample.ts";

/** Longer than a turn's end has to be quiet. */
const QUIET_MS = 4_500;
const HISTORY = ".aider.chat.history.md";

/** A folder in which aider runs: what it writes into its history and what it does to the files. */
class Aider {
  readonly machine: Machine;
  readonly folder: string;

  constructor(machine: Machine, folder: string) {
    this.machine = machine;
    this.folder = folder;
  }

  async git(...args: string[]): Promise<string> {
    const { stdout, stderr, code } = await this.machine.run(this.folder, "git", ...args);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  async seam(...args: string[]): Promise<string> {
    const { stdout, stderr } = await this.machine.seam(this.folder, ...args);
    return stdout + stderr;
  }

  writes(text: string): void {
    appendFileSync(join(this.folder, HISTORY), text);
  }

  /** Its first words; every chat begins at another second. */
  starts(time: string): void {
    this.writes(
      `\n# aider chat started at 2026-11-17 ${time}\n\n> Aider v0.86.2  \n> Model: gpt-4o with diff edit format  \n`,
    );
  }

  /** A prompt, an answer, an edit and the commit of it, with the pauses that a model makes. */
  async turn(prompt: string, file: string, content: string, pauseMs = 2_500): Promise<string> {
    this.writes(`\n#### ${prompt}  \n`);
    await sleep(pauseMs);
    return this.answer(prompt, file, content);
  }

  /** What follows a prompt. */
  async answer(prompt: string, file: string, content: string): Promise<string> {
    const edit = `<<<<<<< SEARCH\npass\n=======\n${content}>>>>>>> REPLACE`;
    this.writes(`\nI will change ${file}.\n\n${file}\n\`\`\`python\n${edit}\n\`\`\`\n\n`);
    this.writes("> Tokens: 2.1k sent, 120 received. Cost: $0.02 message, $0.02 session.  \n");
    writeFileSync(join(this.folder, file), content);
    this.writes(`> Applied edit to ${file}  \n`);
    // Aider commits by itself, and with --no-verify unless it is told otherwise.
    await this.git("add", file);
    await this.git("commit", "--no-verify", "-m", `feat: ${prompt}`);
    const commit = await this.git("rev-parse", "--short=7", "HEAD");
    this.writes(`> Commit ${commit} feat: ${prompt}  \n`);
    return commit;
  }
}

async function aider(): Promise<Aider> {
  const machine = new Machine();
  onTestFinished(() => machine.remove());
  const folder = join(machine.base, "app");
  mkdirSync(folder);
  const made = new Aider(machine, folder);
  await made.git("init", "-q", "-b", "main");
  writeFileSync(join(folder, ".gitignore"), ".aider*\n");
  writeFileSync(join(folder, "greet.py"), "pass\n");
  await made.git("add", ".");
  await made.git("commit", "-q", "-m", "first");
  return made;
}

/** All that stands in the record of a commit. */
async function recordOf(here: Aider, commit: string): Promise<string> {
  return here.seam("show", commit, "--json");
}

it("a running aider becomes a session with turns and checkpoints, without a hook", async () => {
  const here = await aider();
  here.starts("08:00:00");
  here.writes("\n#### of yesterday  \n\nOk.\n\n> Tokens: 900k sent, 50k received.  \n");
  const said = await here.seam("enable", "--agent", "aider");
  expect(said).toMatch(/Aider +is watched in/);
  expect(await here.seam("status")).toMatch(/Aider/);
  here.starts("10:00:00");
  await sleep(300);
  await here.turn("add a greeting", "greet.py", 'print("hello")\n');
  await sleep(QUIET_MS);
  await here.turn("make it polite", "greet.py", 'print("good day")\n');
  await sleep(QUIET_MS);
  await here.machine.recorded();
  const message = await here.git("log", "-2", "--format=%B");
  expect(message.match(/Seam-Checkpoint: /g), here.machine.log).toHaveLength(2);
  const [second, first] = [await recordOf(here, "HEAD"), await recordOf(here, "HEAD~1")];
  expect(second).toContain("make it polite");
  expect(second).not.toContain("of yesterday");
  expect(first).toContain("add a greeting");
  // What earlier chats in the same file used is not this session's.
  for (const one of [first, second]) expect(one).toMatch(/"input_tokens": ?2100\b/);
  const log = await here.seam("log");
  expect(log).toContain("make it polite");
  expect(log).toContain("session aider-20261117100000 ");
  const shown = await here.seam("show", "HEAD");
  expect(shown).toMatch(/• edit greet\.py\n +• bash git commit -m "feat: make it polite"\n/);
  expect(shown).toMatch(/ I will change greet\.py\.\n/);
  expect(shown).not.toContain("SEARCH");
  expect(shown).toMatch(/Cost\n +\$0\.02\n/);

  expect(await here.seam("disable", "--agent", "aider")).toContain("✓");
  expect(readdirSync(join(here.machine.store, "watched")).filter(isList)).toEqual([]);
}, 120_000);

/** What stands in the record of a commit of the prompts of others, and of its own. */
async function promptsIn(here: Aider, commit: string, prompts: readonly string[]) {
  const record = await recordOf(here, commit);
  return prompts.filter((prompt) => record.includes(`"${prompt}"`));
}

const PROMPTS = ["add a greeting", "make it polite", "make it loud"];

/** Three turns, each with a commit. */
async function threeTurns(here: Aider, pauseMs: number): Promise<void> {
  for (const prompt of PROMPTS) {
    await here.turn(prompt, "greet.py", `print("${prompt}")\n`, pauseMs);
  }
}

async function expectEachItsOwn(here: Aider): Promise<void> {
  await sleep(QUIET_MS);
  await here.machine.recorded();
  const commits = ["HEAD~2", "HEAD~1", "HEAD"];
  const found = await Promise.all(commits.map((commit) => promptsIn(here, commit, PROMPTS)));
  expect(found, here.machine.log).toEqual(PROMPTS.map((prompt) => [prompt]));
  for (const commit of commits) {
    expect(await recordOf(here, commit)).toMatch(/"input_tokens": ?2100\b/);
  }
}

it.each(sampled([0, 50, 300], 50))(
  "a commit belongs to the prompt before it, also if answers come after %i ms",
  async (pauseMs) => {
    const here = await aider();
    await here.seam("enable", "--agent", "aider");
    here.starts("10:00:00");
    await sleep(500);
    await threeTurns(here, pauseMs);
    await expectEachItsOwn(here);
  },
  120_000,
);

inFull(
  "a commit belongs to the prompt before it, also if two turns are read at once",
  async () => {
    const here = await aider();
    await here.seam("enable", "--agent", "aider");
    here.starts("10:00:00");
    here.writes(`\n#### ${PROMPTS[0]}  \n`);
    await until(async () => (await here.seam("log", "--turns")).includes(PROMPTS[0] ?? ""));
    const daemon = daemonOf(here.machine.store);
    if (daemon === undefined) throw new Error("no daemon runs");
    // As hooks that still rest: the daemon hears of the commits by the history alone.
    await here.git("config", "core.hooksPath", "/dev/null");
    process.kill(daemon, "SIGSTOP");
    await here.answer(PROMPTS[0] ?? "", "greet.py", 'print("hello")\n');
    await here.turn(PROMPTS[1] ?? "", "greet.py", 'print("good day")\n', 0);
    process.kill(daemon, "SIGCONT");
    await sleep(1_000);
    await here.turn(PROMPTS[2] ?? "", "greet.py", 'print("HELLO")\n', 0);
    await expectEachItsOwn(here);
  },
  120_000,
);

it.each(sampled([300, 700], 300))(
  "a commit %i ms after the prompt has a checkpoint, though the daemon only starts",
  async (pauseMs) => {
    const here = await aider();
    await here.seam("enable", "--agent", "aider");
    await here.seam("daemon", "stop");
    here.starts("10:00:00");
    const started = here.seam("daemon", "start");
    await here.turn("add a greeting", "greet.py", 'print("hello")\n', pauseMs);
    await started;
    await sleep(QUIET_MS);
    await here.machine.recorded();
    expect(await recordOf(here, "HEAD"), here.machine.log).toContain('"add a greeting"');
  },
  120_000,
);

const isList = (name: string) => name.endsWith(".json");

inFull(
  "a daemon that is killed goes on where it was, and tells nothing twice",
  async () => {
    const here = await aider();
    await here.seam("enable", "--agent", "aider");
    here.starts("10:00:00");
    await here.turn("add a greeting", "greet.py", 'print("hello")\n');
    await sleep(QUIET_MS);
    here.writes("\n#### make it polite  \n");
    await sleep(1_000);
    await here.machine.kill();
    here.writes("\nI will.\n\n> Tokens: 1k sent, 10 received.  \n> Applied edit to greet.py  \n");
    writeFileSync(join(here.folder, "greet.py"), 'print("good day")\n');
    await here.seam("daemon", "start");
    await sleep(QUIET_MS + 1_000);
    await here.machine.recorded();
    await here.git("commit", "-qam", "by hand");
    await here.machine.recorded();
    expect(await recordOf(here, "HEAD"), here.machine.log).toContain("make it polite");
    const turns = JSON.parse(await here.seam("log", "--turns", "--json")) as { prompt?: string }[];
    expect(turns.map(({ prompt }) => prompt)).toEqual(["make it polite", "add a greeting"]);
    const checkpoints = JSON.parse(await here.seam("log", "--checkpoints", "--json")) as {
      metadata: { token_usage: { input_tokens: number } };
    }[];
    const tokens = checkpoints.map(({ metadata }) => metadata.token_usage.input_tokens);
    expect(tokens).toEqual([1000, 2100]);
    expect(here.machine.log).not.toMatch(/error/i);
  },
  120_000,
);

inFull(
  "what stands in the place of a history holds up nobody",
  async () => {
    const here = await aider();
    const other = new Aider(here.machine, join(here.machine.base, "other"));
    mkdirSync(other.folder);
    await other.git("init", "-q", "-b", "main");
    await here.seam("enable", "--agent", "aider");
    await other.seam("enable", "--agent", "aider");
    await here.machine.run(other.folder, "mkfifo", HISTORY);
    await sleep(500);
    rmSync(join(other.folder, HISTORY));
    here.starts("10:00:00");
    symlinkSync(join(here.folder, HISTORY), join(other.folder, HISTORY));
    await here.turn("add a greeting", "greet.py", 'print("hello")\n');
    await sleep(QUIET_MS);
    await here.machine.recorded();
    expect(await recordOf(here, "HEAD")).toContain("add a greeting");
    expect(await other.seam("log")).not.toContain("add a greeting");
    expect(here.machine.log).toContain("outside of the folder");
    rmSync(other.folder, { recursive: true });
    const told = async () =>
      (JSON.parse(await here.seam("daemon", "status", "--json")) as { watched: number }).watched;
    expect(await until(async () => (await told()) === 1)).toBe(true);
    expect(existsSync(here.folder)).toBe(true);
  },
  120_000,
);
