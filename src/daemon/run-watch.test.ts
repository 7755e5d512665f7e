import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testDaemon, testPlace, until } from "./test-kit/setup.ts";
import { readToken } from "./token.ts";

const CRITICAL = "export const critical = true; export default () => {};";

it("what hooks answer without a daemon is written again while one runs, and it is said", async () => {
  const place = testPlace();
  place.write({ "extensions/gate.ts": CRITICAL });
  await testDaemon(place);
  const answer = join(place.unavailable, "aider.before");
  const before = readFileSync(answer, "utf8");
  rmSync(place.block);
  rmSync(place.unavailable, { recursive: true });
  await until(() => existsSync(place.block) && existsSync(answer));
  expect(readFileSync(place.block, "utf8")).toBe("/\n");
  expect(readFileSync(answer, "utf8")).toBe(before);
  await until(() => place.logged().includes("what hooks answer without a daemon was changed"));
  rmSync(place.block);
  execFileSync("mkfifo", [place.block]);
  await until(() => statSync(place.block, { throwIfNoEntry: false })?.isFile() === true);
  expect(readFileSync(place.block, "utf8")).toBe("/\n");
}, 40_000);

it("a daemon whose socket another one took over ends, with a new token for the next", async () => {
  const place = testPlace();
  const daemon = await testDaemon(place);
  const token = readToken(place.token);
  rmSync(place.socket);
  const stranger = createServer((socket) => socket.end());
  await new Promise<void>((listening) => stranger.listen(place.socket, listening));
  onTestFinished(() => void stranger.close());
  await daemon.ended;
  expect(place.logged()).toContain("somebody else took the place of the daemon's socket");
  expect(existsSync(place.socket)).toBe(false);
  const next = readToken(place.token);
  expect(next).toMatch(/^[0-9a-f]{64}$/);
  expect(next).not.toBe(token);
  expect(readFileSync(place.curl, "utf8")).toContain(String(next));
  expect(await testDaemon(place)).toBeDefined();
}, 40_000);
