import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Bait, HOSTILE_ATTRIBUTES, hostileConfig } from "./attack/bait.ts";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

interface Attacked {
  readonly machine: Machine;
  readonly bait: Bait;
  readonly repo: Checkout;
}

/** A repository with some history that the user did not make, with a submodule in it. */
async function unzipped(): Promise<Attacked> {
  const machine = new Machine();
  machines.push(machine);
  const bait = new Bait(join(machine.base, "bait"));
  const repo = new Checkout(machine, join(machine.base, "project"));
  mkdirSync(repo.root);
  await repo.git("init", "-q", "-b", "main");
  for (const name of ["a.txt", "b.odd", "folder/c.txt"]) repo.write(name, `${name}\n`);
  const inner = new Checkout(machine, join(repo.root, "sub"));
  mkdirSync(inner.root);
  await inner.git("init", "-q", "-b", "main");
  inner.write("d.txt", "d\n");
  await inner.commit("Inner");
  await repo.git("add", "-A");
  await repo.git("commit", "-q", "-m", "Start");
  repo.write(".gitattributes", HOSTILE_ATTRIBUTES);
  repo.write("folder/c.txt", "changed\n");
  return { machine, bait, repo };
}

/** What git itself is told, so that only Seam's own calls of git can spring the bait. */
const CLEAN = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=.git/hooks", "-c", "gc.auto=0"],
  ...["-c", "filter.bait.clean=", "-c", "filter.bait.process=", "-c", "filter.bait.required=false"],
  ...["-c", "filter.odd.name with space.clean=", "-c", "commit.gpgSign=false"],
  ...["-c", "submodule.recurse=false", "-c", "core.pager=cat", "-c", "core.editor=true"],
].join("\u0000");

/** All that happens in a day with Seam, and what ran that should not have, step by step. */
async function aDay({ machine, bait, repo }: Attacked): Promise<Record<string, string[]>> {
  const fired: Record<string, string[]> = {};
  const step = async (name: string, work: () => Promise<unknown>) => {
    await work();
    await machine.recorded();
    if (bait.fired.length > 0) fired[name] = bait.fired;
    bait.forget();
  };
  const command = (...args: string[]) =>
    step(`seam ${args.join(" ")}`, () => machine.seam(repo.root, ...args));
  await command("config");
  await command("status");
  await command("doctor");
  await command("enable", "--agent", "claude-code", "--json");
  await command("doctor", "--fix");
  const agent = new Agent(repo);
  await step("SessionStart", () => agent.start());
  await step("UserPromptSubmit", () => agent.prompt("Go"));
  await step("a tool", () => agent.write("a.txt", "one\n"));
  await step("a tool that adds a file", () => agent.write("new.txt", "new\n"));
  await step("a command", () => agent.run("touch -d '1 hour ago' a.txt; echo x >b.odd"));
  await step("Stop", () => agent.stop());
  const git = (...args: string[]) => {
    const quoted = [...CLEAN.split("\u0000"), ...args].map((arg) => `'${arg}'`);
    return agent.run(`git ${quoted.join(" ")}`);
  };
  await step("git commit", async () => {
    await agent.prompt("Commit");
    const added = await git("add", "a.txt", "new.txt");
    const done = await git("commit", "-q", "-m", "Change");
    expect([added, done].map(({ code, said }) => ({ code, said }))).toEqual([
      { code: 0, said: "" },
      { code: 0, said: "" },
    ]);
    await agent.stop();
  });
  await step("git commit --amend", async () => {
    await git("commit", "-q", "--amend", "-m", "Changed");
  });
  await command("log", "--json");
  await command("sessions", "--json");
  await command("show", "HEAD", "--json");
  await command("rewind", "--list", "--json");
  await command("rewind", "--to", "1", "--yes", "--json");
  await command("clean", "--json");
  await command("status", "--json");
  await command("disable", "--yes", "--json");
  return fired;
}

