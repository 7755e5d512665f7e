import { fork } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PI_EXAMPLES, recordedExamples } from "../../test/peers/pi.ts";
import { atMost, type Case, interleave, median, medians, ratio } from "../frame.ts";
import { PI_LOADER } from "./pi.ts";
import { SEAM_EXTENSIONS } from "./seam.ts";

const CHILD = fileURLToPath(new URL("load-child.mjs", import.meta.url));

interface Report {
  readonly importMs: number;
  readonly loadMs: number;
  readonly loaded: number;
}

/** All examples of Pi, in one fresh process per measurement. */
export async function* loadCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("loading the examples of Pi");
  const entries = Object.values(recordedExamples().examples);
  const paths = entries.map(({ entry }) => join(PI_EXAMPLES, entry));
  const expected = entries.filter(({ missing }) => missing === undefined).length;
  const imports: Record<"Seam" | "Pi", number[]> = { Seam: [], Pi: [] };
  /** They hold the caches: a fresh one makes a cold start, a used one a warm start. */
  const homes = { Seam: "", Pi: "" };

  const load = async (host: "Seam" | "Pi", start: "cold" | "warm") => {
    const home = homes[host];
    const cached = () => cachedFiles(join(home, host === "Seam" ? "cache" : "jiti"));
    const before = cached();
    const report = await inChild(host, home, paths);
    if (report.loaded !== expected) throw new Error(`${host} loaded ${report.loaded} examples.`);
    const isCold = before === 0 && cached() >= expected;
    if (isCold !== (start === "cold")) throw new Error(`${host} did not start ${start}.`);
    imports[host].push(report.importMs);
    return report.loadMs;
  };
  const cold = (host: "Seam" | "Pi") => {
    homes[host] = mkdtempSync(join(folder, "load-"));
    return load(host, "cold");
  };
  const series = await interleave(
    {
      seamCold: () => cold("Seam"),
      piCold: () => cold("Pi"),
      seamWarm: () => load("Seam", "warm"),
      piWarm: () => load("Pi", "warm"),
    },
    { rounds: 7, warmUps: 1 },
  );
  yield atMost({
    name: `loading the ${paths.length} Pi examples in one process`,
    value: ratio(series.seamCold, series.piCold),
    bar: 1,
    unit: "times as long as Pi",
    detail: [
      ...medians({ Seam: series.seamCold, Pi: series.piCold }, "ms"),
      ...Object.entries(imports).map(([host, values]) => ({
        name: `${host}'s own modules before that`,
        value: median(values),
        unit: "ms",
      })),
    ],
  });
  yield atMost({
    name: "second load with a warm cache",
    value: ratio(series.seamWarm, series.seamCold),
    bar: 1 / 3,
    unit: "times as long as the first",
    detail: medians(
      { first: series.seamCold, second: series.seamWarm, "Pi's second": series.piWarm },
      "ms",
    ),
  });
}

function cachedFiles(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    return 0;
  }
}

function inChild(host: "Seam" | "Pi", home: string, paths: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    // What the examples print is not ours to show; TMPDIR is where Pi's compiler keeps its cache.
    const child = fork(CHILD, {
      cwd: PI_EXAMPLES,
      env: { ...process.env, TMPDIR: home },
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let errors = "";
    child.stderr?.on("data", (data) => {
      errors += data;
    });
    child.once("message", (report) => resolve(report as Report));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${host} ended with ${code}: ${errors}`)));
    const url = host === "Seam" ? SEAM_EXTENSIONS : PI_LOADER;
    const cacheDir = join(home, "cache");
    child.send({ host: host.toLowerCase(), url, paths, cwd: home, cacheDir });
  });
}
