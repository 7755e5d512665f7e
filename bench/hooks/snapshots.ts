import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { BenchProject } from "../record/project.ts";
import { built, SEAM_COMMAND } from "../record/seam.ts";
import { end, newPlace, type Place, payload, startDaemon, timeHook } from "./daemon.ts";

const FLOOD = 100_000;
const FOLDERS = 100;
const ROUNDS = 9;
const [FEW, MANY] = [1_000, 10_000];

/** What untracked files cost: those of another project a hook, and ten times as many a snapshot. */
export async function* snapshotCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  yield* besideAFlood(folder, say);
  yield* tenTimesAsMany(folder, say);
}

async function* besideAFlood(folder: string, say: (text: string) => void): AsyncGenerator<Case> {
  say(`hooks while ${FLOOD} untracked files of another project are looked at`);
  const place = await newPlace(join(folder, "beside"));
  const flooded = new BenchProject(folder, "flooded");
  flooded.git("commit", "-q", "--allow-empty", "-m", "Start");
  for (let n = 0; n < FLOOD; n++) flooded.write(`data${n % FOLDERS}/${n}.txt`, `file ${n}\n`);
  const enable = [SEAM_COMMAND, "enable", "--agent", "claude-code", "--json"];
  const { status, stderr } = spawnSync(process.execPath, enable, {
    cwd: flooded.root,
    env: { ...flooded.env, SEAM_HOME: place.home },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`seam enable ended with ${status}: ${stderr}`);
  const daemon = await startDaemon(place);
  try {
    const call = payload(place, "beside", "ls -la");
    const hooks = (length: number) => Array.from({ length }, () => timeHook(place, call));
    timeHook(place, payload(place, "beside", "rm -rf /"));
    // A daemon that is warm has recorded something before.
    await tell(place, flooded.root, "SessionStart", { source: "startup" });
    hooks(20);
    const usual: number[][] = [];
    const beside: number[][] = [];
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      await tell(place, flooded.root, "UserPromptSubmit", { prompt: "Go" });
      const series: number[] = [];
      do series.push(timeHook(place, call));
      while ((await unrecorded(place)) > 0);
      seconds.push((performance.now() - startedAt) / 1000);
      beside.push(series);
      // As many: the more there are, the slower is the slowest.
      usual.push(hooks(series.length));
    }
    const slowest = (rounds: readonly number[][]) => rounds.map((series) => Math.max(...series));
    yield atMost({
      name: `the slowest hook beside a snapshot of ${FLOOD} untracked files`,
      value: pairedRatio(slowest(beside), slowest(usual)),
      bar: 3,
      unit: "times the slowest without it",
      detail: [
        ...medians({ "slowest beside": slowest(beside), "slowest without": slowest(usual) }, "ms"),
        ...medians({ "median beside": beside.flat(), "median without": usual.flat() }, "ms"),
        { name: "hooks beside it", value: beside.flat().length, unit: "" },
        ...medians({ "the snapshot": seconds }, "s"),
      ],
    });
  } finally {
    await end(daemon);
  }
}

async function* tenTimesAsMany(folder: string, say: (text: string) => void): AsyncGenerator<Case> {
  say(`snapshots of ${MANY} and ${FEW} untracked files`);
  const { openRepo, openRepoRecord, takeSnapshot } = await built();
  let made = 0;
  /** A first snapshot of that many files in one folder, and a second one when some have changed. */
  const measure = async (files: number) => {
    const project = new BenchProject(folder, `untracked-${++made}`);
    project.git("commit", "-q", "--allow-empty", "-m", "Start");
    const write = (n: number, text: string) => project.write(`data/${n}.txt`, `${text} ${n}\n`);
    for (let n = 0; n < files; n++) write(n, "file");
    const repo = await openRepo(project.root);
    if (!repo) throw new Error("no repository");
    const record = openRepoRecord(repo);
    const about = { session_id: "bench", agent: "claude-code", turn_id: "0123456789ab" };
    const startedAt = performance.now();
    await takeSnapshot(record, { ...about, moment: "start", at: new Date(1_000).toISOString() });
    const between = performance.now();
    for (let n = 0; n < files; n += 10) write(n, "changed");
    const after = performance.now();
    await takeSnapshot(record, { ...about, moment: "end", at: new Date(2_000).toISOString() });
    const ms = performance.now() - after + between - startedAt;
    await record.store.close();
    return ms;
  };
  const series = await interleave(
    { many: () => measure(MANY), few: () => measure(FEW) },
    { rounds: 3, warmUps: 1 },
  );
  yield atMost({
    name: `snapshots of ${MANY} untracked files in one folder`,
    value: pairedRatio(series.many, series.few),
    bar: 12,
    unit: `times those of ${FEW}`,
    detail: medians({ [`${MANY} files`]: series.many, [`${FEW} files`]: series.few }, "ms"),
  });
}

/** A hook of an agent in a folder, straight to the daemon. */
async function tell(place: Place, cwd: string, hook: string, more: object): Promise<void> {
  const said = { session_id: "flooded", cwd, hook_event_name: hook, ...more };
  const path = `/v1/hook?agent=claude-code&hook=${hook}`;
  await ask(place, "POST", path, JSON.stringify(said));
  // Its answer comes before it is handed to the record.
  await sleep(20);
}

async function unrecorded(place: Place): Promise<number> {
  const status = JSON.parse(await ask(place, "GET", "/v1/status")) as { unrecorded: number };
  return status.unrecorded;
}

function ask({ home }: Place, method: string, path: string, body?: string): Promise<string> {
  const headers = { host: "seam", "x-seam-token": readFileSync(join(home, "run/token"), "utf8") };
  const socketPath = join(home, "run/daemon.sock");
  return new Promise((resolve, reject) => {
    // A connection that is kept would be closed while hooks are measured, unnoticed.
    const asked = request({ socketPath, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => {
        text += part.toString();
      });
      response.once("end", () => resolve(text));
    });
    asked.once("error", reject);
    asked.end(body);
  });
}
