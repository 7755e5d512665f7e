import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";
import { inFull } from "./setup/sample.ts";

const machine = new Machine();
afterAll(() => machine.remove());

async function withSubmodule(): Promise<{ outer: Checkout; sub: Checkout }> {
  const inner = await Checkout.create(machine);
  const outer = await Checkout.create(machine);
  const allowed = ["-c", "protocol.file.allow=always"];
  await outer.git(...allowed, "submodule", "add", "-q", inner.root, "sub");
  await outer.commit("Submodule");
  return { outer, sub: new Checkout(machine, join(outer.root, "sub")) };
}

/**
 * A turn committed by a person, and a turn in which the agent commits itself. Both have to be
 * recorded, whatever kind of repository it is.
 */
async function recordsBoth(repo: Checkout): Promise<string[]> {
  const agent = await new Agent(repo).start();
  await agent.turn("Write a", () => agent.write("src/a.ts", "export const a = 1;\n"));
  await repo.commit("By a person");
  const first = await repo.checkpointAt();
  await agent.turn("Write b", async () => {
    await agent.write("src/b.ts", "export const b = 2;\n");
    await agent.bash("git add -A && git commit -q -m 'By the agent'");
  });
  await machine.recorded();
  const second = await repo.checkpointAt();
  expect(await repo.session(first)).toMatchObject({
    session_id: agent.id,
    files_touched: ["src/a.ts"],
  });
  expect(await repo.session(second)).toMatchObject({
    session_id: agent.id,
    files_touched: ["src/b.ts"],
    finalized_at: expect.any(String),
  });
  for (const id of [first, second]) expect((await repo.show(id)).code, id).toBe(0);
  expect(await repo.unsound()).toBe("");
  expect((await repo.status()).record.problems).toEqual([]);
  return [first, second];
}

