import { join } from "node:path";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { inFull, isFull } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function newMachine(): Machine {
  const machine = new Machine();
  machines.push(machine);
  return machine;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The commits that checkpoints say they belong to. */
async function commitsOf(repo: Checkout): Promise<string[]> {
  const ids = await repo.checkpoints();
  const files = await Promise.all(ids.map((id) => repo.file(id, "metadata.json")));
  return files.map((text) => (JSON.parse(text) as { commit_sha: string }).commit_sha);
}

interface Session {
  readonly session_id: string;
  readonly files_touched: readonly string[];
  readonly token_usage: { readonly output_tokens: number };
}

it("the daemon killed at any moment: everything is recorded, and once", async () => {
  const machine = newMachine();
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  const rounds = isFull ? 12 : 4;
  // The same span of a turn, in fewer steps.
  const step = isFull ? 33 : 110;
  for (let round = 0; round < rounds; round++) {
    const name = `f${round}.ts`;
    // A different moment of the turn in each round, and of what comes after the commit.
    const killer = pause(round * step).then(() => machine.kill());
    if (round % 2 === 0) {
      await agent.turn(`Write ${name}`, () => agent.write(name, `export const f = ${round};\n`));
      await killer;
      await repo.commit(name);
    } else {
      await agent.prompt(`Write ${name}`);
      await agent.write(name, `export const f = ${round};\n`);
      await agent.bash(`git add -A && git commit -q -m ${name}`);
      const second = pause(round * 3).then(() => machine.kill());
      await agent.stop();
      await Promise.all([killer, second]);
    }
    if (round % 3 === 0) {
      await pause(round * 3);
      await machine.kill();
    }
  }
  await agent.turn("Nothing more", () => {});
  const commits = (await repo.git("log", "--format=%H", "main")).split("\n").slice(0, -1);
  expect(commits).toHaveLength(rounds);
  await until(async () => (await repo.checkpoints()).length >= rounds);
  await machine.recorded();
  expect((await commitsOf(repo)).sort()).toEqual([...commits].sort());
  const ids = await repo.checkpoints();
  const sessions = await Promise.all(
    ids.map(async (id) => (await repo.session(id)) as never as Session),
  );
  expect(sessions.flatMap(({ files_touched }) => files_touched).sort()).toEqual(
    Array.from({ length: rounds }, (_, round) => `f${round}.ts`).sort(),
  );
  // Every commit has its own, in its message or by itself.
  for (const commit of commits) expect((await repo.show(commit)).code, machine.log).toBe(0);
  // Each turn has one beginning and one end.
  const ref = `refs/seam/turns/${agent.id}`;
  const turns = (await repo.git("log", "--format=%s", ref)).split("\n");
  expect(new Set(turns).size).toBe(turns.length);
  expect(turns).toHaveLength(2 * (rounds + 1));
  expect(await repo.unsound()).toBe("");
});

inFull("two daemons that write to one repository lose nothing of each other", async () => {
  const turns = isFull ? 20 : 6;
  const [one, two] = [newMachine(), newMachine()];
  const main = await Checkout.create(one);
  const side = new Checkout(two, join(two.base, "side"));
  await main.git("worktree", "add", "-q", "-b", "side", side.root);
  await side.enable();
  await Promise.all(
    [main, side].map(async (checkout, at) => {
      const agent = await new Agent(checkout).start();
      for (let n = 0; n < turns; n++) {
        const name = `${at}-${n}.ts`;
        if (n % 2 === 0) {
          await agent.turn(`${n}`, () => agent.write(name, `export const n = ${n};\n`));
          await checkout.commit(`${n}`);
        } else {
          await agent.turn(`${n}`, async () => {
            await agent.write(name, `export const n = ${n};\n`);
            await agent.bash(`git add -A && git commit -q -m ${n}`);
          });
        }
      }
    }),
  );
  await until(async () => (await main.checkpoints()).length >= 2 * turns);
  await Promise.all([one.recorded(), two.recorded()]);
  const start = await main.git("rev-list", "--max-parents=0", "main");
  const commits = (await main.git("rev-list", "main", "side", `^${start}`)).split("\n");
  expect(commits).toHaveLength(2 * turns);
  expect((await commitsOf(main)).sort()).toEqual(commits.sort());
  for (const checkout of [main, side]) {
    const id = await checkout.checkpointAt("HEAD~5");
    expect((await checkout.show(id)).code).toBe(0);
    expect((await checkout.status()).record.problems).toEqual([]);
  }
  expect(await main.unsound()).toBe("");
});

inFull("git gc --prune=now all the time takes nothing away", async () => {
  const machine = newMachine();
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  let isOver = false;
  let collected = 0;
  let mayCollect: Promise<unknown> = Promise.resolve();
  let collecting: Promise<unknown> = Promise.resolve();
  onTestFinished(() => {
    isOver = true;
  });
  const collector = (async () => {
    while (!isOver) {
      await mayCollect;
      collecting = repo.tries("gc", "--quiet", "--prune=now");
      await collecting;
      collected++;
    }
  })();
  /** git's own commits are not safe from it, so they come in between. */
  const commit = async (work: () => Promise<unknown>) => {
    let done = () => {};
    mayCollect = new Promise<void>((resolve) => {
      done = resolve;
    });
    await collecting;
    await work();
    done();
  };
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    await agent.prompt(`${n}`);
    await agent.write(`${n}.ts`, `export const n = ${n};\n`.repeat(50));
    if (n % 2 === 0) await agent.stop();
    await commit(() => agent.bash(`git add -A && git commit -q -m ${n}`));
    if (n % 2 === 1) await agent.stop();
    ids.push(await repo.checkpointAt());
  }
  isOver = true;
  await collector;
  await machine.recorded();
  expect(collected).toBeGreaterThan(2);
  expect((await repo.checkpoints()).sort(), machine.log).toEqual(ids.sort());
  const turns = (await repo.git("log", "--format=%s", `refs/seam/turns/${agent.id}`)).split("\n");
  expect(turns, `${turns.join("\n")}\n${machine.log}`).toHaveLength(10);
  for (const id of ids.slice(-2)) expect((await repo.show(id)).code).toBe(0);
  expect((await repo.status()).record.problems).toEqual([]);
  expect(await repo.unsound()).toBe("");
});
