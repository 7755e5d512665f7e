import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isGroupAlive } from "./process-group.ts";
import { runProgram } from "./run-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-program-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function sh(script: string, timeoutMs = 60_000) {
  const env = { PATH: process.env.PATH ?? "" };
  const logs = join(folder, "logs");
  return runProgram({ command: "sh", args: ["-c", script], cwd: folder, env, timeoutMs, logs });
}

/** The shell leads the group of all that it starts. */
function anyoneLeft(): boolean {
  return isGroupAlive(Number(readFileSync(join(folder, "group"), "utf8")));
}

describe("a program that is run", () => {
  it("is reported with its code and with what it printed", async () => {
    const exit = await sh("echo out; echo err >&2; exit 3");
    expect(exit).toEqual({
      code: 3,
      signal: null,
      timedOut: false,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it("hears an end of input at once", async () => {
    expect(await sh("cat; echo through")).toMatchObject({ code: 0, stdout: "through\n" });
  });

  it("is ended with its children when it takes too long", async () => {
    const exit = await sh("echo $$ > group; sleep 100 & wait", 500);
    expect(exit).toMatchObject({ timedOut: true, code: null, signal: "SIGTERM" });
    expect(anyoneLeft()).toBe(false);
  });

  it("leaves no child behind, even one that will not go", async () => {
    const exit = await sh("echo $$ > group; trap '' TERM; (sleep 100; sleep 100) &");
    expect(exit.code).toBe(0);
    expect(anyoneLeft()).toBe(false);
  });

  it("may finish in the background what it began, for a moment", async () => {
    await sh("(sleep 0.3; echo later > late) &");
    expect(readFileSync(join(folder, "late"), "utf8")).toBe("later\n");
  });

  it("fails with a reason if it does not exist", async () => {
    const logs = join(folder, "logs");
    const run = { command: join(folder, "none"), args: [], cwd: folder, env: {}, logs };
    await expect(runProgram({ ...run, timeoutMs: 1000 })).rejects.toThrow("ENOENT");
  });
});
