import { appendFileSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { processStat } from "../../files/index.ts";
import { Log } from "../log.ts";
import { fakeAgent, fakeHooks } from "../test-kit/fake-agent.ts";
import { testFolder } from "../test-kit/folder.ts";
import { testInbox } from "../test-kit/inbox.ts";
import { testPlace } from "../test-kit/setup.ts";
import { Threads } from "../worker/threads.ts";
import { ExtensionFinder } from "./project-extensions.ts";
import { SessionFolders } from "./session-folders.ts";
import { Sessions } from "./sessions.ts";

const agent = { ...fakeAgent, hooks: fakeHooks };

function setUp(check?: () => void) {
  const place = testPlace();
  const finder = new ExtensionFinder(place.home);
  const log = new Log(join(testFolder(), "log"));
  const surroundings = {
    finder,
    threads: new Threads({ log, most: 4, ...(check && { check }) }),
    log,
    closes: () => false,
    cacheDir: join(place.home, "cache"),
    onFound: () => {},
    onNew: () => {},
    onShown: () => {},
    onUse: () => {},
    home: place.home,
    inbox: testInbox().inbox,
  };
  const folders = join(testFolder(), "session-folders");
  /** As they are in the next daemon. */
  const restarted = () => new Sessions(surroundings, new SessionFolders(folders));
  return { place, finder, sessions: restarted(), restarted, surroundings, folders };
}

it("knows a session again by agent and id", () => {
  const { sessions } = setUp();
  const first = sessions.find(agent, { sessionId: "a" }, "/");
  expect(sessions.find(agent, { sessionId: "a" }, "/elsewhere")).toBe(first);
  expect(sessions.find(agent, { sessionId: "b" }, "/")).not.toBe(first);
  expect(sessions.find({ ...agent, name: "codex" }, { sessionId: "a" }, "/")).not.toBe(first);
  expect(sessions.count).toBe(3);
});

it("has the gates of the project in which the user took a session up again", () => {
  const { place, sessions } = setUp();
  const elsewhere = testPlace().project;
  const began = { sessionId: "a", start: { reason: "startup" } } as const;
  const first = sessions.find(agent, began, place.project);
  expect(sessions.find(agent, { sessionId: "a" }, elsewhere)).toBe(first);
  expect(sessions.find(agent, { ...began, start: { reason: "new" } }, elsewhere)).toBe(first);
  expect(sessions.find(agent, began, place.project)).toBe(first);
  const again = sessions.find(agent, { ...began, start: { reason: "resume" } }, elsewhere);
  expect(again).not.toBe(first);
  expect(again.cwd).toBe(elsewhere);
  expect(sessions.find(agent, { sessionId: "a" }, elsewhere)).toBe(again);
  expect(sessions.count).toBe(1);
});

it("has the gates that the same process had in this folder, if nobody started an agent there", () => {
  const { place, sessions } = setUp();
  const elsewhere = testPlace().project;
  const begin = (sessionId: string, reason: "startup" | "new" | "resume", pid: number) =>
    sessions.find(agent, { sessionId, start: { reason } }, elsewhere, pid).cwd;
  sessions.find(agent, { sessionId: "a", start: { reason: "startup" } }, place.project, 1);
  expect(begin("b", "new", 1)).toBe(elsewhere);
  sessions.find(agent, { sessionId: "a" }, elsewhere, 1);
  expect(begin("c", "new", 1)).toBe(place.project);
  expect(begin("d", "resume", 1)).toBe(place.project);
  expect(begin("e", "new", 2)).toBe(elsewhere);
  expect(begin("f", "resume", 3)).toBe(elsewhere);
  expect(begin("g", "startup", 1)).toBe(elsewhere);
});

it("knows the process behind a session also in a daemon that is started after it", () => {
  const { place, sessions, restarted } = setUp();
  const elsewhere = testPlace().project;
  const own = process.pid;
  sessions.find(agent, { sessionId: "a", start: { reason: "startup" } }, place.project, own);
  sessions.find(agent, { sessionId: "a" }, elsewhere, own);
  const begin = (sessionId: string, pid: number, of = agent) =>
    restarted().find(of, { sessionId, start: { reason: "new" } }, elsewhere, pid).cwd;
  expect(begin("b", own)).toBe(place.project);
  expect(begin("c", own + 1)).toBe(elsewhere);
  expect(begin("d", own, { ...agent, name: "codex" })).toBe(elsewhere);
  expect(restarted().find(agent, { sessionId: "b" }, elsewhere, own).cwd).toBe(place.project);
  // Its start was not heard: the hook that would have told of it was lost.
  expect(restarted().find(agent, { sessionId: "e" }, elsewhere, own).cwd).toBe(place.project);
});

it("takes a process for another one if it was started at another time", () => {
  const { place, sessions, restarted, folders } = setUp();
  const elsewhere = testPlace().project;
  sessions.find(agent, { sessionId: "a" }, place.project, process.pid);
  sessions.find(agent, { sessionId: "a" }, elsewhere, process.pid);
  const noted = readFileSync(folders, "utf8").trimEnd().split("\n").at(-1) ?? "";
  appendFileSync(folders, `${JSON.stringify({ ...JSON.parse(noted), started: "1" })}\n`);
  const start = { reason: "new" } as const;
  const found = restarted().find(agent, { sessionId: "b", start }, elsewhere, process.pid);
  expect(found.cwd).toBe(processStat(process.pid) ? elsewhere : place.project);
});

it("keeps of where processes are what holds, however often they go elsewhere", () => {
  const { place, sessions, restarted, folders } = setUp();
  const elsewhere = testPlace().project;
  for (let n = 0; n < 21_000; n++) {
    sessions.find(agent, { sessionId: "a" }, n % 2 ? elsewhere : place.project, process.pid);
  }
  expect(readFileSync(folders, "utf8").split("\n").length).toBeLessThan(2_000);
  const start = { reason: "new" } as const;
  const found = restarted().find(agent, { sessionId: "b", start }, elsewhere, process.pid);
  expect(found.cwd).toBe(place.project);
});

it("knows nothing of a session that was forgotten, and all of the others", () => {
  const { place, sessions, restarted } = setUp();
  const elsewhere = testPlace().project;
  for (const sessionId of ["a", "b"]) {
    sessions.find(agent, { sessionId, start: { reason: "startup" } }, place.project);
  }
  sessions.forget("a");
  expect(restarted().find(agent, { sessionId: "b" }, elsewhere).cwd).toBe(place.project);
  expect(restarted().find(agent, { sessionId: "a" }, elsewhere).cwd).toBe(elsewhere);
});

it("has the gates of the project it began in, also in a daemon that is started while the agent is elsewhere", () => {
  const { place, sessions, restarted } = setUp();
  const elsewhere = testPlace().project;
  const began = { sessionId: "a", start: { reason: "startup" } } as const;
  sessions.find(agent, began, place.project);
  expect(restarted().find(agent, { sessionId: "a" }, elsewhere).cwd).toBe(place.project);
  const again = { ...began, start: { reason: "resume" } } as const;
  expect(restarted().find(agent, again, elsewhere).cwd).toBe(elsewhere);
  expect(restarted().find(agent, { sessionId: "a" }, place.project).cwd).toBe(elsewhere);
  rmSync(elsewhere, { recursive: true });
  expect(restarted().find(agent, { sessionId: "a" }, place.project).cwd).toBe(place.project);
});

it("forgets those that have been silent for long, and never knows more than so many", () => {
  const { sessions } = setUp();
  const first = sessions.find(agent, { sessionId: "0" }, "/");
  sessions.rest(Date.now() + 3_600_000);
  expect(sessions.find(agent, { sessionId: "0" }, "/")).toBe(first);
  sessions.rest(Date.now() + 25 * 3_600_000);
  expect(sessions.count).toBe(0);
  for (let n = 0; n < 6_000; n++) sessions.find(agent, { sessionId: `${n}` }, "/");
  expect(sessions.count).toBe(5_000);
});

it("looks into an extension only when its files changed", () => {
  const { place, finder } = setUp();
  place.write({ "extensions/a.ts": "export default () => {};" });
  const found = finder.look(place.project);
  expect(found.sources.map(({ name }) => name)).toEqual(["a"]);
  expect(finder.look(place.project)).toBe(found);
  expect(finder.known(place.project)).toBe(found);
  place.write({
    "extensions/b/index.ts": "export const critical = true;\nexport default () => {};",
  });
  expect(finder.known(place.project)).toBe(found);
  const again = finder.look(place.project);
  expect(again.sources.map(({ name }) => name)).toEqual(["a", "b"]);
  expect([found.critical, again.critical]).toEqual([false, true]);
  place.write({ "settings.json": '{ "disabled": ["b"] }' });
  expect(finder.look(place.project).sources.map(({ name }) => name)).toEqual(["a"]);
});

it("leaves out an extension after its second strike, until it changes", () => {
  const { place, finder } = setUp();
  place.write({ "extensions/a.ts": "export default () => {};" });
  const path = join(place.home, "extensions/a.ts");
  const out = () => finder.look(place.project).leftOut.map(({ source }) => source.path);
  expect(finder.strike(path, "froze")).toBe(false);
  expect(out()).toEqual([]);
  expect(finder.strike(path, "froze")).toBe(true);
  expect(out()).toEqual([path]);
  place.write({ "extensions/a.ts": "export default () => { /* better */ };" });
  expect(out()).toEqual([]);
  expect(finder.strike(path, "froze")).toBe(false);
});

it("a project whose files cannot be looked at has the user's extensions, and stays in nobody's way", async () => {
  const { place, sessions } = setUp();
  place.write({ "extensions/a.ts": 'export default (pi) => pi.on("tool_call", () => {});' });
  symlinkSync("settings.json", join(place.project, ".seam/settings.json"));
  for (const folder of [place.project, testFolder()]) {
    const session = sessions.find(agent, { sessionId: folder }, folder);
    session.prepare([], { sessionId: folder });
    expect(session.trouble).toBeUndefined();
    expect(session.hasWorker).toBe(true);
    await session.end();
  }
});

it("what fails in one folder alone is tried less often there, and at once elsewhere", async () => {
  const { place, sessions, surroundings } = setUp();
  place.write({ "extensions/a.ts": "export default () => {};" });
  surroundings.threads.failed("it broke", place.project);
  const starts = (folder: string) => {
    const session = sessions.find(agent, { sessionId: folder }, folder);
    session.prepare([], { sessionId: folder });
    return session;
  };
  expect(starts(place.project).trouble).toContain("it broke");
  const other = starts(testFolder());
  expect([other.trouble, other.hasWorker]).toEqual([undefined, true]);
  await other.end();
});

it("a thread that could not be started is tried again within a second, and never less than three times a minute", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let tries = 0;
  const { place, sessions } = setUp(() => {
    tries++;
    throw new Error("no file can be opened");
  });
  place.write({ "extensions/a.ts": "export default () => {};" });
  const session = sessions.find(agent, { sessionId: "s" }, place.project);
  /** How often it is tried in so many seconds with a hook in each. */
  const triesIn = (seconds: number) => {
    const before = tries;
    for (let n = 0; n < seconds; n++) {
      session.prepare([], { sessionId: "s" });
      expect(session.trouble).toContain("no file can be opened");
      vi.setSystemTime(Date.now() + 1_000);
    }
    return tries - before;
  };
  expect(triesIn(2)).toBe(2);
  for (let minute = 0; minute < 5; minute++) expect(triesIn(60)).toBeGreaterThanOrEqual(3);
  // A hook that comes right after such an attempt does not wait for another one.
  session.prepare([], { sessionId: "s" });
  const before = tries;
  session.prepare([], { sessionId: "s" });
  expect(tries).toBe(before);
});

it("what could not be looked for in one folder keeps nobody else from a thread", async () => {
  const { place, sessions, surroundings } = setUp();
  place.write({ "extensions/a.ts": "export default () => {};" });
  const { finder } = surroundings;
  const look = finder.look.bind(finder);
  finder.look = (cwd) => {
    if (cwd === place.project) throw new RangeError("Maximum call stack size exceeded");
    return look(cwd);
  };
  const broken = sessions.find(agent, { sessionId: "a" }, place.project);
  broken.prepare([], { sessionId: "a" });
  expect(broken.trouble).toContain("Maximum call stack");
  const other = sessions.find(agent, { sessionId: "b" }, testFolder());
  other.prepare([], { sessionId: "b" });
  expect([other.trouble, other.hasWorker]).toEqual([undefined, true]);
  await other.end();
});
