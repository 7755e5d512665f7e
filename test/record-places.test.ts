import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";
import { inFull } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function newMachine(): Machine {
  const machine = new Machine();
  machines.push(machine);
  return machine;
}

/** A repository with one commit, where nobody said enable. */
async function plain(machine: Machine, name: string): Promise<Checkout> {
  const one = new Checkout(machine, join(machine.base, name));
  mkdirSync(one.root);
  await one.git("init", "-q", "-b", "main");
  one.write("README.md", "# A project\n");
  await one.commit("Start");
  return one;
}

/** A turn that writes a file, and a commit of it by a person. */
async function work(repo: Checkout, file: string): Promise<void> {
  const agent = await new Agent(repo).start();
  await agent.turn(`Write ${file}`, () => agent.write(file, `${file}\n`));
  await repo.machine.recorded();
  await repo.commit(`Add ${file}`);
  await repo.machine.recorded();
}

const has = (repo: Checkout, path: string) => existsSync(join(repo.root, path));
const HOOK = ".git/hooks/prepare-commit-msg";

describe("seam enable --level user --record", () => {
  const everywhere = ["--level", "user", "--record", "--agent", "claude-code"] as const;

  it("records every repository from the first prompt on, and disable takes out just that", async () => {
    const machine = newMachine();
    const [one, own] = [await plain(machine, "one"), await plain(machine, "own")];
    await machine.seam(machine.base, "enable", ...everywhere);
    await machine.seam(own.root, "enable", "--agent", "seam");
    await work(one, "a.txt");
    await work(own, "b.txt");
    expect(await one.idsAt()).toHaveLength(1);
    expect(await own.idsAt()).toHaveLength(1);
    expect(machine.log).not.toContain("took Seam's git hooks away");
    const { stdout, stderr } = await machine.seam(
      machine.base,
      ...["disable", "--level", "user", "--yes"],
    );
    expect(stderr).toBe("");
    expect(stdout).toMatch(/git hooks of \S+\/one;/);
    expect([has(one, HOOK), has(own, HOOK)]).toEqual([false, true]);
    await work(one, "c.txt");
    expect(await one.idsAt()).toEqual([]);
    await work(own, "d.txt");
    expect(await own.idsAt()).toHaveLength(1);
  });

  inFull("leaves out what the user disabled or named, and a home folder under git", async () => {
    const machine = newMachine();
    const [off, named] = [await plain(machine, "off"), await plain(machine, "named")];
    const home = new Checkout(machine, machine.home);
    await home.git("init", "-q");
    mkdirSync(machine.store, { recursive: true });
    const settings = JSON.stringify({ unrecorded: [named.root] });
    writeFileSync(join(machine.store, "settings.json"), settings);
    await machine.seam(machine.base, "enable", ...everywhere);
    await machine.seam(off.root, "disable", "--yes");
    for (const repo of [off, named]) await work(repo, "a.txt");
    const agent = await new Agent(home).start();
    await agent.turn("Write", () => agent.write("note.txt", "note\n"));
    await machine.recorded();
    for (const repo of [off, named, home]) {
      expect([repo.root, has(repo, HOOK)]).toEqual([repo.root, false]);
      expect(has(repo, ".git/seam/enabled")).toBe(false);
    }
  });

  inFull("passes on hooks of a folder that the user names for all repositories", async () => {
    const machine = newMachine();
    const one = await plain(machine, "one");
    const hooks = join(machine.home, "hooks");
    mkdirSync(hooks);
    const script = `#!/bin/sh\necho ran >>'${join(machine.base, "ran")}'\n`;
    writeFileSync(join(hooks, "post-commit"), script, { mode: 0o755 });
    await one.git("config", "--global", "core.hooksPath", hooks);
    await machine.seam(machine.base, "enable", ...everywhere);
    await work(one, "a.txt");
    expect(await one.idsAt()).toHaveLength(1);
    expect(readFileSync(join(machine.base, "ran"), "utf8")).toBe("ran\n");
    await machine.seam(machine.base, "disable", "--level", "user", "--yes");
    expect(await one.git("config", "core.hooksPath")).toBe(hooks);
    expect(readFileSync(join(hooks, "post-commit"), "utf8")).toBe(script);
  });
});

