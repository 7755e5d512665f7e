import { expect, it } from "vitest";
import { openCrewDatabase } from "../database/open-crew-database.ts";
import type { Attempt, Task } from "../model/run.ts";
import { CrewStore } from "./crew-store.ts";
import { withSilentWorkers } from "./silent-workers.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

it("a task whose machine has not been heard of says so, and how another one takes it over", async () => {
  const scratch = await makeScratch();
  const path = `${scratch.root}/crew.db`;
  const first = await scratch.open({ database: await openCrewDatabase(path) });
  const task = taskOf("a", scratch.script("a", writes("a.txt", "a\n")));
  const workflow = workflowOf([task]);
  const run = await first.crew.start({ workflow, goal: "Far.", ...scratch.place, pool: "far" });
  const database = await openCrewDatabase(path);
  const store = new CrewStore(database);
  const seen = (ago: number) => new Date(Date.now() - ago).toISOString();
  const insert =
    "INSERT INTO crew_workers (name, host, pid, process_start, pools, seen_at) VALUES (?, '', 1, '', '', ?)";
  await database.run(insert, ["dead", seen(120_000)]);
  await database.run(insert, ["alive", seen(1_000)]);
  const { tasks } = await first.crew.show(run.id);
  const running = tasks.map((one): Task => ({ ...one, state: "running" }));
  const reasonWith = async (worker: string, more: Partial<Attempt> = {}) => {
    const attempt: Attempt = {
      run: run.id,
      task: "a",
      number: 1,
      agent: "seam",
      worker,
      folder: "/",
      granted: {},
      setAside: {},
      use: { tokens: 0, minutes: 0, turns: 0 },
      startedAt: seen(0),
      ...more,
    };
    const shown = await withSilentWorkers({ store, worker: "here" }, run, running, [attempt]);
    return shown[0]?.reason;
  };
  const before = running[0]?.reason;
  expect(await reasonWith("dead")).toBe(
    "dead has not been heard of for 2 minutes. Another machine can take it over: seam crew worker --pool far",
  );
  expect(await reasonWith("alive")).toBe(before);
  expect(await reasonWith("here")).toBe(before);
  expect(await reasonWith("dead", { end: { kind: "ended", reason: "over" } })).toBe(before);
  await database.close();
  await first.crew.close();
});
