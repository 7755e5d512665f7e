import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Entrance } from "./entrance.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function setUp() {
  const path = join(mkdtempSync(join(tmpdir(), "entrance-")), "view.json");
  const clock = { now: 1_000_000 };
  const open = () => new Entrance(path, () => clock.now);
  return { path, clock, open, entrance: open() };
}

it("lets in who has a code, once", () => {
  const { entrance } = setUp();
  const code = entrance.newCode();
  const cookie = entrance.enter(code);
  expect(cookie?.value).toMatch(/^[\w-]{43}$/);
  expect(entrance.isKnown(cookie?.value ?? "")).toBe(true);
  expect(entrance.enter(code)).toBeUndefined();
  expect(entrance.enter("guess")).toBeUndefined();
  expect(entrance.isKnown("")).toBe(false);
});

it("takes no code that is older than five minutes, and no cookie that is older than two weeks", () => {
  const { entrance, clock } = setUp();
  const [late, early] = [entrance.newCode(), entrance.newCode()];
  clock.now += 4 * MINUTE;
  const { value = "" } = entrance.enter(early) ?? {};
  clock.now += 2 * MINUTE;
  expect(entrance.enter(late)).toBeUndefined();
  clock.now += 13 * DAY;
  expect(entrance.isKnown(value)).toBe(true);
  expect(entrance.isExpected).toBe(true);
  clock.now += 2 * DAY;
  expect(entrance.isKnown(value)).toBe(false);
  expect(entrance.isExpected).toBe(false);
});

it("knows a browser again after a restart, and keeps nothing that would let another in", () => {
  const { entrance, open, path } = setUp();
  const code = entrance.newCode();
  const unused = entrance.newCode();
  const { value = "" } = entrance.enter(code) ?? {};
  entrance.setPort(4600);
  const kept = readFileSync(path, "utf8");
  for (const secret of [code, unused, value]) expect(kept).not.toContain(secret);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const next = open();
  expect(next.isKnown(value)).toBe(true);
  expect(next.cookieName).toBe(entrance.cookieName);
  expect(next.port).toBe(4600);
  expect(next.enter(unused)).toBeUndefined();
});

it("keeps as many codes and browsers as a person needs", () => {
  const { entrance } = setUp();
  const codes = Array.from({ length: 25 }, () => entrance.newCode());
  expect(entrance.enter(codes[0] ?? "")).toBeUndefined();
  const cookies = Array.from({ length: 60 }, () => entrance.enter(entrance.newCode())?.value ?? "");
  expect(entrance.isKnown(cookies[0] ?? "")).toBe(false);
  expect(entrance.isKnown(cookies.at(-1) ?? "")).toBe(true);
});

it.each(["", "{", "[]", '{"id":"x","cookies":1}'])("starts anew over a file that is %j", (text) => {
  const { path, open } = setUp();
  writeFileSync(path, text);
  expect(open().isExpected).toBe(false);
});
