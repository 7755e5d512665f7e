import { spawnSync } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { testFolder } from "../test-kit/folder.ts";
import { Spool } from "./spool.ts";
import { fileOfId, parseSpoolName } from "./spool-name.ts";

const GONE = spawnSync("true").pid;

function spoolWith(files: Readonly<Record<string, string>>) {
  const folder = testFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { folder, spool: new Spool(folder) };
}

test.each(["claude-code~PreToolUse~12~34~0", "opencode~tool.execute.before~1~2~9"])(
  "%s is a name of a client",
  (name) => {
    expect(parseSpoolName(name)).toMatchObject({ agent: name.split("~")[0] });
  },
);

test.each([
  "../../etc/passwd",
  "a~b~1~2~0/..",
  "a~b~1~2",
  "a~~1~2~0",
  "a~b~1~2~0.new",
  "",
  "a b~c~1~2~0",
])("%j is none", (name) => {
  expect(parseSpoolName(name)).toBeUndefined();
  expect(spoolWith({}).spool.read(name)).toBeUndefined();
});

it("reads a file, and gives it an id that another file of the same name does not get", () => {
  const name = `a~b~1~${GONE}~0`;
  const { folder, spool } = spoolWith({ [name]: '{"x":1}' });
  const first = spool.read(name);
  expect(first).toMatchObject({ agent: "a", hook: "b", pid: 1, text: '{"x":1}' });
  expect(spool.read(name)?.id).toBe(first?.id);
  expect(fileOfId(first?.id ?? "")).toBe(name);
  expect(spool.stateOf(first?.id ?? "")).toBe("left");
  utimesSync(join(folder, name), new Date(), new Date(1_000_000));
  expect(spool.read(name)?.id).not.toBe(first?.id);
  expect(spool.stateOf(first?.id ?? "")).toBe("gone");
});

it("leaves alone what a client may still be writing, unless it is too old for that", () => {
  const mine = `a~b~1~${process.pid}~0`;
  const left = `a~b~1~${GONE}~1`;
  const { folder, spool } = spoolWith({ [mine]: "{", [left]: "{}", stranger: "" });
  expect(spool.leftovers()).toEqual([left]);
  expect(spool.stateOf(spool.read(mine)?.id ?? "")).toBe("awaited");
  utimesSync(join(folder, mine), new Date(), new Date(Date.now() - 3_600_000));
  expect(spool.leftovers()).toEqual([mine, left]);
});

it("knows nothing of ids that stand for no file", () => {
  expect(spoolWith({}).spool.stateOf("0b7c…@x")).toBe("gone");
});
