import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Libsql from "libsql";
import { type RunReport, showRun, startRun } from "../../src/crew/index.ts";
import { type DaemonPaths, daemonPaths, daemonStatus, stopDaemon } from "../../src/daemon/index.ts";

/** What is done to the processes of a run at every step that it makes. */
export type Fault = "daemon" | "agent" | "both" | "stop" | "sleep";

interface Options {
  readonly fault: Fault;
  /** At which of the steps it begins, and at which it goes on: the first and all of them unless it is said. */
  readonly first?: number;
  readonly every?: number;
  readonly most?: number;
  readonly leaseSeconds?: number;
}

/** What was left of a run after all that. */
export interface Walked {
  readonly state: string;
  readonly faults: number;
  readonly starts: number;
  /** Files of tasks that are not on the run's branch. */
  readonly lost: readonly string[];
  /** How often each task was merged. */
  readonly merges: Readonly<Record<string, number>>;
  /** Processes of the run that are still there. */
  readonly left: readonly string[];
  readonly report: RunReport;
}

/** Six tasks: two at once, two at once upon them, one upon those, and a last one. */
const TASKS: Readonly<Record<string, readonly string[]>> = {
  a: [],
  b: [],
  c: ["a"],
  d: ["a", "b"],
  e: ["c", "d"],
  f: ["e"],
};

export async function walk(options: Options): Promise<Walked> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "walk-")));
  const home = join(root, "seam");
  const project = join(root, "project");
  prepare(root, home, project, options.leaseSeconds ?? 30);
  const paths = daemonPaths(home);
  const before = { SEAM_HOME: process.env.SEAM_HOME, HOME: process.env.HOME };
  Object.assign(process.env, { SEAM_HOME: home, HOME: root });
  try {
    const { run } = await startRun(paths, { workflow: "walk", goal: "Walk.", cwd: project });
    const faults = await disturb(paths, home, run.id, options);
    const report = await showRun(paths, run.id);
    const left = processesOf(run.id);
    return { ...inspect(project, report), faults, left, report };
  } finally {
    await stopDaemon(paths).catch(() => {});
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(root, { recursive: true, force: true });
  }
}

function prepare(root: string, home: string, project: string, leaseSeconds: number): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(project, "README.md"), "# Walk\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "ignore" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Walk");
  git("config", "user.email", "walk@localhost");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Start");
  write(join(home, "settings.json"), JSON.stringify({ crew: { leaseSeconds } }));
  const sections = Object.entries(TASKS).map(([id, after]) => {
    const script = join(root, `${id}.json`);
    const call = { name: "write", arguments: { path: `${id}.txt`, content: `${id}\n` } };
    write(
      script,
      JSON.stringify([
        { toolCalls: [call], delayMs: 200 },
        { text: "Done.", delayMs: 200 },
      ]),
    );
    const depends = after.length > 0 ? `dependsOn: ${after.join(", ")}\n` : "";
    return `## ${id}\nrole: walker\nagent: seam:scripted:${script}\n${depends}verify: test -f ${id}.txt\n\nWrite ${id}.txt.\n`;
  });
  const head = "---\nname: walk\ndescription: walks\nmaxConcurrency: 2\n---\n\n";
  write(join(home, "crew/workflows/walk.workflow.md"), head + sections.join("\n"));
  const role = "---\nname: walker\ndescription: walks\naccess: write\n---\n\nWalk.\n";
  write(join(home, "crew/agents/walker.md"), role);
}

/** Does its worst at every step until the run is over; returns how often. */
async function disturb(
  paths: DaemonPaths,
  home: string,
  run: string,
  { fault, first = 1, every = 1, most = Number.POSITIVE_INFINITY, leaseSeconds = 30 }: Options,
): Promise<number> {
  const database = new Libsql(join(home, "crew/crew.db"), { timeout: 5_000 });
  // An agent that was started is a boundary too, though no step ends there.
  const count = () =>
    numberIn(
      database,
      "SELECT (SELECT count(*) FROM engine_steps WHERE status = 'completed') + (SELECT count(*) FROM crew_attempts WHERE json_extract(data, '$.pid') IS NOT NULL) AS n",
    );
  const isOver = () =>
    numberIn(
      database,
      "SELECT count(*) AS n FROM crew_runs WHERE state NOT IN ('running', 'waiting')",
    ) > 0;
  const hit = new Set<string>();
  let faults = 0;
  let next = first;
  try {
    while (!isOver()) {
      await sleep(3);
      if (count() < next || faults >= most) continue;
      next = count() + every;
      const agents = fault === "agent" || fault === "both" ? killAgents(database, hit) : 0;
      if (fault === "agent" && agents === 0) continue;
      faults++;
      if (fault === "agent") continue;
      const pid = (await daemonStatus(paths))?.pid;
      if (pid === undefined) continue;
      if (fault === "stop" || fault === "sleep") {
        // A laptop whose lid is closed takes the agents with it.
        const pids = fault === "stop" ? [pid] : [pid, ...processesOf(run).map(Number)];
        signal(pids, "SIGSTOP");
        await sleep(leaseSeconds * 1_500);
        signal(pids, "SIGCONT");
      } else {
        process.kill(pid, "SIGKILL");
        // Whoever looks at the run starts the next daemon.
        await showRun(paths, run);
      }
    }
  } finally {
    database.close();
  }
  return faults;
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It had just ended.
    }
  }
}

/** Each task's agent is killed once: what a task does about an agent that dies for ever is another story. */
function killAgents(database: Libsql.Database, hit: Set<string>): number {
  const rows = database.prepare("SELECT task, data FROM crew_attempts WHERE is_over = 0").all();
  let killed = 0;
  for (const row of rows) {
    const { task, data } = Object(row);
    const { pid } = JSON.parse(data);
    if (hit.has(task) || typeof pid !== "number") continue;
    hit.add(task);
    try {
      process.kill(-pid, "SIGKILL");
      killed++;
    } catch {
      // It had just ended.
    }
  }
  return killed;
}

function inspect(project: string, report: RunReport) {
  const { run, attempts } = report;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, encoding: "utf8" });
  const files = git("ls-tree", "--name-only", run.target).split("\n");
  const subjects = git("log", "--format=%s", run.target).split("\n");
  const merged = (id: string) =>
    subjects.filter((text) => text.startsWith(`Merge task ${id}`)).length;
  const ids = Object.keys(TASKS);
  return {
    state: run.state,
    starts: attempts.length,
    lost: ids.filter((id) => !files.includes(`${id}.txt`)),
    merges: Object.fromEntries(ids.map((id) => [id, merged(id)])),
  };
}

/** Everything that carries the mark of an attempt of the run. */
function processesOf(run: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`SEAM_CREW_ATTEMPT=${run}.`);
      } catch {
        return false;
      }
    });
}

function numberIn(database: Libsql.Database, sql: string): number {
  return Number(Object(database.prepare(sql).get()).n);
}
