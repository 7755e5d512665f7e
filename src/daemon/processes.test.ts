import { spawnSync } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFull, sampled } from "../../test/setup/sample.ts";
import { isRunning } from "../files/index.ts";
import { daemonStatus, stopDaemon } from "./connection.ts";
import { type ProcessPlace, processPlace } from "./test-kit/processes.ts";
import { runHook, startHook, until } from "./test-kit/setup.ts";

const NOTHING = { code: 0, stdout: "", stderr: "" };
const CLAUDE = { agent: "claude-code", keeps: true } as const;

const claudeHook = (place: ProcessPlace, hook: string, payload: object) =>
  runHook(place, hook, payload, CLAUDE);

/** A hook of Claude Code as it was seen on the real program. */
function seen(place: ProcessPlace, name: string, changes: object = {}): object {
  const path = join(import.meta.dirname, "test-kit/claude", `${name}.json`);
  return { ...JSON.parse(readFileSync(path, "utf8")), cwd: place.project, ...changes };
}

function withShipped(place: ProcessPlace, ...names: string[]): void {
  for (const name of names) {
    const code = readFileSync(join(import.meta.dirname, `../../extensions/${name}.ts`), "utf8");
    place.write({ [`extensions/${name}.ts`]: code });
  }
}

it("the first hook starts the daemon, and unchanged extensions stop Claude Code", async () => {
  const place = processPlace();
  withShipped(place, "protected-paths", "permission-gate");
  const write = (file_path: string) =>
    claudeHook(
      place,
      "PreToolUse",
      seen(place, "PreToolUse.Write", { tool_input: { file_path, content: "x" } }),
    );
  const env = await write(join(place.project, ".env"));
  expect(env).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(env.stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining(".env is protected"),
    },
  });
  expect(await write(join(place.project, "notes.txt"))).toEqual(NOTHING);
  const tool_input = { command: "rm -rf build" };
  const bash = await claudeHook(
    place,
    "PreToolUse",
    seen(place, "PreToolUse.Bash", { tool_input }),
  );
  // This one leaves it to the user, in Claude Code's own dialog.
  expect(JSON.parse(bash.stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: "ask",
    permissionDecisionReason: '"rm -rf build" deletes whole folders.',
  });
  for (const name of ["SessionStart.startup", "UserPromptSubmit", "PostToolUse.Bash", "Stop"]) {
    const hook = name.split(".")[0] ?? "";
    expect(await claudeHook(place, hook, seen(place, name))).toEqual(NOTHING);
  }
  await until(() => place.recorded().length === 7);
  expect(place.starts()).toBe(1);
}, 60_000);

const CLIENTS: readonly [string, boolean][] = [
  ["compiled", true],
  ["shell's", false],
];
it.each(CLIENTS)(
  "twenty hooks at once of the %s client start one daemon, and all are answered",
  async (_, native) => {
    const place = processPlace({ native });
    withShipped(place, "permission-gate");
    const hooks = Array.from({ length: 20 }, (_, n) =>
      claudeHook(
        place,
        "PreToolUse",
        seen(place, "PreToolUse.Bash", {
          session_id: `s${n % 3}`,
          tool_use_id: `t${n}`,
          tool_input: { command: "sudo ls" },
        }),
      ),
    );
    for (const end of await Promise.all(hooks)) expect(end.stdout).toContain("runs as root");
    expect(place.starts()).toBe(1);
    await until(() => place.recorded().length === 20);
  },
  60_000,
);

it.each(sampled(CLIENTS, "shell's"))(
  "a clock that was set back keeps the %s client from starting no daemon",
  async (_, native) => {
    const place = processPlace({ native });
    withShipped(place, "permission-gate");
    const tomorrow = new Date(Date.now() + 24 * 3_600_000);
    writeFileSync(place.failed, "");
    utimesSync(place.failed, tomorrow, tomorrow);
    const call = seen(place, "PreToolUse.Bash", { tool_input: { command: "sudo ls" } });
    expect((await claudeHook(place, "PreToolUse", call)).stdout).toContain("runs as root");
    expect(place.starts()).toBe(1);
  },
  60_000,
);

