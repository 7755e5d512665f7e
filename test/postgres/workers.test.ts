import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { showRun, startRun, workForPools } from "../../src/crew/index.ts";
import {
  type DaemonPaths,
  daemonPaths,
  daemonStatus,
  launchDaemon,
  stopDaemon,
} from "../../src/daemon/index.ts";
import { builtFile } from "../../src/settings/index.ts";
import { PostgresServer } from "./server.ts";
import { SilentProxy } from "./silent-proxy.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.remove());

interface Machine {
  readonly paths: DaemonPaths;
  kill(): Promise<void>;
}

const IDS = ["a", "b", "c", "d"];

/** A machine is a home of its own: its own daemon, its own clone of the repository, its own worktrees. */
async function machine(root: string, name: string, settings: object): Promise<Machine> {
  const home = join(root, name, "seam");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(home, "settings.json"), JSON.stringify({ crew: { name, ...settings } }));
  write(
    join(home, "crew/agents/walker.md"),
    "---\nname: walker\ndescription: walks\naccess: write\n---\n\nWalk.\n",
  );
  const tasks = IDS.map((id) => {
    const script = join(root, `${id}.json`);
    const call = { name: "write", arguments: { path: `${id}.txt`, content: `${id}\n` } };
    write(script, JSON.stringify([{ toolCalls: [call] }, { text: "Done.", delayMs: 1_500 }]));
    const after = id === "d" ? "dependsOn: a, b, c\n" : "";
    return `## ${id}\nrole: walker\nagent: seam:scripted:${script}\n${after}verify: test -f ${id}.txt\n\nWrite ${id}.txt.\n`;
  });
  const head = "---\nname: walk\ndescription: walks\nmaxConcurrency: 3\n---\n\n";
  write(join(home, "crew/workflows/walk.workflow.md"), head + tasks.join("\n"));
  const paths = daemonPaths(home);
  const before = { SEAM_HOME: process.env.SEAM_HOME, HOME: process.env.HOME };
  Object.assign(process.env, { SEAM_HOME: home, HOME: join(root, name) });
  await launchDaemon(paths);
  Object.assign(process.env, before);
  const kill = async () => {
    const pid = (await daemonStatus(paths))?.pid;
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  };
  return { paths, kill };
}

function repository(root: string): { project: string; remote: string } {
  const project = join(root, "project");
  const remote = join(root, "remote.git");
  mkdirSync(project);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "ignore" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Walk");
  git("config", "user.email", "walk@localhost");
  writeFileSync(join(project, "README.md"), "# Walk\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Start");
  git("init", "--quiet", "--bare", remote);
  return { project, remote };
}

it("two machines do a run together, and one of them is killed in the middle", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "workers-")));
  const { project, remote } = repository(root);
  const settings = { database: await server.database(), remote, leaseSeconds: 4, atOnce: 2 };
  const one = await machine(root, "one", settings);
  const two = await machine(root, "two", settings);
  try {
    await workForPools(two.paths, ["p"]);
    const request = { workflow: "walk", goal: "Walk.", cwd: project, pool: "p" };
    const { run } = await startRun(one.paths, request);
    const look = () => showRun(one.paths, run.id);
    let report = await look();
    const atWork = () => report.attempts.filter(({ worker, pid }) => worker === "two" && pid);
    while (atWork().length === 0 && report.run.endedAt === undefined) {
      await sleep(50);
      report = await look();
    }
    const pids = atWork().map(({ pid = 0 }) => pid);
    expect(pids.length).toBeGreaterThan(0);
    await workForPools(one.paths, ["p"]);
    await two.kill();
    for (const pid of pids) process.kill(-pid, "SIGKILL");
    // It may have begun another one before it was killed.
    report = await look();
    const cut = report.attempts.filter(({ worker, end }) => worker === "two" && !end).length;
    while (report.run.endedAt === undefined) {
      await sleep(100);
      report = await look();
    }
    expect(report.run.state).toBe("done");
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: project, encoding: "utf8" });
    const files = git("ls-tree", "--name-only", run.target).split("\n");
    expect(IDS.filter((id) => !files.includes(`${id}.txt`))).toEqual([]);
    const subjects = git("log", "--format=%s", run.target).split("\n");
    expect(subjects.filter((text) => text.startsWith("Merge task")).length).toBe(IDS.length);
    // What was taken over is a new attempt, and the old one says so.
    expect(report.attempts.length).toBe(IDS.length + cut);
    const lost = report.attempts.filter(
      ({ worker, end }) => worker === "two" && end?.kind === "ended",
    );
    expect(lost.length).toBe(cut);
    // Everything is where the user said, and nothing else is.
    const refs = execFileSync("git", ["for-each-ref", "--format=%(refname)"], {
      cwd: remote,
      encoding: "utf8",
    });
    expect(
      refs
        .trim()
        .split("\n")
        .every((ref) => /^refs\/heads\/seam\//.test(ref)),
    ).toBe(true);
  } finally {
    await stopDaemon(one.paths).catch(() => {});
    await stopDaemon(two.paths).catch(() => {});
  }
});

/** The command by which a machine joins, as somebody at a terminal leaves it running. */
function joined({ paths: { home } }: Machine): ChildProcess {
  const args = [builtFile("bin/seam.js"), "crew", "worker", "--pool", "p"];
  const env = { ...process.env, SEAM_HOME: home, HOME: dirname(home) };
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** What an attempt has started and still runs, by the mark in its environment. */
function processesOf(attempt: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      return environment.includes(`SEAM_CREW_ATTEMPT=${attempt}`);
    } catch {
      // It has ended.
      return false;
    }
  });
}

