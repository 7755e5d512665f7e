import { fork } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { atMost, type Case, interleave, median, medians, ratio } from "../frame.ts";
import { SEAM_HOST } from "./seam.ts";
import { writeSession } from "./write-session.ts";

const CHILD = fileURLToPath(new URL("open-child.mjs", import.meta.url));
const MEGABYTE = 1024 * 1024;
const SIZE = 200 * MEGABYTE;

interface Report {
  readonly ms: number;
  readonly entries: number;
  /** By how much the process grew at most. */
  readonly bytes: number;
}

type Way = "seam" | "lines";

/** A session of many days of work, opened in one fresh process per measurement. */
export async function* openCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("opening a session of 200 MB");
  const { path, entries } = writeSession(folder, SIZE);
  const size = statSync(path).size;
  const memory: Record<Way, number[]> = { seam: [], lines: [] };
  const opened = async (way: Way) => {
    const report = await inChild(way, path);
    if (report.entries !== entries) throw new Error(`${way} found ${report.entries} entries.`);
    memory[way].push(report.bytes);
    return report.ms;
  };
  const series = await interleave(
    { Seam: () => opened("seam"), "JSON.parse": () => opened("lines") },
    { rounds: 9, warmUps: 1 },
  );
  rmSync(path);
  yield atMost({
    name: "opening a session of 200 MB",
    value: ratio(series.Seam, series["JSON.parse"]),
    bar: 1.5,
    unit: "times as long as reading and parsing its lines",
    detail: medians(series, "ms"),
  });
  yield atMost({
    name: "memory for a session of 200 MB",
    value: median(memory.seam) / size,
    bar: 3,
    unit: "times the file",
    detail: Object.entries({ Seam: memory.seam, "JSON.parse": memory.lines }).map(
      ([name, values]) => ({ name, value: median(values) / MEGABYTE, unit: "MB" }),
    ),
  });
}

function inChild(way: Way, path: string): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, { execArgv: [] });
    child.once("message", (report) => resolve(report as Report));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Opening (${way}) ended with ${code}.`)));
    child.send({ way, url: SEAM_HOST, path });
  });
}
