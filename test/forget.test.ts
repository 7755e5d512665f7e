import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { OLD, unpackOldStore } from "./record/old-store.ts";
import { inFull, sampled } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function newMachine(): Machine {
  const machine = new Machine();
  machines.push(machine);
  return machine;
}

/** Every object git still has, and every file of Seam's, as one text. */
async function everything(repo: Checkout): Promise<string> {
  await repo.git("reflog", "expire", "--expire=now", "--all");
  await repo.git("gc", "--quiet", "--prune=now");
  const objects = execFileSync("git", ["cat-file", "--batch-all-objects", "--batch"], {
    cwd: repo.root,
    maxBuffer: 64 * 1024 * 1024,
  }).toString("latin1");
  const files = [join(repo.root, ".git/seam"), join(repo.machine.store, "run")].map(textsIn);
  return [objects, await repo.git("for-each-ref"), ...files].join("\n");
}

function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith("daemon.log"))
    .map((path) => `${path}\n${readFileSync(path, "latin1")}`)
    .join("\n");
}

const forget = (repo: Checkout, ...args: string[]) =>
  repo.machine.seam(repo.root, "forget", ...args);

/** Prompts of the session, and what only its transcript says. */
const SAID = ["Write a", "Write b and commit it", "Write d", "toolu_11111111", OLD.first];

it("forget shows what would go and what stays, and without a yes nothing goes", async () => {
  const { repo } = unpackOldStore(newMachine());
  const before = await repo.git("for-each-ref");
  const dry = await forget(repo, "111111", "--dry-run");
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain(OLD.first);
  expect(dry.stdout).toContain("2 checkpoints");
  expect(dry.stdout).toContain("its part of 1 checkpoint that other sessions share");
  expect(dry.stdout).toContain("3 turns");
  expect(dry.stdout).toContain("cannot be undone");
  for (const few of ["1", "11111"]) {
    const short = await forget(repo, few, "--yes", "--json");
    expect(JSON.parse(short.stdout).error.code).toBe("SEAM_FORGET_SHORT");
  }
  const unasked = await forget(repo, "111111", "--json");
  expect(JSON.parse(unasked.stdout).error.code).toBe("SEAM_USAGE");
  const unknown = await forget(repo, "nobody", "--json", "--yes");
  expect(JSON.parse(unknown.stdout).error.code).toBe("SEAM_RECORD_NO_SESSION");
  expect(await repo.git("for-each-ref")).toBe(before);
});

it("a session that is forgotten is nowhere any more, and others are as they were", async () => {
  const { repo, ids } = unpackOldStore(newMachine());
  const was = await everything(repo);
  for (const text of SAID) expect(was).toContain(text);
  const other = await repo.file(ids.shared, "0/metadata.json");
  const isFirst = (text: string) => JSON.parse(text).session_id === OLD.first;
  const kept = isFirst(other) ? await repo.file(ids.shared, "1/metadata.json") : other;
  const files = await repo.git("ls-tree", "-r", "HEAD");
  const done = await forget(repo, OLD.first, "--yes", "--json");
  expect(done).toMatchObject({ code: 0 });
  expect(JSON.parse(done.stdout)).toMatchObject({ dry_run: false, session_id: OLD.first });
  expect((await repo.checkpoints()).sort()).toEqual([ids.shared, ids.unfinished].sort());
  expect(await repo.file(ids.shared, "0/metadata.json")).toBe(kept);
  const summary = JSON.parse(await repo.file(ids.shared, "metadata.json"));
  expect(summary).toMatchObject({ files_touched: ["c.ts"], checkpoints_count: 1 });
  expect(summary.sessions).toHaveLength(1);
  expect(summary.sessions[0].metadata).toBe(
    `/${ids.shared.slice(0, 2)}/${ids.shared.slice(2)}/0/metadata.json`,
  );
  expect(await repo.git("ls-tree", "-r", "HEAD")).toBe(files);
  for (const rev of (await repo.git("rev-list", "HEAD")).split("\n")) {
    if (!(await repo.idsAt(rev)).includes(ids.alone)) continue;
    const { stdout } = await repo.show(rev);
    expect(JSON.parse(stdout).error.code).toBe("SEAM_RECORD_FORGOTTEN");
  }
  const left = await everything(repo);
  for (const text of SAID) expect(left).not.toContain(text);
  expect(await repo.unsound()).toBe("");
  expect(await repo.show(ids.shared)).toMatchObject({ code: 0 });
  const again = await forget(repo, OLD.first, "--yes", "--json");
  expect(JSON.parse(again.stdout).error.code).toBe("SEAM_RECORD_NO_SESSION");
  const log = await repo.machine.seam(repo.root, "log");
  expect(log).toMatchObject({ code: 0, stderr: "" });
});

