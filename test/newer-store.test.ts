import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { inFull } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

async function newRepo(): Promise<Checkout> {
  const machine = new Machine();
  machines.push(machine);
  return Checkout.create(machine);
}

/** All files below a folder with their content. */
function contents(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    if (statSync(path).isFile()) found[name] = readFileSync(path, "latin1");
  }
  return found;
}

const NEWER = /was written by a newer Seam: it has version 2, and this Seam knows 1/;

it("every store that Seam makes says its version", async () => {
  const repo = await newRepo();
  const agent = await new Agent(repo).start();
  await agent.turn("Write a", () => agent.write("a.ts", "1\n"));
  await repo.machine.recorded();
  await repo.commit("a");
  const id = await repo.checkpointAt();
  expect(repo.read(".git/seam/version")).toBe("1\n");
  expect(readFileSync(join(repo.machine.store, "run/version"), "utf8")).toBe("1\n");
  expect(JSON.parse(repo.read(`.git/seam/sessions/claude-code/${agent.id}.json`)).version).toBe(1);
  expect(JSON.parse(await repo.file(id, "metadata.json")).version).toBe(1);
  const snapshot = await repo.git("log", "-1", "--format=%b", `refs/seam/turns/${agent.id}`);
  expect(JSON.parse(snapshot).version).toBe(1);
});

it("a record of a newer Seam is left alone: agents work, commits go through, commands say why", async () => {
  const repo = await newRepo();
  const { machine } = repo;
  const agent = await new Agent(repo).start();
  await agent.turn("Write a", () => agent.write("a.ts", "1\n"));
  await machine.recorded();
  writeFileSync(join(repo.root, ".git/seam/version"), "2\n");
  const before = contents(join(repo.root, ".git/seam"));
  const refs = await repo.git("for-each-ref", "refs/seam");
  // The daemon that knows the sessions from before, and one that starts now.
  for (const name of ["b.ts", "c.ts"]) {
    await agent.turn(`Write ${name}`, () => agent.write(name, "1\n"));
    await machine.recorded();
    await repo.commit(name);
    expect(await repo.idsAt()).toEqual([]);
    await machine.recorded();
    if (name === "b.ts") await machine.kill();
  }
  expect(contents(join(repo.root, ".git/seam"))).toEqual(before);
  expect(await repo.git("for-each-ref", "refs/seam")).toBe(refs);
  expect(machine.log).toMatch(NEWER);
  for (const args of [["log"], ["show"], ["rewind", "HEAD"], ["resume"], ["clean"], ["sync"]]) {
    const { code, stdout } = await machine.seam(repo.root, ...args, "--json");
    expect({ args, code, error: JSON.parse(stdout).error?.code }).toEqual({
      args,
      code: 1,
      error: "SEAM_STORE_NEWER",
    });
  }
  const enabled = await machine.seam(repo.root, "enable", "--agent", "claude-code");
  expect(`${enabled.stdout}${enabled.stderr}`).toMatch(NEWER);
  expect((await machine.seam(repo.root, "status")).stdout).toMatch(NEWER);
  expect((await machine.seam(repo.root, "doctor")).stdout).toMatch(NEWER);
  // The newer one is gone again: the older goes on.
  writeFileSync(join(repo.root, ".git/seam/version"), "1\n");
  await agent.turn("Write d", () => agent.write("d.ts", "1\n"));
  await machine.recorded();
  await repo.commit("d");
  expect(await repo.session(await repo.checkpointAt())).toMatchObject({ session_id: agent.id });
}, 120_000);

inFull(
  "checkpoints of a newer Seam are left alone, known by the name of their reference",
  async () => {
    const repo = await newRepo();
    await repo.git("update-ref", "refs/seam/checkpoints/v2", "HEAD");
    const { stderr, code } = await repo.machine.seam(repo.root, "log");
    expect({ stderr, code }).toMatchObject({ code: 1, stderr: expect.stringMatching(NEWER) });
    const agent = await new Agent(repo).start();
    await agent.turn("Write a", () => agent.write("a.ts", "1\n"));
    await repo.machine.recorded();
    expect(await repo.git("for-each-ref", "refs/seam/turns")).toBe("");
  },
);

