import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCrewDatabase } from "../../src/crew/database/open-crew-database.ts";
import { openEngine } from "../../src/crew/engine/open-engine.ts";
import { PostgresServer } from "./server.ts";
import { SilentProxy } from "./silent-proxy.ts";

const SILENCE_MS = 1_500;

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.remove());

/** A database as two machines see it: one of them through a proxy that can fall silent. */
async function twoMachines() {
  const place = await server.database();
  const { proxy, url } = await SilentProxy.before(place);
  const cutOff = await openCrewDatabase(url, { silenceMs: SILENCE_MS });
  const other = await openCrewDatabase(place, { silenceMs: SILENCE_MS });
  const close = async () => {
    proxy.close();
    await Promise.all([cutOff.close(), other.close()]);
  };
  return { proxy, cutOff, other, close };
}

const COUNT = "SELECT COUNT(*) AS count FROM engine_signals";
const WRITE =
  "INSERT INTO engine_signals (name, data, sent_at) VALUES ('cut off', 'null', '') ON CONFLICT DO NOTHING";

it("a machine that is cut off inside a transaction does not hold up the others, nor itself for ever", async () => {
  const { proxy, cutOff, other, close } = await twoMachines();
  let isInside = () => {};
  const inside = new Promise<void>((resolve) => {
    isInside = resolve;
  });
  const broken = cutOff.transaction(async (database) => {
    await database.run(WRITE);
    proxy.silence();
    isInside();
    await database.all(COUNT);
  });
  const isRejected = expect(broken).rejects.toThrow("did not answer");
  await inside;
  // Nothing of what the one began is there, and the other has its turn.
  const [row] = await other.transaction((database) => database.all(COUNT));
  expect(Number(row?.count)).toBe(0);
  await isRejected;
  proxy.heal();
  await cutOff.transaction((database) => database.run(WRITE));
  expect(Number((await other.all(COUNT))[0]?.count)).toBe(1);
  await close();
});

it("a connection that the server closes costs what was asked over it, and nothing after it", async () => {
  const { cutOff, other, close } = await twoMachines();
  for (let times = 0; times < 5; times++) {
    const broken = cutOff.transaction(async (database) => {
      await database.run(WRITE);
      const [row] = await database.all("SELECT pg_backend_pid() AS pid");
      await other.all(`SELECT pg_terminate_backend(${Number(row?.pid)})`);
      await database.all(COUNT);
    });
    await expect(broken).rejects.toThrow();
    expect(Number((await cutOff.all(COUNT))[0]?.count)).toBe(0);
  }
  await close();
});

it("a transaction that the server itself does not end is ended by whoever waits for it", async () => {
  const place = await server.database();
  const database = await openCrewDatabase(place, { silenceMs: SILENCE_MS });
  const silent = postgres(place, { max: 1, onnotice: () => {} });
  await silent.unsafe("BEGIN");
  const lock = "SELECT pg_backend_pid() AS pid, pg_advisory_xact_lock(7326211845)";
  const [holder] = await silent.unsafe(lock);
  expect(await database.transaction((inside) => inside.run(WRITE))).toBe(1);
  const left = `SELECT 1 FROM pg_stat_activity WHERE pid = ${Number(holder?.pid)}`;
  expect(await database.all(left)).toEqual([]);
  await database.close();
  await silent.end({ timeout: 0 });
});

it("a question that nobody answers fails, and what comes after it gets through", async () => {
  const { proxy, cutOff, close } = await twoMachines();
  proxy.silence();
  await expect(cutOff.all(COUNT)).rejects.toThrow("did not answer");
  await expect(cutOff.announce()).rejects.toThrow();
  proxy.heal();
  expect((await cutOff.all(COUNT)).length).toBe(1);
  await close();
});

it("a worker that was cut off while it was idle takes what was announced meanwhile", async () => {
  const { proxy, cutOff, other, close } = await twoMachines();
  const done: string[] = [];
  const flows = { flow: async (_: unknown, input: unknown) => void done.push(String(input)) };
  const common = { leaseMs: 2_000, flows, log: () => {} };
  const worker = await openEngine({ database: cutOff, worker: "cut off", ...common });
  const starter = await openEngine({ database: other, worker: "other", ...common });
  worker.work([]);
  await starter.start("flow", "before", "before", { worker: "cut off" });
  while (!done.includes("before")) await new Promise((resolve) => setTimeout(resolve, 20));
  proxy.silence();
  await starter.start("flow", "meanwhile", "meanwhile", { worker: "cut off" });
  proxy.heal();
  while (!done.includes("meanwhile")) await new Promise((resolve) => setTimeout(resolve, 20));
  await worker.close();
  await starter.close();
  await close();
});