inFull(
  "a gate waits for a daemon that takes long to start, whatever gave up before",
  async () => {
    const clients = [true, false].map(async (native) => {
      const place = processPlace({ native });
      withShipped(place, "permission-gate");
      await claudeHook(place, "SessionStart", seen(place, "SessionStart.startup"));
      await stopDaemon(place);
      const program = join(place.home, "daemon.mjs");
      const slow = "await new Promise((up) => setTimeout(up, 14_000));";
      writeFileSync(program, `${slow}\n${readFileSync(program, "utf8")}`);
      // What nobody decides on stays in the spool, and leaves the start to those who need it.
      expect(await claudeHook(place, "Stop", seen(place, "Stop"))).toEqual(NOTHING);
      expect([existsSync(place.failed), place.starts()]).toEqual([false, 1]);
      const tool_input = { command: "rm -rf build" };
      const call = seen(place, "PreToolUse.Bash", { tool_input });
      expect((await claudeHook(place, "PreToolUse", call)).stdout).toContain(
        "deletes whole folders",
      );
      expect(place.starts()).toBe(2);
      await until(() => place.recorded().length === 3);
    });
    await Promise.all(clients);
  },
  120_000,
);

it("two SIGKILLs while hooks pour in: nothing accepted is lost, nothing is recorded twice, and nothing recorded stays in the journal", async () => {
  const place = processPlace();
  const said = "only the record may know this";
  const [processes, each] = [10, 20];
  let answered = 0;
  const one = async (sender: number) => {
    for (let n = 0; n < each; n++) {
      const payload = seen(place, "Stop", { session_id: `s${sender}`, n, said });
      expect(await claudeHook(place, "Stop", payload)).toEqual(NOTHING);
      answered++;
    }
  };
  const all = Promise.all(Array.from({ length: processes }, (_, sender) => one(sender)));
  for (const share of [1 / 4, 1 / 2]) {
    await until(() => answered >= share * processes * each, 60_000);
    await place.kill("SIGKILL");
  }
  await all;
  const total = processes * each;
  await until(() => place.recorded().length >= total, 30_000);
  await until(() => existsSync(place.socket));
  await stopDaemon(place);
  const lines = place.recorded().map((line) => line.split(" "));
  expect(lines).toHaveLength(total);
  expect(new Set(lines.map(([seq]) => seq)).size).toBe(total);
  expect(new Set(lines.map(([, id]) => id)).size).toBe(total);
  expect(place.starts()).toBeGreaterThanOrEqual(3);
  for (const name of readdirSync(place.journal)) {
    expect(readFileSync(join(place.journal, name), "utf8")).not.toContain(said);
  }
  expect(readdirSync(place.spool)).toEqual([]);
}, 180_000);

/** Tries to remove a folder into which somebody may be writing. */
function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

