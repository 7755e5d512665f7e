import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkpoint, recordOf, turn } from "../src/record/history/test-kit.ts";
import { Project } from "../src/record/test-kit/project.ts";
import { Terminal, type TerminalOptions, whyNoTerminal } from "./cli/terminal.ts";
import { inFull } from "./setup/sample.ts";

const LINES = [
  { type: "user", uuid: "u1", message: { role: "user", content: "Hello" } },
  { type: "assistant", uuid: "a1", message: { role: "assistant", content: [] } },
];

type Size = Pick<TerminalOptions, "columns" | "rows">;

/** A repository in which an agent worked twice, and was committed once. */
async function worked() {
  const project = new Project();
  const record = await recordOf(project.root);
  const work = (name: string, prompt: string) =>
    turn(record, () => void project.write(name, `${name}\n`), { prompt });
  const first = await work("first.txt", "Write the first file");
  const second = await work("second.txt", "Write the second file");
  const id = await checkpoint(project, record, { session: "session-1", lines: LINES });
  project.commit(`Work\n\nSeam-Checkpoint: ${id}`);
  const seam = (args: readonly string[], env: NodeJS.ProcessEnv = {}, size: Size = {}) =>
    new Terminal(args, { cwd: project.root, env: { ...project.env, ...env }, ...size });
  const has = (name: string) => existsSync(join(project.root, name));
  return { project, record, first, second, id, seam, has };
}

