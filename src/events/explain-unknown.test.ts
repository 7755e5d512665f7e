import { expect, it } from "vitest";
import { FOREIGN_EVENTS } from "./explain-unknown.ts";
import { isEventName } from "./index.ts";

const entries = Object.entries(FOREIGN_EVENTS);

it.each(entries)("%s is not an event of Seam, and what to use instead is", (name, { instead }) => {
  expect(isEventName(name)).toBe(false);
  if (instead !== undefined) expect(isEventName(instead)).toBe(true);
});
