import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { exec } from "./exec.ts";
import { load, tempDir } from "./test-kit/index.ts";

const NODE = process.execPath;

/** A program that runs `script` and then waits to be killed. */
function untilReady(script: string) {
  const marker = join(tempDir(), "ready");
  const whole = `${script} setInterval(() => {}, 1000); fs.writeFileSync(${JSON.stringify(marker)}, "");`;
  const aborting = new AbortController();
  const running = exec(NODE, ["-e", whole], tempDir(), { signal: aborting.signal });
  const ready = vi.waitUntil(() => existsSync(marker), { timeout: 10_000 });
  return { ready, running, abort: () => aborting.abort() };
}

describe("exec", () => {
  it("gives back what the program wrote and its exit code", async () => {
    const script =
      "process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 3;";
    const result = await exec(NODE, ["-e", script], tempDir());
    expect(result).toEqual({ stdout: "out", stderr: "err", code: 3, killed: false });
  });

  it("does not go through a shell", async () => {
    const { stdout } = await exec("echo", ["$HOME; ls"], tempDir());
    expect(stdout).toBe("$HOME; ls\n");
  });

  it("keeps characters whole that arrive in pieces", async () => {
    const script =
      "process.stdout.write(Buffer.from([0xe2, 0x82])); setTimeout(() => process.stdout.write(Buffer.from([0xac])), 30);";
    const { stdout } = await exec(NODE, ["-e", script], tempDir());
    expect(stdout).toBe("€");
  });

  it("runs in the folder of the session, or in the one it is told", async () => {
    const [one, other] = [tempDir(), tempDir()];
    expect((await exec("pwd", [], one)).stdout).toBe(`${one}\n`);
    expect((await exec("pwd", [], one, { cwd: other })).stdout).toBe(`${other}\n`);
  });

  it("gives the program nothing to wait for on stdin", async () => {
    expect(await exec("cat", [], tempDir())).toMatchObject({ stdout: "", code: 0 });
  });

  it("of a program that is not there is code 1 with the reason", async () => {
    const result = await exec("no-such-program", [], tempDir());
    expect(result).toMatchObject({ code: 1, stdout: "", killed: false });
    expect(result.stderr).toContain("ENOENT");
  });

  it("of a file that cannot be executed is code 1 with the reason", async () => {
    const file = join(tempDir(), "data.txt");
    writeFileSync(file, "text");
    const result = await exec(file, [], tempDir());
    expect(result).toMatchObject({ code: 1 });
    expect(result.stderr).toContain("EACCES");
  });

  it("in a folder that is none is code 1 with the reason", async () => {
    const file = join(tempDir(), "file");
    writeFileSync(file, "");
    const result = await exec("echo", [], tempDir(), { cwd: file });
    expect(result).toMatchObject({ code: 1 });
    expect(result.stderr).toContain("ENOTDIR");
  });

  it("kills a program that takes too long", async () => {
    const result = await exec("sleep", ["60"], tempDir(), { timeout: 50 });
    expect(result).toMatchObject({ killed: true, code: 143 });
  });

  it("keeps what a killed program had written", async () => {
    const { ready, running, abort } = untilReady("console.log('early');");
    await ready;
    abort();
    expect(await running).toMatchObject({ killed: true, stdout: "early\n" });
  });

  it("kills the program on abort", async () => {
    const aborting = new AbortController();
    const running = exec("sleep", ["60"], tempDir(), { signal: aborting.signal });
    aborting.abort();
    expect(await running).toMatchObject({ killed: true });
  });

  it("does not let a program run whose signal was aborted before", async () => {
    const marker = join(tempDir(), "marker");
    const result = await exec("sh", ["-c", `sleep 0.2; touch ${marker}`], tempDir(), {
      signal: AbortSignal.abort(),
    });
    expect(result.killed).toBe(true);
    expect(existsSync(marker)).toBe(false);
  });

  it("kills with force what does not listen", async () => {
    const { ready, running, abort } = untilReady("process.on('SIGTERM', () => {});");
    await ready;
    abort();
    expect(await running).toMatchObject({ killed: true });
  });

  it("does not wait for what a killed program has started itself", async () => {
    const marker = join(tempDir(), "marker");
    const script = `(sleep 4; touch ${marker}) & wait`;
    const result = await exec("sh", ["-c", script], tempDir(), { timeout: 100 });
    expect(result.killed).toBe(true);
    expect(existsSync(marker)).toBe(false);
  });
});

it("pi.exec runs in the folder of the session", async () => {
  const { seen, dir } = await load({
    "a.ts": "export default async (pi) => { seen.push((await pi.exec('pwd', [])).stdout); };",
  });
  expect(seen).toEqual([`${dir}\n`]);
});