inFull("what waits in spool and journal of a session goes with it", async () => {
  const { repo } = unpackOldStore(newMachine());
  const done = await forget(repo, OLD.second, "--yes");
  expect(done.stderr + done.stdout).toContain("Deleted.");
  const left = await everything(repo);
  for (const text of ["Write g", "Write c", OLD.second]) expect(left).not.toContain(text);
  expect(readdirSync(join(repo.machine.store, "run/spool"))).toEqual([]);
});

inFull(
  "a session in the middle of a turn is not forgotten; once it stopped, it is recorded anew",
  async () => {
    const repo = await Checkout.create(newMachine());
    const { machine } = repo;
    const agent = await new Agent(repo).start();
    await agent.prompt("Write a");
    await agent.write("a.ts", "1\n");
    const dry = await forget(repo, agent.id, "--dry-run");
    expect(dry).toMatchObject({ code: 1, stdout: expect.stringContaining("middle of a turn") });
    const refused = await forget(repo, agent.id, "--yes", "--json");
    expect(JSON.parse(refused.stdout).error.code).toBe("SEAM_FORGET_ACTIVE");
    await agent.stop();
    await machine.recorded();
    // Its file is in no commit: the daemon has the session in its memory.
    const done = await forget(repo, agent.id, "--yes");
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toContain("may still run");
    await repo.commit("a");
    expect(await repo.idsAt()).toEqual([]);
    await agent.turn("Write b", () => agent.write("b.ts", "1\n"));
    await machine.recorded();
    await repo.commit("b");
    expect(await repo.session(await repo.checkpointAt())).toMatchObject({
      files_touched: ["b.ts"],
    });
  },
);

inFull(
  "what an agent that was killed left without a commit is named before it is forgotten",
  async () => {
    const repo = await Checkout.create(newMachine());
    const agent = await new Agent(repo).start();
    await agent.prompt("Write a");
    await agent.write("a.ts", "1\n");
    await agent.die();
    const dry = await forget(repo, agent.id, "--dry-run");
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/no session:\n {2}a\.ts\n/),
    });
  },
);

inFull("from another work tree a session is forgotten as well", async () => {
  const { repo } = unpackOldStore(newMachine());
  const other = join(repo.machine.base, "other");
  await repo.git("worktree", "add", "-q", other);
  const done = await repo.machine.seam(other, "forget", OLD.first, "--yes");
  expect(done).toMatchObject({ code: 0 });
  const left = await everything(repo);
  for (const text of SAID) expect(left).not.toContain(text);
});

inFull(
  "the daemon killed while it forgets: done again, nothing is left and nothing else is lost",
  async () => {
    for (const ms of sampled([60, 120, 180, 260, 340], 60, 260)) {
      const { repo, ids } = unpackOldStore(newMachine());
      const { machine } = repo;
      const running = forget(repo, OLD.first, "--yes");
      await until(() => machine.daemon !== undefined);
      await until(() => existsSync(join(repo.root, ".git/seam/forgotten")), 5_000);
      await new Promise((resolve) => setTimeout(resolve, ms - 60));
      await machine.kill();
      await running;
      const again = await forget(repo, OLD.first, "--yes", "--json");
      const code = again.code === 0 ? "" : JSON.parse(again.stdout).error.code;
      expect(["", "SEAM_RECORD_NO_SESSION"]).toContain(code);
      const left = await everything(repo);
      for (const text of SAID) expect(left).not.toContain(text);
      expect((await repo.checkpoints()).sort()).toEqual([ids.shared, ids.unfinished].sort());
      expect(await repo.unsound()).toBe("");
    }
  },
);

inFull("what was sent to a remote stays there, is said, and does not come back", async () => {
  const { repo, ids } = unpackOldStore(newMachine());
  const { machine } = repo;
  const remote = join(machine.base, "remote");
  await machine.run(repo.root, "git", "init", "-q", "--bare", remote);
  await repo.git("remote", "add", "origin", remote);
  expect(await machine.seam(repo.root, "sync", "--yes")).toMatchObject({ code: 0 });
  const dry = await forget(repo, OLD.first, "--dry-run");
  expect(dry.stdout).toContain("what was sent to origin");
  expect(dry.stdout).toContain("seam sync --forget");
  expect(await forget(repo, OLD.first, "--yes")).toMatchObject({ code: 0 });
  const sync = await machine.seam(repo.root, "sync", "--yes");
  expect(sync).toMatchObject({ code: 1, stdout: expect.stringContaining("still has") });
  expect((await repo.checkpoints()).sort()).toEqual([ids.shared, ids.unfinished].sort());
  const left = await everything(repo);
  for (const text of SAID) expect(left).not.toContain(text);
  const there = new Checkout(machine, remote);
  expect(await there.checkpoints()).toContain(ids.alone);
  expect(await machine.seam(repo.root, "sync", "--forget", "--yes")).toMatchObject({ code: 0 });
  expect((await there.checkpoints()).sort()).toEqual([ids.shared, ids.unfinished].sort());
  expect(await machine.seam(repo.root, "sync", "--yes")).toMatchObject({ code: 0 });
});