inFull(
  "a journal of a newer Seam is left alone: gates answer, and what agents say waits for it",
  async () => {
    const repo = await newRepo();
    const { machine } = repo;
    const gate = `export default (pi) => pi.on("tool_call", () => ({ block: true, reason: "never" }));`;
    const run = join(machine.store, "run");
    await machine.run(repo.root, join(machine.store, "bin/hook"), "--start");
    await until(() => machine.recorded());
    await machine.kill();
    writeFileSync(join(run, "version"), "2\n");
    mkdirSync(join(machine.store, "extensions"), { recursive: true });
    writeFileSync(join(machine.store, "extensions/gate.ts"), gate);
    const journal = contents(join(run, "journal"));
    const payload = JSON.stringify({
      session_id: "s1",
      transcript_path: join(machine.home, "t.jsonl"),
      cwd: repo.root,
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "t1",
    });
    writeFileSync(join(machine.base, "payload"), payload);
    const hook = `'${machine.store}/bin/hook' claude-code PreToolUse <'${machine.base}/payload'`;
    const asked = await machine.run(repo.root, "sh", "-c", hook);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining("never") });
    expect(contents(join(run, "journal"))).toEqual(journal);
    expect(Object.values(contents(join(run, "spool"))).join("")).toContain(payload);
    expect((await machine.seam(repo.root, "status")).stdout).toMatch(NEWER);
    expect((await machine.seam(repo.root, "doctor")).stdout).toMatch(NEWER);
    await machine.kill();
    writeFileSync(join(run, "version"), "1\n");
    await machine.run(repo.root, join(machine.store, "bin/hook"), "--start");
    expect(await until(() => readdirSync(join(run, "spool")).length === 0)).toBe(true);
  },
);

inFull("one session and one checkpoint of a newer Seam are not written over", async () => {
  const repo = await newRepo();
  const { machine } = repo;
  const agent = await new Agent(repo).start();
  await agent.turn("Write a", () => agent.write("a.ts", "1\n"));
  await machine.recorded();
  await repo.commit("a");
  const id = await repo.checkpointAt();
  await machine.recorded();
  await machine.kill();
  const state = join(repo.root, `.git/seam/sessions/claude-code/${agent.id}.json`);
  const newer = `${JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), version: 2 })}\n`;
  writeFileSync(state, newer);
  await agent.turn("Write b", () => agent.write("b.ts", "1\n"));
  await machine.recorded();
  expect(readFileSync(state, "utf8")).toBe(newer);
  expect((await repo.status()).record.problems.map(({ text }) => text).join()).toMatch(NEWER);

  const path = `${id.slice(0, 2)}/${id.slice(2)}/metadata.json`;
  const text = JSON.stringify({ ...JSON.parse(await repo.file(id, "metadata.json")), version: 2 });
  writeFileSync(join(machine.base, "metadata"), text);
  const blob = await repo.git("hash-object", "-w", join(machine.base, "metadata"));
  const index = `GIT_INDEX_FILE='${machine.base}/index'`;
  const ref = "refs/seam/checkpoints/v1";
  const edit = [
    `export ${index}`,
    `git read-tree ${ref}`,
    `git update-index --cacheinfo 100644,${blob},${path}`,
    `git update-ref ${ref} $(git commit-tree -p ${ref} -m newer $(git write-tree))`,
  ].join(" && ");
  expect(await machine.run(repo.root, "sh", "-c", edit)).toMatchObject({ code: 0 });
  const shown = await repo.show(id);
  expect(JSON.parse(shown.stdout).error.code).toBe("SEAM_STORE_NEWER");
  await repo.git("commit", "-q", "--amend", "-m", "a, again");
  await machine.recorded();
  expect(await repo.file(id, "metadata.json")).toBe(text);
});
