import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { AGENTS } from "../agents/index.ts";
import { IdleWatch } from "./idle.ts";
import { Log } from "./log.ts";
import { People } from "./presence/people.ts";
import { mayRun } from "./test-kit/inbox.ts";
import { testDaemon, testPlace } from "./test-kit/setup.ts";

const HOUR = 3_600_000;

/** A daemon's clock and its people; `isOver` once it would have ended. */
function watched() {
  const folder = mkdtempSync(join(tmpdir(), "idle-"));
  const people = new People({
    home: folder,
    run: folder,
    log: new Log(join(folder, "log")),
    find: () => undefined,
    agentNamed: () => undefined,
    onAttended: () => {},
  });
  vi.useFakeTimers();
  let isOver = false;
  const watch = new IdleWatch(
    HOUR,
    () => people.isBusy,
    () => {
      isOver = true;
    },
  );
  onTestFinished(() => {
    watch.stop();
    people.close();
    vi.useRealTimers();
  });
  const attach = () => people.inbox.attach({ name: "a page", hear: () => {} });
  const pass = (ms: number) => vi.advanceTimersByTime(ms);
  return { people, attach, pass, isOver: () => isOver };
}

it("a daemon with nothing to do ends after its time", () => {
  const { pass, isOver } = watched();
  pass(HOUR - 60_000);
  expect(isOver()).toBe(false);
  pass(60_000);
  expect(isOver()).toBe(true);
});

it("a daemon does not end while somebody is attached", () => {
  const { attach, pass, isOver } = watched();
  const leave = attach();
  pass(5 * HOUR);
  expect(isOver()).toBe(false);
  leave();
  pass(HOUR + 60_000);
  expect(isOver()).toBe(true);
});

it("a daemon does not end while a question waits, also with nobody there", async () => {
  const { people, pass, isOver } = watched();
  const asked = people.inbox.ask(mayRun("ls", { isPatient: true }));
  pass(5 * HOUR);
  expect(isOver()).toBe(false);
  const [{ id = "" } = {}] = people.inbox.questions();
  people.inbox.answer({ id, value: "yes", who: "me" });
  await asked;
  pass(HOUR + 60_000);
  expect(isOver()).toBe(true);
});

it("a daemon that watches a folder stays after its time, until the folder is gone", async () => {
  const options = { agents: AGENTS, idleMs: 50 };
  const place = testPlace();
  const note = { by: "agentseam", agent: "aider", project: place.project, since: {} };
  place.write({ "watched/aider.json": JSON.stringify(note) });
  const watching = await testDaemon(place, options);
  // It came later, and its time is over all the same: it has nothing to watch.
  const other = await testDaemon(testPlace(), options);
  await other.ended;
  expect(place.logged()).not.toContain("the daemon ends");
  rmSync(place.project, { recursive: true });
  await watching.ended;
  expect(place.logged()).toContain("the daemon ends: there is nothing to do");
}, 40_000);
