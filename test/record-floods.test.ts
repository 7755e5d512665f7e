import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { inFull, isFull, sampled } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function newMachine(): Machine {
  const machine = new Machine();
  machines.push(machine);
  return machine;
}

/** Untracked files, all in one folder. */
function flood({ root }: Checkout, count: number): void {
  mkdirSync(join(root, "data"), { recursive: true });
  for (let n = 0; n < count; n++) {
    writeFileSync(join(root, "data", `${n}.txt`), `file number ${n}\n`);
  }
}

interface Snapshot {
  readonly commit: string;
  readonly turn_id: string;
  readonly moment: "start" | "end";
  readonly prompt?: string;
  readonly late?: boolean;
}

/** The snapshots of a session, oldest first. */
async function snapshotsOf(repo: Checkout, { id }: Agent): Promise<Snapshot[]> {
  const log = await repo.tries(
    "log",
    "--reverse",
    "-z",
    "--format=%H%n%b",
    `refs/seam/turns/${id}`,
  );
  return log.stdout
    .split("\0")
    .filter((text) => text.includes("{"))
    .map((text) => ({
      ...(JSON.parse(text.slice(text.indexOf("{"))) as Omit<Snapshot, "commit">),
      commit: text.slice(0, text.indexOf("\n")),
    }));
}

async function has(repo: Checkout, { commit }: Snapshot, path: string): Promise<boolean> {
  return (await repo.git("ls-tree", "--name-only", commit, path)) !== "";
}

/** How long the thread that answers hooks has worked, and all threads of the daemon, as Linux counts. */
function worked(pid = 0): { readonly answering: number; readonly whole: number } {
  const ticksIn = (path: string) => {
    const [, ...fields] = readFileSync(path, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return Number(fields[10]) + Number(fields[11]);
  };
  return {
    answering: ticksIn(`/proc/${pid}/task/${pid}/stat`),
    whole: ticksIn(`/proc/${pid}/stat`),
  };
}

it("hooks back to back: no turn starts with a snapshot that has its own first writes", async () => {
  const machine = newMachine();
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  agent.hurries = true;
  for (let n = 0; n < 12; n++) {
    await agent.prompt(`Write f${n}.ts`);
    await (n % 2 === 0
      ? agent.write(`f${n}.ts`, `export const f = ${n};\n`)
      : agent.bash(`echo ${n} >f${n}.ts`));
    await agent.stop();
  }
  expect(await until(async () => (await snapshotsOf(repo, agent)).length === 24)).toBe(true);
  for (const snapshot of await snapshotsOf(repo, agent)) {
    if (snapshot.moment === "end") continue;
    const [, file = ""] = snapshot.prompt?.split(" ") ?? [];
    // On a machine that is busy with everything else a snapshot may still come late; then it says so.
    expect(snapshot.late === true || !(await has(repo, snapshot, file)), file).toBe(true);
  }
});

it("one repository's flood of files holds up neither hooks nor commits of another", async () => {
  const machine = newMachine();
  const [flooded, calm] = [await Checkout.create(machine), await Checkout.create(machine)];
  flood(flooded, isFull ? 6_000 : 2_000);
  const [busy, quick] = [await new Agent(flooded).start(), await new Agent(calm).start()];
  busy.hurries = true;
  quick.hurries = true;
  await busy.prompt("Look at all of it");
  await quick.prompt("Write a.ts");
  await quick.write("a.ts", "export const a = 1;\n");
  // git waits two seconds for Seam at most, and then the commit would have no trailer.
  await quick.bash("git add -A && git commit -q -m a");
  expect(await calm.idsAt()).toHaveLength(1);
  // The first command waits for the snapshot, but not for ever.
  await busy.bash("echo mine >own.ts");
  await busy.stop();
  const isThere = async () => (await snapshotsOf(flooded, busy)).length === 2;
  expect(await until(isThere, 100_000), machine.log).toBe(true);
  const [start] = await snapshotsOf(flooded, busy);
  if (!start) throw new Error("there is no snapshot");
  expect(await has(flooded, start, "data/0.txt")).toBe(true);
  expect(start.late === true || !(await has(flooded, start, "own.ts"))).toBe(true);
  // What answers hooks has hardly anything to do with it: the record works in a thread of its own.
  if (process.platform === "linux") {
    const { answering, whole } = worked(machine.daemon);
    expect(answering).toBeLessThan(whole / 2);
  }
});

inFull(
  "the daemon killed in the middle of a flood: nothing is lost, and nothing recorded twice",
  async () => {
    const machine = newMachine();
    const repo = await Checkout.create(machine);
    flood(repo, 1_500);
    const agent = await new Agent(repo).start();
    agent.hurries = true;
    const delays = sampled([0, 60, 250, 700, 1_500], 0, 250);
    for (const [n, ms] of delays.entries()) {
      await agent.prompt(`Write f${n}.ts`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      await machine.kill();
      await agent.write(`f${n}.ts`, `export const f = ${n};\n`);
      await agent.stop();
    }
    const count = 2 * delays.length;
    const isThere = async () => (await snapshotsOf(repo, agent)).length >= count;
    expect(await until(isThere, 100_000), machine.log).toBe(true);
    await machine.recorded();
    const taken = await snapshotsOf(repo, agent);
    expect(taken.map(({ moment }) => moment)).toEqual(delays.flatMap(() => ["start", "end"]));
    expect(new Set(taken.map(({ turn_id }) => turn_id)).size).toBe(delays.length);
    for (const snapshot of taken) {
      const [, file = ""] = snapshot.prompt?.split(" ") ?? [];
      if (snapshot.moment === "start" && (await has(repo, snapshot, file))) {
        expect(snapshot.late, file).toBe(true);
      }
    }
    expect(await repo.unsound()).toBe("");
  },
);
