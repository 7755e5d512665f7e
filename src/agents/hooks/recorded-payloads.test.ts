import { describe, expect, it } from "vitest";
import { payloadMismatch } from "../../events/index.ts";
import { eventsFor } from "./events-for.ts";
import { HOOKED, HOOKS, recorded } from "./test-kit/payloads.ts";

const ALL = HOOKED.flatMap((agent) =>
  recorded(agent).map((each) => {
    const row = HOOKS[agent].mapping[each.hook];
    return { ...each, agent, row, title: `${agent} ${each.name}` };
  }),
);

const MAPPED = ALL.flatMap(({ row, ...each }) => {
  const reading = HOOKS[each.agent].read(each.hook, each.payload);
  return row && reading && !row.skip?.(each.payload) ? [{ ...each, row, reading }] : [];
});

it("there are payloads of every agent with hooks", () => {
  expect(ALL.length).toBeGreaterThan(250);
  expect(new Set(MAPPED.map(({ agent }) => agent)).size).toBe(HOOKED.length);
});

describe.each(MAPPED)("$title", ({ agent, hook, payload, row, reading }) => {
  const events = eventsFor(row, reading, { agent, hook, payload });

  it("becomes events as the vocabulary declares them, in the order of the table", () => {
    const wrong = events.map((event) => payloadMismatch(event.type, event));
    expect(wrong).toEqual(events.map(() => undefined));
    const fired = events.map(({ type }) => type).filter((type, n, all) => type !== all[n - 1]);
    expect(fired).toEqual(row.events.filter((name) => fired.includes(name)));
    // Whether it is about a skill or a subagent, or about a start or a compaction, only the payload
    // can say.
    const either = ["session_start", "session_compact"] as const;
    const isEither = either.every((name) => row.events.includes(name));
    const sometimes = [
      "skill_invoked",
      "subagent_start",
      "subagent_end",
      ...(isEither ? either : []),
    ];
    if (isEither) expect(fired).toHaveLength(1);
    const always = row.events.filter((name) => !sometimes.includes(name));
    expect(fired).toEqual(expect.arrayContaining(always));
  });

  it("carries its session, its origin and itself", () => {
    for (const event of events) {
      expect(event).toMatchObject({ agent, nativeHook: hook, sessionId: reading.sessionId });
      expect(event.native).toBe(payload);
    }
  });
});

it.each(ALL)("$title stays as it was", ({ agent, hook, payload, row }) => {
  const before = JSON.stringify(payload);
  HOOKS[agent].read(hook, payload);
  row?.skip?.(payload);
  HOOKS[agent].answer(hook, { context: "more", result: { content: [], isError: false } }, payload);
  expect(JSON.stringify(payload)).toBe(before);
});

it.each(HOOKED)("%s: every hook of the table was recorded", (agent) => {
  const seen = new Set(recorded(agent).map(({ hook }) => hook));
  expect(Object.keys(HOOKS[agent].mapping).filter((hook) => !seen.has(hook))).toEqual([]);
});

it.each(HOOKED.filter((agent) => agent !== "opencode"))(
  "%s: also hooks that are not in the table tell whose session it is",
  (agent) => {
    const readings = recorded(agent).map(({ hook, payload }) => HOOKS[agent].read(hook, payload));
    expect(readings.filter((reading) => !reading?.sessionId)).toEqual([]);
  },
);

it.each(HOOKED)("%s: what says nothing is nothing", (agent) => {
  for (const hook of [...Object.keys(HOOKS[agent].mapping), "NoSuchHook", "__proto__"]) {
    expect(HOOKS[agent].read(hook, {})).toBeUndefined();
    expect(HOOKS[agent].answer(hook, {}, {})).toEqual({ stdout: "", exitCode: 0 });
  }
});

it("agents that ask in a dialog of their own say so", () => {
  const asking = MAPPED.filter(({ reading }) => reading.notice?.asks).map(({ agent }) => agent);
  expect(new Set(asking)).toEqual(
    new Set(["claude-code", "copilot-cli", "factoryai-droid", "gemini"]),
  );
});
