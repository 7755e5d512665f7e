import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Cursor } from "./journal/cursor.ts";
import { Journal } from "./journal/journal.ts";
import { testDaemon, testPlace } from "./test-kit/setup.ts";

it("what an agent said is gone from the journal of a daemon that was killed right after it was recorded", async () => {
  const place = testPlace();
  mkdirSync(place.journal, { recursive: true });
  const journal = new Journal(place.journal);
  const text = JSON.stringify({ session: "s", prompt: "only the record may know this" });
  const payload: Record<string, unknown> = JSON.parse(text);
  const at = new Date().toISOString();
  const { seq } = journal.append({ id: "a", at, agent: "aider", hook: "stop", text, payload });
  journal.close();
  const cursor = new Cursor(place.cursor);
  cursor.move(seq);
  cursor.close();
  const left = () =>
    readdirSync(place.journal).map((name) => readFileSync(join(place.journal, name), "utf8"));
  expect(left().join()).toContain("only the record may know this");
  await testDaemon(place);
  expect(left().join()).not.toContain("only the record may know this");
});
