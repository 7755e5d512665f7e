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
import { Machine, until } from "./record/machine.ts";

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
  async turn(prompt: string, file: string, content: string): Promise<string> {
    this.writes(`\n#### ${prompt}  \n`);
    await sleep(2_500);
    this.writes(`\nI will change ${file}.\n\n${file}\n\`\`\`\n${content}\`\`\`\n\n`);
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
  expect(await here.seam("log")).toContain("make it polite");

  expect(await here.seam("disable", "--agent", "aider")).toContain("✓");
  expect(readdirSync(join(here.machine.store, "watched")).filter(isList)).toEqual([]);
}, 120_000);

const isList = (name: string) => name.endsWith(".json");

it("a daemon that is killed goes on where it was, and tells nothing twice", async () => {
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
  const turns = (JSON.parse(await here.seam("show", "HEAD", "--json")) as object) ?? {};
  expect(JSON.stringify(turns).match(/make it polite/g)?.length, here.machine.log).toBeGreaterThan(
    0,
  );
  const sessions = await here.seam("sessions", "--json");
  expect(sessions).not.toBe("");
  expect(here.machine.log).not.toMatch(/error/i);
}, 120_000);

it("what stands in the place of a history holds up nobody", async () => {
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
}, 120_000);
