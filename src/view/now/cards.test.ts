import { expect, it } from "vitest";
import type { LiveSession } from "../../daemon/index.ts";
import { until } from "../../daemon/test-kit/setup.ts";
import { Cards } from "./cards.ts";

const live = (session: string): LiveSession => ({
  agent: "claude-code",
  session,
  cwd: "/shop",
  phase: "working",
  since: "",
  at: "",
  unheard: 0,
  shown: [],
});

it("reads the transcripts of 500 sessions a few at a time, so that nobody waits for all of them", async () => {
  let most = 0;
  let reading = 0;
  const told = new Set<string>();
  const cards = new Cards(
    async ({ session }) => {
      most = Math.max(most, ++reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading--;
      return { title: `Title of ${session}` };
    },
    ({ session }) => told.add(session),
  );
  const sessions = Array.from({ length: 500 }, (_, n) => live(`s${n}`));
  // Twice: what waits to be read is not read twice.
  for (const session of [...sessions, ...sessions]) cards.look(session);
  await until(() => told.size === 500);
  expect(most).toBe(2);
  expect(cards.card(live("s499")).title).toBe("Title of s499");
});

it("does not read what is not live any more", async () => {
  const read: string[] = [];
  const cards = new Cards(
    async ({ session }) => {
      read.push(session);
      await new Promise((resolve) => setImmediate(resolve));
      return { title: session };
    },
    () => {},
  );
  const sessions = ["a", "b", "c", "d"].map(live);
  for (const session of sessions) cards.look(session);
  cards.keep([live("a"), live("d")]);
  await until(() => read.includes("d"));
  expect(read).toEqual(["a", "b", "d"]);
});
