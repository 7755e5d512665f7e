import { expect, onTestFinished } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { inFull, isFull } from "./setup/sample.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A clean-up that deletes everything nobody refers to, all the time, and the daemon killed again and
 * again meanwhile: nobody is left to look whether something was taken away.
 */
inFull("the daemon killed while git gc --prune=now runs leaves nothing damaged", async () => {
  const machine = new Machine();
  onTestFinished(() => machine.remove());
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  let isOver = false;
  let mayCollect: Promise<unknown> = Promise.resolve();
  let collecting: Promise<unknown> = Promise.resolve();
  const collector = (async () => {
    while (!isOver) {
      await mayCollect;
      collecting = repo.tries("gc", "--quiet", "--prune=now");
      await collecting;
    }
  })();
  onTestFinished(async () => {
    isOver = true;
    await collector;
  });
  /** git's own commits are not safe from it, so they come in between. */
  const commit = async (message: string) => {
    let done = () => {};
    mayCollect = new Promise<void>((resolve) => {
      done = resolve;
    });
    await collecting;
    await agent.bash(`git add -A && git commit -q -m ${message}`);
    done();
  };
  const rounds = isFull ? 6 : 2;
  for (let round = 0; round < rounds; round++) {
    const killer = pause(40 + round * 61).then(() => machine.kill());
    await agent.prompt(`${round}`);
    await agent.write(`${round}.ts`, `export const n = ${round};\n`.repeat(40));
    await agent.write("always.ts", `export const last = ${round};\n`);
    await killer;
    if (round % 2 === 0) await commit(`${round}`);
    await Promise.all([agent.stop(), pause(round * 13).then(() => machine.kill())]);
  }
  await agent.turn("Nothing more", () => {});
  isOver = true;
  await collector;
  await machine.recorded();
  expect((await repo.tries("gc", "--quiet", "--prune=now")).stderr).toBe("");
  await machine.recorded();
  expect(await repo.unsound()).toBe("");
  const commits = rounds / 2;
  expect(await until(async () => (await repo.checkpoints()).length >= commits)).toBe(true);
  for (const id of await repo.checkpoints()) expect((await repo.show(id)).code, id).toBe(0);
});