/** A program by that name, found before any other. */
function standIn(project: Project, name: string, script: string): NodeJS.ProcessEnv {
  const bin = join(project.home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

describe.skipIf(whyNoTerminal)("seam rewind on a terminal", () => {
  it("asks about the work of others, also with --yes", async () => {
    const { project, seam, has, second } = await worked();
    project.write("mine.txt", "by hand\n");
    const rewind = seam(["rewind", second, "--yes"]);
    await rewind.shows("outside any recorded turn, perhaps your own: mine.txt");
    await rewind.shows("Undo that too? (y/N)");
    rewind.type("n");
    expect(await rewind.exited).toBe(1);
    expect(has("mine.txt")).toBe(true);
  });

  it("lets a turn be chosen, shows what will change, asks, and can be undone", async () => {
    const { seam, has } = await worked();
    const rewind = seam(["rewind"]);
    await rewind.shows("Back to the start of which turn?");
    await rewind.shows("Write the first file");
    rewind.press("down");
    rewind.press("enter");
    await rewind.shows("deleted  first.txt");
    await rewind.shows("deleted  second.txt");
    await rewind.shows("Change these files? (y/N)");
    expect([has("first.txt"), has("second.txt")]).toEqual([true, true]);
    rewind.type("y");
    await rewind.shows("seam rewind --undo");
    expect(await rewind.exited).toBe(0);
    expect([has("first.txt"), has("second.txt")]).toEqual([false, false]);
    const undo = seam(["rewind", "--undo"]);
    await undo.shows("Change these files?");
    undo.type("y");
    expect(await undo.exited).toBe(0);
    expect([has("first.txt"), has("second.txt")]).toEqual([true, true]);
  });

  it.each(["escape", "ctrl-c"] as const)("%s in the list leaves all as it was", async (key) => {
    const { seam, has, project } = await worked();
    const rewind = seam(["rewind"]);
    await rewind.shows("which turn?");
    rewind.press(key);
    await rewind.shows("Nothing was changed.");
    expect(await rewind.exited).toBe(1);
    expect(has("second.txt")).toBe(true);
    expect(project.git("for-each-ref", "refs/seam/rewind")).toBe("");
  });

  it.each([
    ["escape", "\x1b"],
    ["ctrl-c", "\x03"],
    ["enter", "\r"],
    ["n", "n"],
    ["an arrow, then n", "\x1b[An"],
  ])("%s at the question leaves all as it was", async (_, keys) => {
    const { seam, has, second, project } = await worked();
    const rewind = seam(["rewind", second]);
    await rewind.shows("(y/N)");
    rewind.type(keys);
    await rewind.shows("no\nNothing was changed.");
    expect(await rewind.exited).toBe(1);
    expect(has("second.txt")).toBe(true);
    expect(project.git("for-each-ref", "refs/seam/rewind")).toBe("");
  });

  it("--json never asks", async () => {
    const { seam, second, has } = await worked();
    const rewind = seam(["rewind", second, "--json"]);
    expect(await rewind.exited).toBe(2);
    expect(rewind.text).toContain('"code": "SEAM_USAGE"');
    expect(has("second.txt")).toBe(true);
  });

  it("a dumb terminal gets a question, but no list and no escape sequence", async () => {
    const { seam, second, has } = await worked();
    const list = seam(["rewind"], { TERM: "dumb" });
    await list.shows("seam log --turns");
    expect(await list.exited).toBe(2);
    const rewind = seam(["rewind", second], { TERM: "dumb" });
    await rewind.shows("Change these files? (y/N)");
    rewind.type("y");
    expect(await rewind.exited).toBe(0);
    expect(has("second.txt")).toBe(false);
    expect(list.raw + rewind.raw).not.toContain("\x1b");
  });
});

describe.skipIf(whyNoTerminal)("seam resume on a terminal", () => {
  const CLAUDE = '[ -t 0 ] && echo "claude $*"; read line; echo "heard $line"; exit 7';

  it("--run hands the terminal to the agent, and ends as it does", async () => {
    const { seam, project } = await worked();
    const resume = seam(["resume", "--run"], standIn(project, "claude", CLAUDE));
    await resume.shows("claude --resume session-1");
    resume.type("good morning\n");
    await resume.shows("heard good morning");
    expect(await resume.exited).toBe(7);
  });

  it("lets one of several be chosen, and the agent still gets every key", async () => {
    const { seam, project, record, id } = await worked();
    await checkpoint(project, record, { session: "session-2", lines: LINES, id });
    const resume = seam(["resume", "--run"], standIn(project, "claude", CLAUDE));
    await resume.shows("Which session?");
    resume.press("down");
    resume.press("enter");
    await resume.shows("claude --resume session-1");
    resume.type("all of it\n");
    await resume.shows("heard all of it");
    expect(await resume.exited).toBe(7);
  });

  it("Ctrl-C is for the agent: seam waits until it ends", async () => {
    const { seam, project } = await worked();
    // The key may come before the agent reads, and then interrupts nothing.
    const script =
      'trap "echo interrupted" INT; echo ready; read line || read line; echo "heard $line"';
    const resume = seam(["resume", "--run"], standIn(project, "claude", script));
    await resume.shows("ready");
    resume.press("ctrl-c");
    await resume.shows("interrupted");
    resume.type("on\n");
    await resume.shows("heard on");
    expect(await resume.exited).toBe(0);
  });
});

describe.skipIf(whyNoTerminal)("long output", () => {
  const PAGER = 'echo "page of $(wc -l)"; read line </dev/tty; echo "left with $line"';

  it("goes through the pager where it does not fit, and Ctrl-C there is the pager's", async () => {
    const { seam, project } = await worked();
    const traps = standIn(project, "my-pager", `trap "echo interrupted" INT; ${PAGER}`);
    const log = seam(["log"], { ...traps, PAGER: "my-pager" }, { rows: 4 });
    await log.shows("page of 9");
    log.press("ctrl-c");
    await log.shows("interrupted");
    // The pager that was interrupted before it read still waits for a line.
    log.press("enter");
    await log.shows("left with");
    expect(await log.exited).toBe(0);
  });

  it("q leaves less", async () => {
    const { seam } = await worked();
    const log = seam(["log"], { PAGER: "less" }, { rows: 4 });
    await log.shows(":");
    log.type("q");
    expect(await log.exited).toBe(0);
  });

  it("lines that wrap count as what they take", async () => {
    const { seam, project } = await worked();
    const env = { ...standIn(project, "my-pager", PAGER), PAGER: "my-pager" };
    const wide = seam(["show"], env, { rows: 16, columns: 120 });
    expect([await wide.exited, wide.text]).toEqual([0, expect.not.stringContaining("page of")]);
    const narrow = seam(["show"], env, { rows: 16, columns: 24 });
    await narrow.shows("page of");
    narrow.press("enter");
    expect(await narrow.exited).toBe(0);
  });

  inFull("is printed as it is without a pager", async () => {
    const { seam, second } = await worked();
    for (const env of [{ PAGER: "no-such-program" }, { PAGER: "" }, { TERM: "dumb" }]) {
      const log = seam(["log"], env, { rows: 4 });
      expect([await log.exited, log.text]).toEqual([0, expect.stringContaining(second)]);
    }
  });

  it("has colours on a terminal only, and not where they are not wanted", async () => {
    const { seam } = await worked();
    const raw = async (env: NodeJS.ProcessEnv) => {
      const log = seam(["log"], env);
      await log.exited;
      return log.raw;
    };
    expect(await raw({})).toContain("\x1b[33m");
    expect(await raw({ NO_COLOR: "1" })).not.toContain("\x1b");
    expect(await raw({ TERM: "dumb" })).not.toContain("\x1b");
  });

  it("no id is cut in two on a narrow terminal", async () => {
    const { seam, first, second, id } = await worked();
    const log = seam(["log"], {}, { columns: 40, rows: 60 });
    expect(await log.exited).toBe(0);
    for (const known of [first, second, id]) expect(log.text).toContain(known);
    expect(Math.max(...log.text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(40);
  });
});

describe("a pipe that is closed early", () => {
  it.each([["log"], ["log --json"], ["show"], ["show --json"], ["show --transcript"]])(
    "ends seam %s without a word",
    async (args) => {
      const { project, record, id } = await worked();
      const many = Array.from({ length: 3000 }, () => ({ type: "user", text: "x".repeat(100) }));
      await checkpoint(project, record, { session: "session-1", lines: many, id });
      const main = join(import.meta.dirname, "../dist/bin/seam.js");
      const command = `{ "$0" "$1" ${args}; echo "code $?" >&2; } | head -c 1`;
      const { stderr } = spawnSync("sh", ["-c", command, process.execPath, main], {
        cwd: project.root,
        env: project.env,
        encoding: "utf8",
      });
      expect(stderr).toBe("code 0\n");
    },
  );
});
