import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { processStart } from "../../files/index.ts";
import { attemptFiles } from "./attempt-files.ts";
import { ageInMinutes, bootId, lives, processIn, sleptSeconds } from "./attempt-process.ts";
import { endProcessesOf } from "./end-attempt.ts";
import { startAttempt } from "./start-attempt.ts";
import { impostor, newSpec, run, SAYS_DONE, SAYS_INIT, watch } from "./test-kit/attempt.ts";
import { watchAttempt } from "./watch-attempt.ts";

it.skipIf(bootId() === undefined)(
  "after a restart of the machine an attempt is over, whoever has its number and start time now",
  async () => {
    const spec = impostor(`${SAYS_INIT}; sleep 60`);
    await startAttempt(spec);
    const own = processIn(spec.folder);
    expect(own).toMatchObject({ boot: bootId() });
    // Somebody else's process that has everything in common but the start of the machine.
    const other = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
    onTestFinished(() => void other.kill("SIGKILL"));
    const pid = other.pid ?? 0;
    const { pid: file } = attemptFiles(spec.folder);
    await endProcessesOf(spec);
    writeFileSync(file, `${pid} ${processStart(pid)} 00000000-0000-0000-0000-000000000000\n`);
    const named = processIn(spec.folder);
    expect(named && lives(named)).toBe(false);
    expect(await watch(spec)).toMatchObject({ kind: "failed" });
    expect(processStart(pid)).toBeDefined();
  },
);

it.skipIf(bootId() === undefined)(
  "the time in which the machine slept counts for no budget of an attempt",
  async () => {
    const seconds = uptime() / 2;
    const start = String(Math.round((uptime() - seconds) * 100));
    const since = (slept: number) => ageInMinutes({ pid: 1, processStart: start, slept });
    expect(since(sleptSeconds())).toBeCloseTo(seconds / 60, 1);
    expect(since(sleptSeconds() - seconds / 2)).toBeCloseTo(seconds / 120, 1);
    expect(since(sleptSeconds() - seconds)).toBeCloseTo(0, 1);
    const spec = impostor(`${SAYS_INIT}; ${SAYS_DONE}`);
    await run(spec);
    expect(processIn(spec.folder)?.slept).toBeCloseTo(sleptSeconds(), 0);
  },
);

it("an attempt whose process cannot be looked up for a moment goes on", async () => {
  const spec = impostor(`${SAYS_INIT}; sleep 2; ${SAYS_DONE}`);
  await startAttempt(spec);
  const watching = watch(spec);
  await sleep(300);
  const { pid } = attemptFiles(spec.folder);
  renameSync(pid, `${pid}.away`);
  await sleep(300);
  renameSync(`${pid}.away`, pid);
  expect(await watching).toEqual({ kind: "finished", text: "All done." });
});

it.skipIf(process.platform !== "linux")(
  "an agent whose daemon was killed before it could name it does not work beside the next one",
  async () => {
    const spec = impostor(`${SAYS_INIT}; sleep 60`);
    const { pid: first } = await startAttempt(spec);
    rmSync(attemptFiles(spec.folder).pid);
    const second = await startAttempt(spec);
    expect(second.pid).not.toBe(first);
    expect(processStart(first)).toBeUndefined();
    expect(lives(second)).toBe(true);
    await endProcessesOf(spec);
  },
);

it("a gigabyte of output is ended early, and the disk gets it back", async () => {
  const spec = impostor(`${SAYS_INIT}; head -c 1000000000 /dev/zero | tr '\\0' x; ${SAYS_DONE}`);
  await startAttempt(spec);
  const end = await watchAttempt(spec, {
    signal: new AbortController().signal,
    onEvent: () => {},
    floodBytes: 64 * 2 ** 20,
  });
  expect(end).toMatchObject({ kind: "failed", reason: expect.stringContaining("64 MB") });
  expect(statSync(attemptFiles(spec.folder).stdout).size).toBeLessThanOrEqual(2 ** 20);
});

it("a result of 100 MB in one line is passed over, and the attempt says that there is none", async () => {
  const spec = impostor(
    `${SAYS_INIT}; printf '{"type":"result","subtype":"success","result":"'; head -c 100000000 /dev/zero | tr '\\0' x; echo '"}'`,
  );
  const before = process.memoryUsage().arrayBuffers;
  const { end } = await run(spec);
  expect(end).toMatchObject({ kind: "failed" });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20);
});

it("a clock that is set back or forward ends no attempt", async () => {
  const spec = impostor(`${SAYS_INIT}; sleep 1; ${SAYS_DONE}`, {
    stallMinutes: 1,
    budget: { minutes: 5 },
  });
  const real = Date.now;
  onTestFinished(() => {
    Date.now = real;
  });
  let far = 0;
  Date.now = () => real() + far;
  const jumping = setInterval(() => {
    far = far > 0 ? -86_400_000 : 86_400_000;
  }, 50);
  onTestFinished(() => clearInterval(jumping));
  expect((await run(spec)).end).toEqual({ kind: "finished", text: "All done." });
});

it("an attempt whose folder cannot be written is not started", async () => {
  const spec = newSpec();
  writeFileSync(spec.folder, "no folder\n");
  await expect(startAttempt(spec)).rejects.toThrow();
  expect(existsSync(join(spec.folder, "pid"))).toBe(false);
  expect(readFileSync(spec.folder, "utf8")).toBe("no folder\n");
});