it("a worker that the command joined is killed in the middle of a task: another does it, it is merged once, and nothing of it is left", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "joined-")));
  const { project, remote } = repository(root);
  const settings = { database: await server.database(), remote, leaseSeconds: 4, atOnce: 2 };
  const one = await machine(root, "one", settings);
  const two = await machine(root, "two", settings);
  const taken = join(root, "taken");
  const command = `mkdir ${taken} || exit 0; exec sleep 331`;
  const calls = [
    { name: "bash", arguments: { command } },
    { name: "write", arguments: { path: "a.txt", content: "a\n" } },
  ];
  const turns = [...calls.map((call) => ({ toolCalls: [call] })), { text: "Done." }];
  writeFileSync(join(root, "a.json"), JSON.stringify(turns));
  try {
    const first = joined(two);
    const request = { workflow: "walk", goal: "Walk.", cwd: project, pool: "p" };
    const { run } = await startRun(one.paths, request);
    while (!existsSync(taken)) await sleep(50);
    first.kill("SIGKILL");
    await two.kill();
    joined(one);
    let report = await showRun(one.paths, run.id);
    while (report.run.endedAt === undefined) {
      await sleep(200);
      report = await showRun(one.paths, run.id);
    }
    expect(report.run.state).toBe("done");
    const tries = report.attempts.filter(({ task }) => task === "a");
    expect(tries.map(({ worker, end }) => [worker, end?.kind])).toEqual([
      ["two", "ended"],
      ["one", "finished"],
    ]);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: project, encoding: "utf8" }).trim().split("\n");
    const merges = git("log", "--format=%s", run.target).filter((text) => /^Merge task/.test(text));
    expect(merges.map((text) => text.slice(11, 12)).sort()).toEqual(IDS);
    // Nobody has told its agent, which would sleep on.
    expect(processesOf(`${run.id}.a.1`)).not.toEqual([]);
    joined(two);
    while (processesOf(`${run.id}.a.1`).length > 0) await sleep(100);
  } finally {
    await stopDaemon(one.paths).catch(() => {});
    await stopDaemon(two.paths).catch(() => {});
  }
});

it("a machine that is cut off loses its tasks to the other one, and comes back without doing them twice", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cut-off-")));
  const { project, remote } = repository(root);
  const database = await server.database();
  const { proxy, url } = await SilentProxy.before(database);
  const settings = { remote, leaseSeconds: 4, atOnce: 2 };
  const one = await machine(root, "one", { ...settings, database });
  const two = await machine(root, "two", { ...settings, database: url });
  try {
    await workForPools(two.paths, ["p"]);
    const request = { workflow: "walk", goal: "Walk.", cwd: project, pool: "p" };
    const { run } = await startRun(one.paths, request);
    const look = () => showRun(one.paths, run.id);
    let report = await look();
    const until = async (isSo: () => boolean) => {
      while (!isSo()) {
        await sleep(50);
        report = await look();
      }
    };
    await until(() => report.attempts.some(({ worker, pid }) => worker === "two" && pid));
    proxy.silence();
    await workForPools(one.paths, ["p"]);
    await until(() => report.run.endedAt !== undefined);
    expect(report.run.state).toBe("done");
    const merges = execFileSync("git", ["log", "--format=%s", run.target], {
      cwd: project,
      encoding: "utf8",
    });
    const count = merges.split("\n").filter((text) => text.startsWith("Merge task")).length;
    expect(count).toBe(IDS.length);
    const doneBy = report.attempts.filter(({ end }) => end?.kind === "finished");
    expect(doneBy.length).toBe(IDS.length);
    // The one that was cut off finds its way back by itself, and takes part in the next run.
    proxy.heal();
    await workForPools(one.paths, []);
    const next = await startRun(one.paths, request);
    do {
      await sleep(100);
      report = await showRun(one.paths, next.run.id);
    } while (report.run.endedAt === undefined);
    expect(report.run.state).toBe("done");
    expect(report.attempts.every(({ worker }) => worker === "two")).toBe(true);
  } finally {
    proxy.close();
    await stopDaemon(one.paths).catch(() => {});
    await stopDaemon(two.paths).catch(() => {});
  }
});

it("a database that is gone before a run and in the middle of it costs time and nothing else", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gone-")));
  const { project, remote } = repository(root);
  const own = await PostgresServer.start();
  const settings = { database: await own.database(), remote, leaseSeconds: 4, atOnce: 2 };
  await own.down();
  const one = await machine(root, "one", settings);
  try {
    const request = { workflow: "walk", goal: "Walk.", cwd: project };
    await expect(startRun(one.paths, request)).rejects.toMatchObject({
      code: "SEAM_CREW_DATABASE",
    });
    await own.up();
    const { run } = await startRun(one.paths, request);
    let report = await showRun(one.paths, run.id);
    while (!report.attempts.some(({ pid }) => pid !== undefined)) {
      await sleep(50);
      report = await showRun(one.paths, run.id);
    }
    await own.down();
    // Longer than the agents that work take, and than the lease.
    await sleep(6_000);
    await own.up();
    while (report.run.endedAt === undefined) {
      await sleep(200);
      report = await showRun(one.paths, run.id).catch(() => report);
    }
    expect(report.run.state).toBe("done");
    expect(report.attempts.length).toBe(IDS.length);
    const merges = execFileSync("git", ["log", "--format=%s", run.target], {
      cwd: project,
      encoding: "utf8",
    });
    const count = merges.split("\n").filter((text) => text.startsWith("Merge task")).length;
    expect(count).toBe(IDS.length);
  } finally {
    await stopDaemon(one.paths).catch(() => {});
    await own.remove();
  }
});