describe("two work trees", () => {
  inFull("one that is disabled is not recorded, the other one is", async () => {
    const machine = newMachine();
    const main = await Checkout.create(machine);
    await main.git("worktree", "add", "-q", "../tree");
    const tree = new Checkout(machine, join(machine.base, "tree"));
    await tree.enable();
    await machine.seam(tree.root, "disable", "--yes");
    await work(main, "a.txt");
    await work(tree, "b.txt");
    expect(await main.idsAt()).toHaveLength(1);
    expect(await tree.idsAt()).toEqual([]);
    expect(machine.log).not.toContain("could not be recorded");
  });

  inFull("one with hooks of its own, by its own settings, is recorded, and they run", async () => {
    const machine = newMachine();
    const main = await Checkout.create(machine);
    await main.git("config", "extensions.worktreeConfig", "true");
    await main.git("worktree", "add", "-q", "../tree");
    const tree = new Checkout(machine, join(machine.base, "tree"));
    const hooks = join(machine.base, "hooks");
    mkdirSync(hooks);
    const ran = join(machine.base, "ran");
    const script = `#!/bin/sh\necho ran >>'${ran}'\n`;
    writeFileSync(join(hooks, "post-commit"), script, { mode: 0o755 });
    await tree.git("config", "--worktree", "core.hooksPath", hooks);
    await tree.enable();
    await work(tree, "b.txt");
    expect(await tree.idsAt()).toHaveLength(1);
    expect(readFileSync(ran, "utf8")).toBe("ran\n");
    await work(main, "a.txt");
    expect(await main.idsAt()).toHaveLength(1);
    expect(readFileSync(ran, "utf8")).toBe("ran\n");
    await machine.seam(tree.root, "disable", "--yes");
    expect(await tree.git("config", "core.hooksPath")).toBe(hooks);
    await main.git("worktree", "remove", "--force", "../tree");
    await machine.seam(main.root, "disable", "--yes");
    expect(has(main, HOOK)).toBe(false);
  });
});

inFull("disable leaves a folder for hooks that somebody named since", async () => {
  const machine = newMachine();
  const repo = await plain(machine, "repo");
  const [first, second] = [join(machine.base, "first"), join(machine.base, "second")];
  await repo.git("config", "core.hooksPath", first);
  await repo.enable();
  await repo.git("config", "core.hooksPath", second);
  await machine.seam(repo.root, "disable", "--yes");
  expect(await repo.git("config", "core.hooksPath")).toBe(second);
  expect(has(repo, ".git/seam/hooks")).toBe(false);
});

inFull(
  "a work tree with hooks of its own, enabled alone, has them back after disable",
  async () => {
    const machine = newMachine();
    const main = await plain(machine, "main");
    await main.git("config", "extensions.worktreeConfig", "true");
    await main.git("worktree", "add", "-q", "../tree");
    const tree = new Checkout(machine, join(machine.base, "tree"));
    const hooks = join(machine.base, "hooks");
    await tree.git("config", "--worktree", "core.hooksPath", hooks);
    await tree.enable();
    expect(await tree.git("config", "core.hooksPath")).not.toBe(hooks);
    await machine.seam(tree.root, "disable", "--yes");
    expect(await tree.git("config", "core.hooksPath")).toBe(hooks);
  },
);

inFull(
  "a repository that was moved is remembered where it is, once an agent works there",
  async () => {
    const machine = newMachine();
    const repo = await Checkout.create(machine);
    const moved = new Checkout(machine, join(machine.base, "moved"));
    await machine.run(machine.base, "mv", repo.root, moved.root);
    await work(moved, "a.txt");
    const { stdout } = await machine.seam(machine.base, "disable", "--all", "--yes");
    expect(stdout).toMatch(/git hooks of \S+\/moved;/);
    expect(has(moved, HOOK)).toBe(false);
    rmSync(moved.root, { recursive: true });
  },
);

it("work that waits for a commit is in its checkpoint though the folder got another name", async () => {
  const machine = newMachine();
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  await agent.turn("Write a.txt", () => agent.write("a.txt", "a\n"));
  await machine.recorded();
  const moved = new Checkout(machine, join(machine.base, "moved"));
  await machine.run(machine.base, "mv", repo.root, moved.root);
  await moved.commit("Add a.txt");
  await machine.recorded();
  expect(await moved.idsAt()).toHaveLength(1);
  const { stdout } = await machine.seam(moved.root, "show");
  expect(stdout).toMatch(/Files\n {4}a\.txt\n/);
  rmSync(moved.root, { recursive: true });
});

it("the daemon runs no git that a project puts on the PATH of the agent that starts it", async () => {
  const machine = newMachine();
  const repo = await Checkout.create(machine);
  const real = await machine.run(repo.root, "/bin/sh", "-c", "command -v git");
  const ran = join(machine.base, "ran");
  const script = `#!/bin/sh\ntr '\\0' ' ' </proc/$PPID/cmdline >>'${ran}'\nexec ${real.stdout.trim()} "$@"\n`;
  mkdirSync(join(repo.root, "bin"));
  writeFileSync(join(repo.root, "bin/git"), script, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${join(repo.root, "bin")}:${PATH}`;
  try {
    await work(repo, "a.txt");
  } finally {
    process.env.PATH = PATH;
  }
  expect(await repo.idsAt()).toHaveLength(1);
  // It is what the agent and the person run, and nobody else.
  expect(readFileSync(ran, "utf8")).not.toContain("daemon");
});
