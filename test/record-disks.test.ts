import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { inFull } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function newMachine(store?: string): Machine {
  const machine = new Machine(store);
  machines.push(machine);
  return machine;
}

function mount(...args: string[]): void {
  execFileSync("mount", args, { stdio: "ignore" });
}

function isMounted(...args: string[]): boolean {
  try {
    mount(...args);
    return true;
  } catch {
    return false;
  }
}

/** A disk of its own. */
function disk(size: string): string {
  const path = join("/tmp", `seam-disk-${process.pid}-${Date.now()}`);
  mkdirSync(path);
  mount("-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path);
  onTestFinished(() => {
    execFileSync("umount", ["-l", path], { stdio: "ignore" });
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

const isAllowed = (() => {
  const path = join("/tmp", `seam-disk-${process.pid}`);
  mkdirSync(path);
  try {
    mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", path);
    execFileSync("umount", [path]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
})();

/** Leaves so many bytes. */
function fill(path: string, left = 0): void {
  const { bavail, bsize } = statfsSync(path);
  try {
    writeFileSync(join(path, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - left)));
  } catch {
    // That is what it is for.
  }
}

const free = (path: string) => rmSync(join(path, "filler"), { force: true });

const problemsOf = async (repo: Checkout) =>
  (await repo.status()).record.problems.map(({ text }) => text).join("\n");

async function used(machine: Machine, root?: string) {
  const repo = await Checkout.create(machine, root === undefined ? {} : { root });
  const agent = await new Agent(repo).start();
  await agent.turn("First", () => agent.write("first.ts", "export const first = 1;\n"));
  await repo.commit("First");
  const first = await repo.checkpointAt();
  return { repo, agent, first };
}

async function goesOn(repo: Checkout, agent: Agent, name: string): Promise<string> {
  await agent.turn(`Write ${name}`, () => agent.write(name, `export const x = "${name}";\n`));
  await repo.commit(name);
  const id = await repo.checkpointAt();
  expect(await repo.session(id)).toMatchObject({ session_id: agent.id });
  return id;
}

// Needs the right to mount a disk: skipped where it is not given.
describe.skipIf(!isAllowed)("disks (needs the right to mount)", () => {
  inFull("a repository on a full disk: said, and recorded again once there is room", async () => {
    const machine = newMachine();
    const path = disk("4m");
    const { repo, agent, first } = await used(machine, join(path, "repo"));
    await machine.recorded();
    repo.write("by-hand.txt", "by hand\n");
    await repo.git("add", "-A");
    fill(path);
    await agent.prompt("Second");
    await agent.tool("Write", { file_path: join(repo.root, "second.ts") }, () => {});
    await agent.stop();
    // git itself cannot write either.
    expect((await repo.tries("commit", "-q", "-m", "Full")).code).not.toBe(0);
    await machine.recorded();
    expect(await problemsOf(repo)).toMatch(/No snapshot|could not be recorded/);
    free(path);
    await repo.commit("There is room");
    const id = await goesOn(repo, agent, "third.ts");
    for (const one of [first, id]) expect((await repo.show(one)).code).toBe(0);
    expect(await problemsOf(repo), "still known later").toMatch(
      /No snapshot|could not be recorded/,
    );
    expect(await repo.unsound()).toBe("");
    expect(repo.leftovers()).toEqual([]);
  });

  inFull("a disk with room for the commit and not for its checkpoint: written later", async () => {
    const machine = newMachine();
    const path = disk("4m");
    const { repo, agent, first } = await used(machine, join(path, "repo"));
    await agent.turn("Second", () => agent.write("second.ts", "export const second = 2;\n"));
    await machine.recorded();
    await repo.git("add", "-A");
    // The commit needs a tree, a commit and a few small files.
    fill(path, 40 * 1024);
    const transcript = "x".repeat(2_000_000);
    agent.line({ type: "user", message: { role: "user", content: transcript }, uuid: "long" });
    await repo.git("commit", "-q", "-m", "Second");
    const [id = ""] = await repo.idsAt();
    await until(async () => (await problemsOf(repo)) !== "", 5_000);
    await machine.recorded();
    free(path);
    // Long enough ago for it to be clear that nobody is at it.
    const reserved = join(repo.root, ".git/seam/reserved");
    for (const name of readdirSync(reserved)) utimesSync(join(reserved, name), 1, 1);
    await agent.prompt("Third");
    expect(await repo.checkpointAt()).toBe(id);
    expect(await repo.session(id)).toMatchObject({ files_touched: ["second.ts"] });
    for (const one of [first, id]) expect((await repo.show(one)).code).toBe(0);
    expect(await repo.unsound()).toBe("");
  });

  inFull(
    "Seam's own folder on a full disk: commits are made, and what is lost is said",
    async () => {
      const path = disk("4m");
      const machine = newMachine(join(path, "seam"));
      const { repo, agent, first } = await used(machine);
      await machine.recorded();
      fill(path);
      await agent.turn("Second", () => agent.write("second.ts", "export const second = 2;\n"));
      await repo.commit("Second");
      await machine.recorded();
      expect(await problemsOf(repo)).toMatch(/could not be written to the journal/);
      free(path);
      const id = await goesOn(repo, agent, "third.ts");
      for (const one of [first, id]) expect((await repo.show(one)).code).toBe(0);
      expect(await repo.unsound()).toBe("");
    },
  );

  inFull(
    "Seam's own folder full from the start: agents and commits go on, and it is said",
    async () => {
      const path = disk("4m");
      const machine = newMachine(join(path, "seam"));
      const { repo, agent } = await used(machine);
      await machine.recorded();
      await machine.kill();
      fill(path);
      await agent.turn("Second", () => agent.write("second.ts", "export const second = 2;\n"));
      await repo.commit("Second");
      expect((await machine.seam(repo.root, "status")).stdout).toMatch(
        /is full: what agents do is not recorded/,
      );
      const doctor = await machine.seam(repo.root, "doctor");
      expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/is full/)]);
      await machine.kill();
      free(path);
      rmSync(join(machine.store, "run/failed"), { force: true });
      await goesOn(repo, agent, "third.ts");
      expect(await repo.unsound()).toBe("");
    },
  );

  it("Seam's own folder read-only: agents and commits go on, and it is said", async () => {
    const path = disk("8m");
    const machine = newMachine(join(path, "seam"));
    const { repo, agent, first } = await used(machine);
    await machine.recorded();
    await until(async () => {
      // Whoever still writes to it keeps a disk from becoming read-only.
      await machine.kill();
      return isMounted("-o", "remount,ro", path);
    });
    await agent.turn("Second", () => agent.write("second.ts", "export const second = 2;\n"));
    await repo.commit("Second");
    expect((await machine.seam(repo.root, "status")).stdout).toMatch(/cannot be written to: what/);
    const doctor = await machine.seam(repo.root, "doctor");
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/cannot be written/)]);
    mount("-o", "remount,rw", path);
    const id = await goesOn(repo, agent, "third.ts");
    for (const one of [first, id]) expect((await repo.show(one)).code).toBe(0);
    expect(await repo.unsound()).toBe("");
  });

  inFull(
    "Seam's folder in the repository read-only: commits are made, and it is said",
    async () => {
      const machine = newMachine();
      const { repo, agent, first } = await used(machine);
      await machine.recorded();
      const dir = join(repo.root, ".git/seam");
      mount("--bind", dir, dir);
      onTestFinished(() => {
        try {
          execFileSync("umount", ["-l", dir], { stdio: "ignore" });
        } catch {
          // It is not there any more.
        }
      });
      mount("-o", "remount,ro,bind", dir);
      await agent.turn("Second", () => agent.write("second.ts", "export const second = 2;\n"));
      await repo.commit("Second");
      await agent.turn("Third", async () => {
        await agent.write("third.ts", "export const third = 3;\n");
        await agent.bash("git add -A && git commit -q -m Third");
      });
      await machine.recorded();
      expect(await problemsOf(repo)).toMatch(/EROFS|read-only/i);
      execFileSync("umount", ["-l", dir]);
      const id = await goesOn(repo, agent, "fourth.ts");
      for (const one of [first, id]) expect((await repo.show(one)).code).toBe(0);
      expect(await problemsOf(repo), "still known later").toMatch(/EROFS|read-only/i);
      expect(await repo.unsound()).toBe("");
    },
  );
});
