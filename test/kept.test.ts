import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

const DAY_S = 24 * 60 * 60;
const longAgo = (days: number) => Date.now() / 1000 - days * DAY_S;

async function worked(): Promise<Checkout> {
  const machine = new Machine();
  machines.push(machine);
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  await agent.turn("Write a", () => agent.write("a.ts", "1\n"));
  await machine.recorded();
  await repo.commit("a");
  await repo.checkpointAt();
  await machine.recorded();
  return repo;
}

it("status says what is kept: how much, since when, for how long", async () => {
  const repo = await worked();
  const { stdout } = await repo.machine.seam(repo.root, "status");
  const kept = stdout.slice(stdout.indexOf("Kept\n"));
  expect(kept).toMatch(/checkpoints\s+[\d.]+ kB\s+since .*until you delete them: seam forget/);
  expect(kept).toMatch(/turns\s+[\d.]+ (?:kB|bytes)\s+since .*their files: 90 days/);
  expect(kept).toMatch(/1 session state\s+[\d.]+ kB\s+since .*90 days after they end/);
  expect(kept).toMatch(/journal\s+[\d.]+ kB\s+what agents said: until recorded/);
  expect(kept).toMatch(/log\s+[\d.]+ (?:kB|bytes)\s+at most 4 MB/);
  writeFileSync(join(repo.machine.store, "settings.json"), '{ "keepDays": 0 }');
  const status = await repo.machine.seam(repo.root, "status", "--json");
  expect(JSON.parse(status.stdout).kept).toMatchObject({
    days: 0,
    repository: { checkpoints: { bytes: expect.any(Number), since: expect.any(String) } },
  });
});

it("a compiled extension that is older than 30 days is removed when the daemon starts", async () => {
  const repo = await worked();
  const { machine } = repo;
  await machine.kill();
  const cache = join(machine.store, "cache/extensions/v1");
  mkdirSync(cache, { recursive: true });
  for (const [name, days] of [["old.mjs", 31] as const, ["new.mjs", 29] as const]) {
    writeFileSync(join(cache, name), "");
    utimesSync(join(cache, name), longAgo(days), longAgo(days));
  }
  await machine.run(repo.root, join(machine.store, "bin/hook"), "--start");
  expect(await until(() => !existsSync(join(cache, "old.mjs")))).toBe(true);
  expect(readdirSync(cache)).toEqual(["new.mjs"]);
});
