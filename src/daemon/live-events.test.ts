import { expect, it } from "vitest";
import { daemonStatus } from "./connection.ts";
import { followEvents } from "./follow-events.ts";
import type { LiveEvent, LiveFilter } from "./live-events.ts";
import { runHook, type TestPlace, testDaemon, testPlace, until } from "./test-kit/setup.ts";

/** Collects what a listener hears. */
function listen(place: TestPlace, filter: LiveFilter = {}) {
  const heard: LiveEvent[] = [];
  const end = new AbortController();
  const done = (async () => {
    for await (const event of followEvents(place, filter, end.signal)) heard.push(event);
  })();
  const stop = () => {
    end.abort();
    return done;
  };
  return { heard, stop };
}

const listeners = async (place: TestPlace) => (await daemonStatus(place))?.listeners ?? 0;

async function untilListening(place: TestPlace, count: number): Promise<void> {
  while ((await listeners(place)) !== count) await new Promise((r) => setTimeout(r, 20));
}

const call = (session: string, command: string) => ({ session, tool: "bash", input: { command } });

it("shows what agents do and what was decided, to each listener what it wants", async () => {
  const place = testPlace();
  place.write({
    "extensions/gate.ts": `export default (pi) => pi.on("tool_call", (e) => e.input.command === "rm" && { block: true, reason: "no" });`,
  });
  await testDaemon(place);
  const all = listen(place);
  const one = listen(place, { session: "session-1" });
  const calls = listen(place, { event: "tool_call", agent: "aider" });
  const none = listen(place, { agent: "codex" });
  await untilListening(place, 4);
  await runHook(place, "before", call("session-1", "rm"));
  await runHook(place, "before", call("session-2", "ls"));
  await runHook(place, "Unknown", {});
  await until(() => all.heard.length === 4);
  expect(all.heard.map(({ event, hook, decision }) => [event ?? hook, decision])).toEqual([
    ["tool_call", "blocked"],
    ["tool_call", undefined],
    ["tool_execution_start", undefined],
    ["Unknown", undefined],
  ]);
  expect(all.heard[0]).toMatchObject({
    seq: 1,
    agent: "aider",
    hook: "before",
    session: "session-1",
    tool: "bash",
    target: "rm",
    reason: "no",
    by: "gate",
  });
  expect(one.heard).toHaveLength(1);
  expect(calls.heard).toHaveLength(2);
  expect(none.heard).toHaveLength(0);
  await Promise.all([all, one, calls, none].map(({ stop }) => stop()));
  await untilListening(place, 0);
});

it("goes on when the daemon ended and there is another one", async () => {
  const place = testPlace();
  const first = await testDaemon(place);
  const { heard, stop } = listen(place);
  await untilListening(place, 1);
  await first.stop();
  await testDaemon(place);
  await untilListening(place, 1);
  await runHook(place, "raw", { session: "s", raw: "" });
  await until(() => heard.length === 1);
  await stop();
});

it("misses nothing when it began before there was a daemon", async () => {
  const place = testPlace();
  const { heard, stop } = listen(place);
  // It has found nobody, and looks again only after a while.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const first = await testDaemon(place);
  await runHook(place, "before", call("session-1", "ls"));
  await until(() => heard.length > 0);
  expect(heard[0]).toMatchObject({ event: "tool_call", session: "session-1", target: "ls" });
  await untilListening(place, 1);
  await first.stop();
  await testDaemon(place);
  await runHook(place, "before", call("session-2", "pwd"));
  await until(() => heard.some(({ session }) => session === "session-2"));
  const calls = heard.filter(({ event }) => event === "tool_call");
  expect(calls.map(({ target }) => target)).toEqual(["ls", "pwd"]);
  await stop();
});
