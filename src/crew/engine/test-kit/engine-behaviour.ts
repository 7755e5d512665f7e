import { expect, it } from "vitest";
import type { CrewDatabase } from "../../database/crew-database.ts";
import { openCrewDatabase } from "../../database/open-crew-database.ts";
import type { Engine, FlowCode } from "../engine.ts";
import { CLOSING } from "../leases.ts";
import { openEngine } from "../open-engine.ts";

interface Opened {
  readonly engine: Engine;
  readonly database: CrewDatabase;
  close(): Promise<void>;
}

export interface Place {
  /** A file, or the address of a server: an empty database each time. */
  make(): Promise<string>;
}

/** A process that is killed gives no answer; here it has to let go when the test is over. */
function killed(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("killed")), { once: true });
  });
}

/** What holds for the engine wherever it keeps its state. */
export function describeEngine({ make }: Place): void {
  const open = async (
    place: string,
    flows: Record<string, FlowCode>,
    { worker = "here", leaseMs = 30_000, pools = [] as string[], works = true } = {},
  ): Promise<Opened> => {
    const database = await openCrewDatabase(place);
    const log = () => {};
    const engine = await openEngine({ database, worker, leaseMs, flows, log });
    if (works) engine.work(pools);
    const close = async () => {
      await engine.close();
      await database.close();
    };
    return { engine, database, close };
  };
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const stateOf = async ({ engine }: Opened, key: string) => (await engine.list(key))[0]?.state;

  it("does each step once, and goes on after the step where it was killed", async () => {
    const done: string[] = [];
    let isKilled = true;
    const flow: FlowCode = async ({ step }) => {
      await step("one", async () => done.push("one"));
      await step("two", async (signal) => {
        done.push("two");
        if (isKilled) await killed(signal);
        return null;
      });
      await step("three", async () => done.push("three"));
    };
    const place = await make();
    const first = await open(place, { flow });
    await first.engine.start("flow", "a", null, { worker: "here" });
    await until(() => done.includes("two"));
    isKilled = false;
    const second = await open(place, { flow });
    await until(async () => (await stateOf(second, "a")) === "done");
    expect(done).toEqual(["one", "two", "two", "three"]);
    await Promise.all([first.close(), second.close()]);
  });

  it("keeps a signal for whoever waits for it later", async () => {
    const heard: unknown[] = [];
    const flow: FlowCode = async ({ wait }) => void heard.push(await wait("answer", "yes or no"));
    const opened = await open(await make(), { flow });
    await opened.engine.signal("yes or no", "yes");
    await opened.engine.start("flow", "a", null, { worker: "here" });
    await until(async () => (await stateOf(opened, "a")) === "done");
    expect(heard).toEqual(["yes"]);
    await opened.close();
  });

  it("wakes a flow that waits, once for each wait", async () => {
    const heard: unknown[] = [];
    const flow: FlowCode = async ({ wait }) => {
      heard.push(await wait("first", "go"));
      heard.push(await wait("second", "go", new Date(Date.now() + 20)));
    };
    const opened = await open(await make(), { flow });
    await opened.engine.start("flow", "a", null, { worker: "here" });
    await until(async () => {
      const [row] = await opened.database.all("SELECT slot FROM engine_runs");
      return row?.slot === null;
    });
    await opened.engine.signal("go", 1);
    await until(async () => (await stateOf(opened, "a")) === "done");
    expect(heard.at(-1)).toBeUndefined();
    expect(heard).toContain(1);
    await opened.close();
  });

  it("starts one flow for one key", async () => {
    let starts = 0;
    const flow: FlowCode = async ({ step }) => {
      await step("count", async () => ++starts);
    };
    const opened = await open(await make(), { flow });
    const start = () => opened.engine.start("flow", "same", null, { worker: "here" });
    await Promise.all([start(), start(), start()]);
    await until(async () => (await stateOf(opened, "same")) === "done");
    await start();
    expect((await opened.engine.list("same")).length).toBe(1);
    expect(starts).toBe(1);
    await opened.close();
  });

  it("does not take again what it is at work on, though the lease is long over", async () => {
    let starts = 0;
    let end = () => {};
    const flow: FlowCode = async ({ step }) => {
      await step("long", async () => {
        starts++;
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return null;
      });
    };
    const opened = await open(await make(), { flow });
    await opened.engine.start("flow", "a", null, { worker: "here" });
    await until(() => starts === 1);
    // What is left after a machine slept for longer than the lease.
    await opened.database.run("UPDATE engine_runs SET available_at = '1'");
    await opened.engine.start("flow", "b", null, { worker: "elsewhere" });
    await opened.database.announce();
    await opened.engine.signal("nothing");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(starts).toBe(1);
    end();
    await until(async () => (await stateOf(opened, "a")) === "done");
    await opened.close();
  });

  it("does not end what it started where another process of its worker goes on with it", async () => {
    const reasons: unknown[] = [];
    let isAtWork = false;
    const slow: FlowCode = async ({ step }) => {
      await step("one", async (signal) => {
        isAtWork = true;
        await new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true }),
        );
        reasons.push(signal.reason);
        return null;
      });
    };
    const place = await make();
    const first = await open(place, { flow: slow }, { leaseMs: 90 });
    await first.engine.start("flow", "a", null, { worker: "here" });
    await until(() => isAtWork);
    // As after the first was stopped for so long that the second took its place.
    const second = await open(place, { flow: async () => {} });
    await until(async () => (await stateOf(second, "a")) === "done");
    await until(() => reasons.length > 0);
    expect(reasons).toEqual([CLOSING]);
    await Promise.all([first.close(), second.close()]);
  });

  it("tells the step of a flow that was cancelled, and does nothing after it", async () => {
    const done: string[] = [];
    const flow: FlowCode = async ({ step }) => {
      await step("one", async (signal) => {
        done.push("one");
        await new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true }),
        );
        done.push("heard");
        return null;
      });
      await step("two", async () => done.push("two"));
    };
    const opened = await open(await make(), { flow });
    await opened.engine.start("flow", "a", null, { worker: "here" });
    await until(() => done.includes("one"));
    await opened.engine.cancel("a");
    await until(() => done.includes("heard"));
    expect(await stateOf(opened, "a")).toBe("cancelled");
    await opened.close();
    expect(done).toEqual(["one", "heard"]);
  });

  it("gives a flow to its own worker or to its pool, and to nobody else", async () => {
    const place = await make();
    const takers: string[] = [];
    const flowOf =
      (name: string): FlowCode =>
      async ({ step }, input) => {
        await step("take", async () => takers.push(`${name} ${String(input)}`));
      };
    const laptop = await open(place, { flow: flowOf("laptop") }, { worker: "laptop" });
    const server = await open(
      place,
      { flow: flowOf("server") },
      { worker: "server", pools: ["linux"] },
    );
    await laptop.engine.start("flow", "a", "own", { worker: "laptop" });
    await server.engine.start("flow", "b", "pool", { pool: "linux" });
    await until(async () => (await laptop.engine.list("")).every(({ state }) => state === "done"));
    expect(takers.sort()).toEqual(["laptop own", "server pool"]);
    await Promise.all([laptop.close(), server.close()]);
  });

  it("lets another worker of the pool take over when one is not heard of", async () => {
    const place = await make();
    const takers: string[] = [];
    const flowOf =
      (name: string, hangs: boolean): FlowCode =>
      async ({ step }) => {
        await step("work", async (signal) => {
          takers.push(name);
          if (hangs) await killed(signal);
          return null;
        });
      };
    const first = await open(
      place,
      { flow: flowOf("first", true) },
      { worker: "first", pools: ["p"] },
    );
    await first.engine.start("flow", "a", null, { pool: "p" });
    await until(() => takers.length === 1);
    // The first worker is gone, and its lease with it.
    await first.close();
    const watching = await open(place, {}, { worker: "watching" });
    await watching.database.run("UPDATE engine_runs SET available_at = '1'");
    const second = await open(
      place,
      { flow: flowOf("second", false) },
      { worker: "second", pools: ["p"] },
    );
    await until(async () => (await stateOf(second, "a")) === "done");
    expect(takers).toEqual(["first", "second"]);
    await Promise.all([watching.close(), second.close()]);
  });

  it("tries a flow that fails again, and tells in the end what was wrong", async () => {
    let tries = 0;
    const flow: FlowCode = async () => {
      if (++tries < 2) throw new Error("not yet");
    };
    const opened = await open(await make(), { flow });
    await opened.engine.start("flow", "a", null, { worker: "here" });
    await until(async () => (await stateOf(opened, "a")) === "done");
    expect(tries).toBe(2);
    await opened.close();
  });

  it("is made by the first of two that open an empty database at once", async () => {
    const place = await make();
    const databases = await Promise.all([openCrewDatabase(place), openCrewDatabase(place)]);
    for (const database of databases) {
      expect(await database.all("SELECT id FROM crew_runs")).toEqual([]);
      await database.close();
    }
  });

  it("refuses a database that a newer Seam made", async () => {
    const place = await make();
    const database = await openCrewDatabase(place);
    await database.run("UPDATE crew_version SET version = 999");
    await database.close();
    await expect(openCrewDatabase(place)).rejects.toMatchObject({ code: "SEAM_STORE_NEWER" });
  });

  it("undoes a transaction whose work failed", async () => {
    const database = await openCrewDatabase(await make());
    const insert = "INSERT INTO crew_locks (name, owner, until) VALUES (?, 'x', 'y')";
    const failing = database.transaction(async (inside) => {
      await inside.run(insert, ["a"]);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await Promise.all(
      ["b", "c"].map((name) => database.transaction((inside) => inside.run(insert, [name]))),
    );
    const rows = await database.all("SELECT name FROM crew_locks ORDER BY name");
    expect(rows.map((row) => row.name)).toEqual(["b", "c"]);
    await database.close();
  });
}