describe("a daemon", () => {
  const SLOW = `export default (pi) => pi.on("tool_call", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { block: true, reason: "slow no" };
  });`;

  it("that is told to end answers what is under way first", async () => {
    const place = processPlace();
    place.write({ "extensions/slow.ts": SLOW });
    await claudeHook(place, "SessionStart", seen(place, "SessionStart.startup"));
    const pid = place.runs() ?? 0;
    const asked = claudeHook(place, "PreToolUse", seen(place, "PreToolUse.Bash"));
    await until(() => readFileSync(place.cursor, "utf8") !== "" && hasCall(place));
    process.kill(pid, "SIGTERM");
    expect((await asked).stdout).toContain("slow no");
    await until(() => place.runs() === undefined);
    expect(existsSync(place.socket)).toBe(false);
    expect(place.recorded()).toHaveLength(2);
  }, 60_000);

  it("ends when it has nothing to do, and comes back with the next hook", async () => {
    const place = processPlace();
    place.write({ "settings.json": '{ "daemonIdleMinutes": 0.01 }' });
    for (const starts of [1, 2]) {
      expect(await claudeHook(place, "Stop", seen(place, "Stop"))).toEqual(NOTHING);
      expect(place.starts()).toBe(starts);
      await until(() => place.runs() === undefined);
      expect(existsSync(place.socket)).toBe(false);
    }
    expect(place.recorded()).toHaveLength(2);
  }, 60_000);

  it("that was killed leaves a socket that stops nobody", async () => {
    const place = processPlace();
    await claudeHook(place, "Stop", seen(place, "Stop"));
    await place.kill("SIGKILL");
    expect(statSync(place.socket).isSocket()).toBe(true);
    await claudeHook(place, "Stop", seen(place, "Stop"));
    expect(await daemonStatus(place)).toMatchObject({ pid: place.runs() });
    await until(() => place.recorded().length === 2);
  }, 60_000);

  it("comes back also if all its files were removed under it", async () => {
    const place = processPlace();
    await claudeHook(place, "Stop", seen(place, "Stop"));
    const first = place.runs() ?? 0;
    await until(() => isRemoved(place.run));
    expect(await claudeHook(place, "Stop", seen(place, "Stop"))).toEqual(NOTHING);
    expect(place.runs()).not.toBe(first);
    await until(() => !isRunning(first));
    expect(await daemonStatus(place)).toMatchObject({ pid: place.runs() });
    expect(statSync(place.run).mode & 0o777).toBe(0o700);
  }, 60_000);

  it("writes its client again when somebody has changed or removed it, and says so", async () => {
    const place = processPlace();
    await claudeHook(place, "Stop", seen(place, "Stop"));
    const client = readFileSync(place.hook);
    const isBack = () => existsSync(place.hook) && readFileSync(place.hook).equals(client);
    await until(() => place.logged().includes("the daemon runs"));
    writeFileSync(place.hook, "#!/bin/sh\nexit 0\n");
    await until(isBack);
    rmSync(place.hook);
    await until(isBack);
    const status = await daemonStatus(place);
    expect(status?.clientRepairs.map(({ files }) => files)).toEqual([["hook"], ["hook"]]);
    expect(place.logged()).toContain("the hook client was changed or removed");
    // Also one that was changed while there was no daemon.
    await stopDaemon(place);
    writeFileSync(join(place.bin, "ring.pl"), "exit 100;");
    await claudeHook(place, "Stop", seen(place, "Stop"));
    await until(() => !readFileSync(join(place.bin, "ring.pl"), "utf8").startsWith("exit"));
  }, 60_000);

  it.each([
    ["compiled", true],
    ["shell's", false],
  ])(
    "that the %s client starts writes files as the user would, and its own for the user alone",
    async (_, native) => {
      const place = processPlace({ native });
      const script = readFileSync(join(place.home, "daemon.mjs"), "utf8");
      const tellMask = 'appendFileSync(process.env.SEAM_HOME + "/mask", String(process.umask()));';
      writeFileSync(
        join(place.home, "daemon.mjs"),
        script.replace("await serve", `${tellMask}\n$&`),
      );
      const command = `umask 0026; exec "${place.hook}" claude-code Stop`;
      const input = JSON.stringify(seen(place, "Stop"));
      const env = { PATH: process.env.PATH, SEAM_HOME: place.home };
      expect(spawnSync("/bin/sh", ["-c", command], { input, env }).status).toBe(0);
      await until(() => place.recorded().length === 1);
      expect(readFileSync(join(place.home, "mask"), "utf8")).toBe(String(0o026));
      for (const folder of [place.run, place.spool, place.journal, place.bin]) {
        expect(statSync(folder).mode & 0o777).toBe(0o700);
      }
      const own = readdirSync(place.run, { withFileTypes: true }).filter((one) => one.isFile());
      for (const { name } of own) {
        expect([name, statSync(join(place.run, name)).mode & 0o077]).toEqual([name, 0]);
      }
    },
    60_000,
  );

  it("is started for a plugin that asks for it", async () => {
    const place = processPlace();
    const { child, ended } = startHook(place, "", { agent: "--start" });
    child.stdin?.end();
    expect(await ended).toEqual(NOTHING);
    expect(await daemonStatus(place)).toBeDefined();
  }, 60_000);

  it("that cannot be started is waited for once, and not again for a while", async () => {
    const place = processPlace();
    writeFileSync(join(place.home, "daemon.mjs"), "process.exit(1);");
    expect(await claudeHook(place, "Stop", seen(place, "Stop"))).toEqual(NOTHING);
    expect(existsSync(place.failed)).toBe(true);
    writeFileSync(join(place.home, "daemon.mjs"), "throw new Error('started again');");
    expect(await claudeHook(place, "Stop", seen(place, "Stop"))).toEqual(NOTHING);
    expect(place.logged()).not.toContain("started again");
  }, 60_000);
});

/** The call is in the journal: the daemon is at work on it. */
function hasCall(place: ProcessPlace): boolean {
  const journal = join(place.journal, "0000000000000001.jsonl");
  return readFileSync(journal, "utf8").includes('"hook":"PreToolUse"');
}
