import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";
import { inFull, sampled } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

/** A repository with one commit, where nobody said enable. */
async function plain(): Promise<Checkout> {
  const machine = new Machine();
  machines.push(machine);
  const repo = new Checkout(machine, join(machine.base, "repo"));
  mkdirSync(repo.root);
  await repo.git("init", "-q", "-b", "main");
  repo.write("README.md", "# A project\n");
  await repo.commit("Start");
  return repo;
}

/** Names in a folder of the repository. */
const names = (repo: Checkout, path: string) => {
  const folder = join(repo.root, path);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

const seam = (repo: Checkout, ...args: string[]) => repo.machine.seam(repo.root, ...args);

describe("an enable that fails leaves nothing behind", () => {
  const obstacles: Record<string, (repo: Checkout) => void> = {
    "the record of a newer Seam": (repo) => repo.write(".git/seam/version", "99\n"),
    "a link out of the repository": (repo) => {
      const elsewhere = join(repo.machine.base, "elsewhere");
      mkdirSync(elsewhere);
      symlinkSync(elsewhere, join(repo.root, ".git/seam"));
    },
    "no folder for hooks": (repo) => {
      rmSync(join(repo.root, ".git/hooks"), { recursive: true });
      repo.write(".git/hooks", "a file\n");
    },
    "settings of an agent that cannot be changed": (repo) =>
      repo.write(".codex/hooks.json", "not JSON\n"),
  };

  it.each(Object.keys(obstacles))("%s", async (why) => {
    const repo = await plain();
    obstacles[why]?.(repo);
    const git = () => [names(repo, ".git"), names(repo, ".git/seam"), repo.read(".git/config")];
    const before = [names(repo, "."), names(repo, ".codex"), git()];
    const { code } = await seam(repo, "enable", "--agent", "claude-code", "codex");
    expect(code).toBe(1);
    expect([names(repo, "."), names(repo, ".codex"), git()]).toEqual(before);
    expect((await seam(repo, "status", "--json")).stdout).not.toContain('"enabled": true');
  });
});

describe("disable takes Seam's git hooks out", () => {
  const after: Record<string, (repo: Checkout) => unknown> = {
    "after somebody deleted Seam's folder": (repo) =>
      rmSync(join(repo.root, ".git/seam"), { recursive: true }),
    "after a tool named another folder": async (repo) => {
      repo.write(".husky/pre-commit", "#!/bin/sh\nexit 0\n");
      await repo.git("config", "core.hooksPath", ".husky");
    },
    "after a disable that could not": async (repo) => {
      renameSync(join(repo.root, ".git/hooks/commit-msg"), join(repo.root, ".git/aside"));
      mkdirSync(join(repo.root, ".git/hooks/commit-msg/in-the-way"), { recursive: true });
      await seam(repo, "disable", "--yes");
      rmSync(join(repo.root, ".git/hooks/commit-msg"), { recursive: true });
      renameSync(join(repo.root, ".git/aside"), join(repo.root, ".git/hooks/commit-msg"));
    },
  };

  it.each(Object.keys(after))("%s", async (why) => {
    const repo = await plain();
    writeFileSync(join(repo.root, ".git/hooks/commit-msg"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    const before = names(repo, ".git/hooks");
    await repo.enable();
    expect(names(repo, ".git/hooks")).not.toEqual(before);
    await after[why]?.(repo);
    const { code } = await seam(repo, "disable", "--yes");
    expect(code).toBe(0);
    expect(names(repo, ".git/hooks")).toEqual(before);
    expect(repo.read(".git/hooks/commit-msg")).toBe("#!/bin/sh\nexit 0\n");
    expect(names(repo, ".git/seam")).toEqual([]);
  });

  inFull("where every repository is recorded and this one is left out", async () => {
    const repo = await plain();
    const { machine } = repo;
    const everywhere = ["--level", "user", "--record", "--agent", "claude-code"];
    await machine.seam(machine.base, "enable", ...everywhere);
    const before = names(repo, ".git/hooks");
    const agent = await new Agent(repo).start();
    await agent.turn("Write", () => agent.write("a.txt", "a\n"));
    await machine.recorded();
    expect(names(repo, ".git/hooks")).not.toEqual(before);
    await seam(repo, "disable", "--yes");
    expect(names(repo, ".git/hooks")).toEqual(before);
    await machine.seam(machine.base, "disable", "--level", "user", "--yes");
    expect(existsSync(join(repo.root, ".git/seam/enabled"))).toBe(false);
  });

  it("and leaves no folder where nothing was recorded", async () => {
    const repo = await plain();
    const before = names(repo, ".git");
    await repo.enable();
    await seam(repo, "disable", "--yes");
    expect(names(repo, ".git")).toEqual(before);
  });
});

it.each(sampled(["mv", "cp -r"], "mv"))(
  "a project after %s is after disable what it was",
  async (how) => {
    const repo = await plain();
    const { machine } = repo;
    repo.write(".codex/hooks.json", '{ "hooks": {} }');
    const exclude = repo.read(".git/info/exclude");
    const before = names(repo, ".");
    await seam(repo, "enable", "--agent", "claude-code", "codex");
    expect(names(repo, ".")).not.toEqual(before);
    const other = new Checkout(machine, join(machine.base, "other"));
    await machine.run(machine.base, "sh", "-c", `${how} repo other`);
    await seam(other, "disable", "--yes");
    expect(names(other, ".")).toEqual(before);
    expect(other.read(".codex/hooks.json")).toBe('{ "hooks": {} }');
    expect(other.read(".git/info/exclude")).toBe(exclude);
    const left = readdirSync(join(machine.store, "installs"));
    expect(left).toHaveLength(how === "mv" ? 0 : 2);
  },
);

it("seam log in a clone whose commits name checkpoints says how to fetch them", async () => {
  const repo = await plain();
  expect((await seam(repo, "log")).stdout).toContain("seam enable");
  await repo.git("commit", "-q", "--allow-empty", "-m", "Work\n\nSeam-Checkpoint: 0123456789ab");
  await repo.git("commit", "-q", "--allow-empty", "-m", "More work");
  expect((await seam(repo, "log")).stdout).toContain("seam sync --fetch");
});

describe("hooks of the user in a folder of their own", () => {
  async function husky(): Promise<Checkout> {
    const repo = await plain();
    mkdirSync(join(repo.root, ".husky"));
    const script = '#!/bin/sh\n! grep -q BAD "$1"\n';
    writeFileSync(join(repo.root, ".husky/commit-msg"), script, { mode: 0o755 });
    await repo.git("config", "core.hooksPath", ".husky");
    await repo.enable();
    return repo;
  }
  const commit = (repo: Checkout, message: string) =>
    repo.tries("commit", "-q", "--allow-empty", "-m", message);

  inFull("stop a commit with Seam, in a moved repository, and after disable there", async () => {
    const repo = await husky();
    const { stdout } = await seam(repo, "enable", "--agent", "claude-code");
    expect(stdout).toContain("those that core.hooksPath names run first");
    expect((await commit(repo, "BAD")).code).toBe(1);
    const moved = new Checkout(repo.machine, join(repo.machine.base, "moved"));
    renameSync(repo.root, moved.root);
    expect((await commit(moved, "BAD")).code).toBe(1);
    await seam(moved, "disable", "--yes");
    expect(await moved.git("config", "core.hooksPath")).toBe(".husky");
    expect(moved.read(".git/config")).not.toContain("seam");
    expect((await commit(moved, "BAD")).code).toBe(1);
  });

  inFull(
    "are given back by doctor --fix what an earlier version of Seam left in the way",
    async () => {
      const repo = await husky();
      await seam(repo, "disable", "--yes");
      await repo.git("config", "core.hooksPath", "/moved/away/.git/seam/hooks");
      await repo.git("config", "seam.hooksPathBefore", ".husky");
      expect((await commit(repo, "BAD")).code).toBe(0);
      expect((await seam(repo, "doctor", "--json")).stdout).toContain("git-hooks-left");
      await seam(repo, "doctor", "--fix");
      expect(await repo.git("config", "core.hooksPath")).toBe(".husky");
      expect((await commit(repo, "BAD")).code).toBe(1);
    },
  );
});
