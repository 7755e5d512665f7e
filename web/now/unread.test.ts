import { expect, it } from "vitest";
import { isUnread, look, seen } from "./unread.ts";

const done = (since: string) => ({ agent: "codex", session: "s", phase: "done", since }) as const;

it("a session is unread when it came to an end since somebody looked, and not while it works", () => {
  const before = { since: "2026-01-01T00:00:00.000Z", at: {} };
  expect(isUnread(done("2025-12-31T00:00:00.000Z"), before)).toBe(false);
  const ended = done("2026-01-02T00:00:00.000Z");
  expect(isUnread(ended, before)).toBe(true);
  expect(isUnread({ ...ended, phase: "working" }, before)).toBe(false);
  look(ended, new Date("2026-01-03T00:00:00.000Z"));
  expect(isUnread(ended, seen.value)).toBe(false);
  expect(isUnread(done("2026-01-04T00:00:00.000Z"), { ...seen.value })).toBe(true);
});