describe("kinds of repositories", () => {
  it("records in one without commits", async () => {
    const repo = new Checkout(machine, join(machine.base, "unborn"));
    mkdirSync(repo.root);
    await repo.git("init", "-q", "-b", "main");
    await repo.enable();
    await recordsBoth(repo);
  });

  it("records in one with SHA-256", async () => {
    await recordsBoth(await Checkout.create(machine, { init: ["--object-format=sha256"] }));
  });

  inFull("records in a shallow clone", async () => {
    const origin = await Checkout.create(machine);
    for (const name of ["x", "y"]) {
      origin.write(`src/${name}.ts`, name);
      await origin.commit(name);
    }
    const repo = new Checkout(machine, join(machine.base, "shallow"));
    await origin.git("clone", "-q", "--depth=1", `file://${origin.root}`, repo.root);
    await repo.enable();
    await recordsBoth(repo);
    expect(await repo.git("rev-parse", "--is-shallow-repository")).toBe("true");
    // The oldest commit that is there has parents that are not.
    await repo.git("reset", "-q", "--hard", "HEAD~2");
    const agent = await new Agent(repo).start();
    await agent.turn("Write c", () => agent.write("src/c.ts", "export const c = 3;\n"));
    await repo.commit("Amended", "--amend");
    const id = await repo.checkpointAt();
    expect(await repo.session(id)).toMatchObject({ files_touched: ["src/c.ts"] });
    expect(await repo.unsound()).toBe("");
  });

  inFull(
    "records in a sparse checkout, and leaves what is not checked out in the snapshots",
    async () => {
      const repo = await Checkout.create(machine);
      for (const name of ["src/x.ts", "docs/y.md"]) repo.write(name, name);
      await repo.commit("More");
      await repo.git("sparse-checkout", "set", "--cone", "src");
      expect(existsSync(join(repo.root, "docs"))).toBe(false);
      await recordsBoth(repo);
      const [turns = ""] = (
        await repo.git("for-each-ref", "--format=%(refname)", "refs/seam/turns")
      ).split("\n");
      expect(await repo.git("ls-tree", "-r", "--name-only", turns)).toContain("docs/y.md");
      expect(await repo.git("ls-tree", "-r", "--name-only", "HEAD")).toContain("docs/y.md");
    },
  );

  it("records in a linked work tree, with checkpoints for all of them", async () => {
    const main = await Checkout.create(machine);
    const linked = new Checkout(machine, join(machine.base, "linked"));
    await main.git("worktree", "add", "-q", "-b", "side", linked.root);
    const [first = ""] = await recordsBoth(linked);
    expect((await main.show(first)).code).toBe(0);
    await recordsBoth(main);
  });

  inFull("records on a detached HEAD", async () => {
    const repo = await Checkout.create(machine);
    await repo.git("checkout", "-q", "--detach");
    const [first = ""] = await recordsBoth(repo);
    expect(await repo.session(first)).not.toHaveProperty("branch");
  });

  it("records commits in a submodule and of its pointer", async () => {
    const { outer, sub } = await withSubmodule();
    await sub.enable();
    const agent = await new Agent(sub).start();
    await agent.turn("Inside", () => agent.write("in.ts", "export const inside = 1;\n"));
    await sub.commit("Inside");
    const inside = await sub.checkpointAt();
    expect(await sub.session(inside)).toMatchObject({ files_touched: ["in.ts"] });
    const other = await new Agent(outer).start();
    await other.turn("Take it up", () => other.bash("git add sub && git commit -q -m Pointer"));
    const pointer = await outer.checkpointAt();
    expect(await outer.session(pointer)).toMatchObject({ session_id: other.id });
    expect(await outer.checkpoints()).toEqual([pointer]);
    for (const one of [sub, outer]) expect(await one.unsound()).toBe("");
  });

  inFull(
    "an agent that works from the outside in a submodule is not in the way of its commits",
    async () => {
      const { outer, sub } = await withSubmodule();
      const agent = await new Agent(outer).start();
      await agent.turn("Both", async () => {
        await agent.write("sub/in.ts", "export const inside = 1;\n");
        await agent.bash("cd sub && git add -A && git commit -q -m Inside");
        await agent.bash("git add -A && git commit -q -m Pointer");
      });
      const id = await outer.checkpointAt();
      expect(await outer.session(id)).toMatchObject({ files_touched: ["sub"] });
      expect(await sub.idsAt()).toEqual([]);
      for (const one of [sub, outer]) expect(await one.unsound()).toBe("");
    },
  );

  inFull("nothing happens in a bare repository, nor outside of any", async () => {
    const { length: logged } = machine.log;
    const bare = new Checkout(machine, join(machine.base, "bare.git"));
    const outside = new Checkout(machine, join(machine.base, "outside"));
    mkdirSync(outside.root);
    mkdirSync(bare.root);
    await bare.git("init", "-q", "--bare");
    for (const place of [bare, outside]) {
      await expect(place.enable()).rejects.toThrow("--level user");
      await place.enable("--level", "user");
      const agent = await new Agent(place).start();
      await agent.turn("Look", () => agent.bash("ls"));
    }
    await machine.recorded();
    expect(existsSync(join(bare.root, "seam"))).toBe(false);
    expect(existsSync(join(bare.root, "hooks/prepare-commit-msg"))).toBe(false);
    expect(existsSync(join(outside.root, ".git"))).toBe(false);
    expect(await bare.unsound()).toBe("");
    expect(machine.log.slice(logged)).not.toMatch(/"level":"(warn|error)"/);
  });
});

