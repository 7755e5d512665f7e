import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import type { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { OLD, unpackOldStore } from "./record/old-store.ts";
import { inFull } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function old() {
  const machine = new Machine();
  machines.push(machine);
  return { machine, ...unpackOldStore(machine) };
}

async function json<T>(repo: Checkout, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await repo.machine.seam(repo.root, ...args, "--json");
  if (code !== 0) throw new Error(`seam ${args.join(" ")}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}

const stateOf = (repo: Checkout, id: string) =>
  JSON.parse(repo.read(`.git/seam/sessions/claude-code/${id}.json`)) as {
    phase: string;
    turn_count: number;
    turn_checkpoint_ids: string[];
    pending: { files: Record<string, unknown> };
  };

/** What happens after an update: the hook client is written anew, and a daemon starts. */
async function update(repo: Checkout): Promise<void> {
  await repo.enable();
  await repo.machine.run(repo.root, join(repo.machine.store, "bin/hook"), "--start");
  await until(() => repo.machine.recorded());
}

it("what 0.1.0 recorded is shown, before anything is written", async () => {
  const { repo, ids } = old();
  const log = await repo.machine.seam(repo.root, "log", "-n", "50");
  expect(log).toMatchObject({ code: 0, stderr: "" });
  for (const id of Object.values(ids)) {
    expect(log.stdout).toContain(id);
    expect(await repo.machine.seam(repo.root, "show", id)).toMatchObject({ code: 0, stderr: "" });
  }
  const shared = await repo.machine.seam(repo.root, "show", ids.shared);
  expect(shared.stdout).toContain("Write c");
  expect(shared.stdout).toContain("Write d");
  const stopped = await repo.machine.seam(repo.root, "show", ids.midTurn);
  expect(stopped.stdout).toContain("No secrets.");
  for (const id of Object.values(OLD)) {
    expect(await repo.machine.seam(repo.root, "show", id)).toMatchObject({ code: 0, stderr: "" });
  }
  const { record } = await repo.status();
  expect(record).toMatchObject({ enabled: true, checkpoints: 4, problems: [] });
});

inFull(
  "what 0.1.0 accepted and did not live to record is recorded, and struck from its journal",
  async () => {
    const { repo, machine } = old();
    expect(stateOf(repo, OLD.second)).toMatchObject({ phase: "active", turn_count: 2 });
    await update(repo);
    expect(await until(() => stateOf(repo, OLD.second).phase === "ended")).toBe(true);
    expect(readdirSync(join(machine.store, "run/spool"))).toEqual([]);
    expect(Object.keys(stateOf(repo, OLD.second).pending.files)).toEqual(["g.ts"]);
    await machine.recorded();
    const journal = join(machine.store, "run/journal");
    const text = readdirSync(journal).map((name) => readFileSync(join(journal, name), "utf8"));
    expect(text.join("")).not.toContain("Write g");
    await repo.git("add", "g.ts");
    await repo.git("commit", "-q", "-m", "g");
    const id = await repo.checkpointAt();
    expect(await repo.session(id)).toMatchObject({
      session_id: OLD.second,
      files_touched: ["g.ts"],
    });
    expect(await repo.unsound()).toBe("");
  },
);

inFull(
  "a session that 0.1.0 left in the middle of a turn goes on, and its checkpoint is completed",
  async () => {
    const { repo, machine, ids } = old();
    await update(repo);
    const agent = new Agent(repo, repo.root, OLD.open);
    await agent.write("h.ts", "export const h = 1;\n");
    await agent.stop();
    await machine.recorded();
    expect(stateOf(repo, OLD.open)).toMatchObject({ phase: "idle", turn_checkpoint_ids: [] });
    expect(await repo.session(ids.unfinished)).toHaveProperty("finalized_at");
    await repo.git("add", "f.ts", "h.ts");
    await repo.git("commit", "-q", "-m", "f and h");
    const id = await repo.checkpointAt();
    expect(await repo.session(id)).toMatchObject({
      session_id: OLD.open,
      files_touched: ["f.ts", "h.ts"],
    });
    await agent.turn("Write i", () => agent.write("i.ts", "export const i = 1;\n"));
    await machine.recorded();
    await repo.commit("i");
    expect(await repo.session(await repo.checkpointAt())).toMatchObject({ session_id: OLD.open });
    expect(await repo.unsound()).toBe("");
  },
);

inFull("0.1.0's turns can be gone back to, its rewind undone, its session resumed", async () => {
  const { repo, machine } = old();
  const turns = await json<{ id: string; prompt: string }[]>(repo, "log", "--turns");
  const turn = turns.find(({ prompt }) => prompt === "Write d");
  // Other sessions wrote files since, and theirs go with it.
  expect(await machine.seam(repo.root, "rewind", turn?.id ?? "", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(OLD.second),
  });
  const back = await machine.seam(repo.root, "rewind", turn?.id ?? "", "--force");
  expect(back).toMatchObject({ code: 0 });
  expect(existsSync(join(repo.root, "d.ts"))).toBe(false);
  expect(await machine.seam(repo.root, "rewind", "--undo", "--yes")).toMatchObject({ code: 0 });
  expect(repo.read("d.ts")).toBe("export const d = 1;\n");
  const resumed = await machine.seam(repo.root, "resume", OLD.first);
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.stdout).toContain(OLD.first);
});

inFull("what 0.1.0 left is cleaned up like the rest", async () => {
  const { repo } = old();
  await update(repo);
  const cleaned = await json<{ sessions: string[] }>(repo, "clean", "--all", "--yes");
  expect(cleaned.sessions).toContain(OLD.first);
  expect((await repo.status()).record).toMatchObject({ checkpoints: 4, problems: [] });
});
