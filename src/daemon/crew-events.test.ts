import { expect, it } from "vitest";
import type { CrewEvents } from "./hooks/crew-events.ts";
import { testDaemon, testPlace, until } from "./test-kit/setup.ts";

const use = { tokens: 5, minutes: 1, turns: 1 };
const merge = {
  type: "crew_merge" as const,
  run: "r1",
  tasks: ["build"],
  target: "seam/crew/r1",
  commit: "c0ffee",
  files: ["package.json"],
};

async function crewIn(extension: string) {
  const place = testPlace();
  place.write({ "extensions/gate.ts": extension });
  let events: CrewEvents | undefined;
  await testDaemon(place, {
    services: [
      (around) => {
        events = around.crewEvents;
        return { name: "test" };
      },
    ],
  });
  await until(() => events !== undefined);
  return {
    fire: (event: Parameters<CrewEvents["fire"]>[1]) => events?.fire(place.project, event),
    place,
  };
}

it("an extension says no to a merge, with its reason, and to nothing else", async () => {
  const { fire } = await crewIn(`export default (pi) => {
    pi.on("crew_merge", (event) =>
      event.files.includes("package.json") ? { block: true, reason: "Dependencies are mine." } : undefined);
  };`);
  expect(await fire(merge)).toMatchObject({ reason: "Dependencies are mine." });
  expect(await fire({ ...merge, files: ["src/a.ts"] })).toBeUndefined();
});

it("a gate over merges that fails keeps the merge from happening", async () => {
  const { fire } = await crewIn(`export default (pi) => {
    pi.on("crew_merge", () => { throw new Error("no rules file"); });
  };`);
  expect((await fire(merge))?.reason).toContain("gate");
});

it("observers are told of what happened, and one that fails stops nobody", async () => {
  const { fire, place } = await crewIn(`export default (pi) => {
    pi.on("crew_run_end", (event) => pi.logger.info("run " + event.run + " " + event.state));
    pi.on("crew_run_start", () => { throw new Error("broken"); });
  };`);
  const run = { run: "r1", goal: "g", workflow: "w" };
  expect(await fire({ type: "crew_run_start", ...run, tasks: [] })).toBeUndefined();
  expect(await fire({ type: "crew_run_end", ...run, state: "done", use })).toBeUndefined();
  await until(() => place.logged().includes("run r1 done"));
});

it("without extensions nothing is started for it", async () => {
  const place = testPlace();
  let events: CrewEvents | undefined;
  await testDaemon(place, {
    services: [
      (around) => {
        events = around.crewEvents;
        return { name: "test" };
      },
    ],
  });
  await until(() => events !== undefined);
  expect(await events?.fire(place.project, merge)).toBeUndefined();
});