describe("operations in the middle", () => {
  /** Two branches that changed the same line; the agent made the change on main. */
  async function conflict() {
    const repo = await Checkout.create(machine);
    repo.write("f.txt", "base\n");
    await repo.commit("Base");
    await repo.git("checkout", "-q", "-b", "side");
    repo.write("f.txt", "side side side\n");
    await repo.commit("Side");
    await repo.git("checkout", "-q", "main");
    const agent = await new Agent(repo).start();
    await agent.turn("Change f", () => agent.write("f.txt", "main main main\n"));
    await repo.commit("Main");
    const before = await repo.checkpointAt();
    return { repo, agent, before };
  }

  const resolved = "main main main\nside side side\n";

  inFull("a conflict in a merge that the agent resolved is recorded with the merge", async () => {
    const { repo, agent, before } = await conflict();
    await agent.turn("Merge side", async () => {
      expect((await agent.run("git merge side")).code).toBe(1);
      await agent.write("f.txt", resolved);
      await agent.bash("git add f.txt && git commit -q --no-edit");
    });
    const id = await repo.checkpointAt();
    expect(await repo.session(id)).toMatchObject({ files_touched: ["f.txt"] });
    expect((await repo.git("log", "-1", "--format=%P")).split(" ")).toHaveLength(2);
    expect((await repo.show(before)).code).toBe(0);
    expect(await repo.unsound()).toBe("");
  });

  inFull(
    "a conflict in a rebase that the agent resolved is recorded, and so is the commit from before",
    async () => {
      const { repo, agent, before } = await conflict();
      await agent.turn("Rebase", async () => {
        expect((await agent.run("git rebase side")).code).toBe(1);
        await agent.write("f.txt", resolved);
        await agent.bash("git add f.txt && git rebase --continue");
      });
      await machine.recorded();
      // The message came along, and with it the link.
      expect(await repo.idsAt()).toEqual([before]);
      const shown = JSON.parse((await repo.show("HEAD")).stdout);
      expect(JSON.stringify(shown)).toContain(before);
      expect(await repo.unsound()).toBe("");
    },
  );

  inFull("a conflict in a cherry-pick that the agent resolved keeps the link", async () => {
    const { repo, agent, before } = await conflict();
    await repo.git("checkout", "-q", "side");
    await agent.turn("Pick", async () => {
      expect((await agent.run("git cherry-pick main")).code).toBe(1);
      await agent.write("f.txt", resolved);
      await agent.bash("git add f.txt && git cherry-pick --continue");
    });
    expect(await repo.idsAt()).toEqual([before]);
    expect((await repo.show("HEAD")).code).toBe(0);
    expect(await repo.unsound()).toBe("");
  });

  inFull("a turn that begins and ends in the middle of a rebase is recorded", async () => {
    const { repo, before } = await conflict();
    expect((await repo.tries("rebase", "side")).code).toBe(1);
    const agent = await new Agent(repo).start();
    await agent.turn("Resolve it", () => agent.write("f.txt", resolved));
    await repo.git("add", "f.txt");
    await repo.git("rebase", "--continue");
    await machine.recorded();
    expect(await repo.git("show", "HEAD:f.txt")).toBe(resolved.trimEnd());
    const log = await machine.seam(repo.root, "log", "--turns", "--json");
    expect(log.stdout).toContain("Resolve it");
    expect((await repo.show(before)).code).toBe(0);
    expect(await repo.unsound()).toBe("");
  });
});

inFull("two commits at once, in two work trees, both get their checkpoints", async () => {
  const main = await Checkout.create(machine);
  const side = new Checkout(machine, join(machine.base, "at-once"));
  await main.git("worktree", "add", "-q", "-b", "at-once", side.root);
  const agents = await Promise.all([main, side].map((one) => new Agent(one).start()));
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    await Promise.all(
      [main, side].map(async (one, at) => {
        const agent = agents[at];
        await agent?.turn(`${n}`, () => agent.write(`${at}-${n}.ts`, `export const n = ${n};\n`));
        await one.commit(`${n}`);
        ids.push(await one.checkpointAt());
      }),
    );
  }
  expect((await main.checkpoints()).sort()).toEqual(ids.sort());
  expect(ids).toHaveLength(10);
  expect(await main.unsound()).toBe("");
});
