import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { inFull } from "./setup/sample.ts";

const REF = "refs/seam/checkpoints/v1";

let machine: Machine;
let repo: Checkout;
let agent: Agent;
let ids: string[];

beforeEach(async () => {
  machine = new Machine();
  repo = await Checkout.create(machine);
  agent = await new Agent(repo).start();
  ids = [];
  for (const name of ["a", "b", "c"]) {
    await agent.prompt(`Write ${name}`);
    await agent.write(`${name}.ts`, `export const ${name} = 1;\n`);
    await agent.bash(`git add -A && git commit -q -m ${name}`);
    // The checkpoint is written at the commit and again at the end of the turn: it has two states.
    const id = await repo.checkpointAt();
    await until(async () => (await repo.checkpoints()).includes(id));
    await agent.stop();
    ids.push(id);
  }
  await machine.recorded();
  await machine.kill();
});

afterEach(() => machine.remove());

/** Takes an object away, as a clean-up or a bad disk does. */
function lose(id: string): void {
  const path = join(repo.root, ".git/objects", id.slice(0, 2), id.slice(2));
  expect(existsSync(path)).toBe(true);
  rmSync(path);
}

interface Doctor {
  readonly ok: boolean;
  readonly fixed: readonly { readonly text: string }[];
  readonly sections: readonly { readonly findings: readonly { readonly code: string }[] }[];
}

async function doctor(...args: string[]): Promise<Doctor> {
  return JSON.parse((await machine.seam(repo.root, "doctor", "--json", ...args)).stdout) as Doctor;
}

const codes = ({ sections }: Doctor) =>
  sections.flatMap(({ findings }) => findings.map(({ code }) => code));

/** What was damaged is found, said, put right, and git works again. */
async function healed(): Promise<void> {
  expect((await repo.tries("gc", "--quiet", "--prune=now")).code).not.toBe(0);
  expect(codes(await doctor())).toContain("record-damaged");
  expect((await machine.seam(repo.root, "status")).stdout).toMatch(
    /seam doctor --fix|does not lead to checkpoints/,
  );
  expect((await doctor("--fix")).fixed.length).toBeGreaterThan(0);
  expect(codes(await doctor())).not.toContain("record-damaged");
  expect((await machine.seam(repo.root, "status")).stdout).not.toMatch(
    /doctor --fix|does not lead/,
  );
  expect((await repo.tries("gc", "--quiet", "--prune=now")).code).toBe(0);
  expect(await repo.unsound()).toBe("");
}

describe("a part of the record that is gone", () => {
  /** Everything that one file of a checkpoint ever was: one is written more than once. */
  async function loseAll(id: string, path: string): Promise<void> {
    const states = (await repo.git("rev-list", REF)).split("\n");
    const blobs = new Set<string>();
    for (const state of states) {
      const name = `${state}:${id.slice(0, 2)}/${id.slice(2)}/${path}`;
      const { code, stdout } = await repo.tries("rev-parse", "--verify", "--quiet", name);
      if (code === 0) blobs.add(stdout.trim());
    }
    for (const blob of blobs) lose(blob);
  }

  inFull("is replaced by an older state of the same checkpoint, where there is one", async () => {
    const [, second = ""] = ids;
    const path = `${second.slice(0, 2)}/${second.slice(2)}/metadata.json`;
    lose(await repo.git("rev-parse", `${REF}:${path}`));
    await healed();
    expect((await repo.checkpoints()).sort()).toEqual([...ids].sort());
    expect((await repo.show(second)).code).toBe(0);
  });

  inFull(
    "costs the checkpoint it belonged to; the others stay, and new ones are written",
    async () => {
      const [first = "", second = "", third = ""] = ids;
      await loseAll(second, "metadata.json");
      await healed();
      expect((await repo.checkpoints()).sort()).toEqual([first, third].sort());
      expect(readdirSync(join(repo.root, ".git/seam/aside"))).toHaveLength(1);
      for (const id of [first, third]) expect((await repo.show(id)).code).toBe(0);
      await agent.turn("Go on", async () => {
        await agent.write("d.ts", "export const d = 1;\n");
        await agent.bash("git add -A && git commit -q -m d");
      });
      expect(await repo.checkpointAt()).toMatch(/^[0-9a-f]{12}$/);
      expect(await repo.unsound()).toBe("");
    },
  );

  inFull("costs nothing where it was only the newest commit of the record", async () => {
    lose(await repo.git("rev-parse", REF));
    await healed();
    expect((await repo.checkpoints()).length).toBeGreaterThanOrEqual(ids.length - 1);
  });

  inFull("costs the snapshots of a session from there on", async () => {
    const ref = `refs/seam/turns/${agent.id}`;
    const tips: string[] = [];
    for (const n of [1, 2, 3]) {
      await agent.turn(`${n}`, () => agent.write("untracked.ts", `export const u = ${n};\n`));
      await machine.recorded();
      tips.push(await repo.git("rev-parse", ref));
    }
    await machine.kill();
    lose(await repo.git("rev-parse", `${tips[1]}:untracked.ts`));
    await healed();
    // What the next turn began with is whole as well.
    expect(await repo.git("rev-parse", `${ref}^`)).toBe(tips[0]);
    expect((await repo.checkpoints()).sort()).toEqual([...ids].sort());
  });
});

inFull("a file that is still in the work tree is written again from there", async () => {
  await agent.turn("More", () => agent.write("untracked.ts", "export const u = 1;\n"));
  await machine.recorded();
  await machine.kill();
  const ref = `refs/seam/turns/${agent.id}`;
  const before = await repo.git("rev-parse", ref);
  lose(await repo.git("rev-parse", `${ref}:untracked.ts`));
  await healed();
  expect(await repo.git("rev-parse", ref)).toBe(before);
});

it("a record that is whole is not touched", async () => {
  const before = await repo.git("for-each-ref", "refs/seam");
  expect(codes(await doctor("--fix"))).not.toContain("record-damaged");
  expect(await repo.git("for-each-ref", "refs/seam")).toBe(before);
});