describe("a folder that came with its own .git", () => {
  it("gets nothing run by any command, hook or commit", async () => {
    const attacked = await unzipped();
    appendFileSync(join(attacked.repo.root, ".git/config"), hostileConfig(attacked.bait));
    appendFileSync(join(attacked.repo.root, "sub/.git/config"), hostileConfig(attacked.bait));
    expect(await aDay(attacked)).toEqual({});
  });

  it("gets nothing run through a file that its configuration includes, or a work tree's own", async () => {
    const attacked = await unzipped();
    const { root } = attacked.repo;
    writeFileSync(join(root, "included"), hostileConfig(attacked.bait));
    appendFileSync(join(root, ".git/config"), '[include]\n\tpath = "../included"\n');
    await attacked.repo.git("config", "extensions.worktreeConfig", "true");
    writeFileSync(join(root, ".git/config.worktree"), hostileConfig(attacked.bait));
    expect(await aDay(attacked)).toEqual({});
  });
});

describe("a committed folder that looks like a repository", () => {
  /** Puts a repository without a `.git` into the folder, as a clone would bring it. */
  async function withFake(name: string, { hasGit }: { hasGit: boolean }): Promise<Attacked> {
    const attacked = await unzipped();
    const { repo, bait } = attacked;
    const fake = join(repo.root, name);
    mkdirSync(fake, { recursive: true });
    for (const part of ["HEAD", "config", "objects", "refs", "index"]) {
      cpSync(join(repo.root, ".git", part), join(fake, part), { recursive: true });
    }
    writeFileSync(join(fake, "refs/keep"), "");
    appendFileSync(join(fake, "config"), `${hostileConfig(bait)}[core]\n\tworktree = ..\n`);
    if (hasGit) await repo.commit("A trap", "--no-verify");
    else rmSync(join(repo.root, ".git"), { recursive: true });
    return attacked;
  }

  for (const hasGit of [true, false]) {
    const where = hasGit ? "in a clone" : "in a folder without git";
    it(`as .seam ${where} gets nothing run`, async () => {
      const { machine, bait, repo } = await withFake(".seam", { hasGit });
      writeFileSync(join(repo.root, ".seam/settings.json"), "{}");
      writeFileSync(join(repo.root, ".seam/settings.local.json"), "{}");
      for (const cwd of [repo.root, join(repo.root, ".seam"), join(repo.root, ".seam/refs")]) {
        for (const args of [
          ["config"],
          ["status"],
          ["doctor"],
          ["log"],
          ["enable", "--agent", "claude-code"],
        ]) {
          await machine.seam(cwd, ...args);
          expect(bait.fired, `seam ${args.join(" ")} in ${cwd}`).toEqual([]);
        }
        const agent = await new Agent(repo, cwd).start();
        await agent.turn("Go", () => agent.write("x.txt", "x\n"));
        await machine.recorded();
        expect(bait.fired, `hooks in ${cwd}`).toEqual([]);
      }
    });
  }

  it("as .seam with nothing in it but a command gets nothing run, and its settings do not count", async () => {
    const { machine, bait, repo } = await unzipped();
    repo.write(".seam/HEAD", "ref: refs/heads/main\n");
    repo.write(".seam/objects/keep", "");
    repo.write(".seam/refs/keep", "");
    const command = bait.command("core.fsmonitor").replaceAll('"', '\\"');
    repo.write(
      ".seam/config",
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "${command}"\n`,
    );
    repo.write(".seam/settings.json", JSON.stringify({ extensions: ["./x.ts"] }));
    repo.write(
      "x.ts",
      `import { execSync } from "node:child_process";\nexecSync(${JSON.stringify(bait.command("extension"))});\nexport default () => {};\n`,
    );
    await repo.commit("A trap", "--no-verify");
    await machine.seam(repo.root, "config");
    expect(bait.fired).toEqual([]);
    await repo.enable();
    const agent = await new Agent(repo).start();
    await agent.turn("Go", () => agent.write("a.txt", "one\n"));
    await machine.recorded();
    expect(bait.fired).toEqual([]);
  });
});
