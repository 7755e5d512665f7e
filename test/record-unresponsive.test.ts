import { afterEach, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

/** A repository with work of an agent that waits for a commit, and a daemon that stands still. */
async function stopped() {
  const machine = new Machine();
  machines.push(machine);
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  await agent.turn("Write", () => agent.write("a.ts", "export const a = 1;\n"));
  await machine.recorded();
  const daemon = machine.daemon ?? 0;
  process.kill(daemon, "SIGSTOP");
  return { machine, repo, agent, daemon };
}

async function isBehind(repo: Checkout, commit: string): Promise<boolean> {
  const { code, stdout } = await repo.show(commit);
  return code === 0 && stdout.includes('"a.ts"');
}

it("a commit gets through while the daemon stands still, and is linked when it goes on", async () => {
  const { repo, daemon } = await stopped();
  await repo.commit("Meanwhile");
  const commit = await repo.git("rev-parse", "HEAD");
  expect(await repo.idsAt()).toEqual([]);
  process.kill(daemon, "SIGCONT");
  expect(await until(() => isBehind(repo, commit))).toBe(true);
  // It came too late for the message, and left it alone.
  expect(repo.read(".git/COMMIT_EDITMSG")).toBe("Meanwhile\n");
  expect(await repo.checkpoints()).toHaveLength(1);
});

it("a commit made while the daemon stood still is linked also by the next one", async () => {
  const { machine, repo, agent } = await stopped();
  await repo.commit("Meanwhile");
  const commit = await repo.git("rev-parse", "HEAD");
  await machine.kill();
  await agent.turn("Go on", () => {});
  expect(await until(() => isBehind(repo, commit))).toBe(true);
  expect(await repo.checkpoints()).toHaveLength(1);
});
