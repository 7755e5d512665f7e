import { statSync } from "node:fs";
import { atMost, type Case, interleave, median, medians, pairedRatio } from "../frame.ts";
import { inChild, type Way } from "./child.ts";
import type { Transcript } from "./write-transcript.ts";

const MEGABYTE = 1024 * 1024;

/** All of it, by a process that knows nothing of it yet. */
export async function* coldCases(
  { path, lines, outputTokens }: Transcript,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("tokens of a transcript of 200 MB");
  const memory: Record<Way, number[]> = { Seam: [], readline: [] };
  const read = async (way: Way) => {
    const report = await inChild({ way, path });
    if (report.outputTokens !== outputTokens) throw new Error(`${way} found other tokens.`);
    memory[way].push(report.bytes);
    return report.ms;
  };
  const series = await interleave(
    { Seam: () => read("Seam"), readline: () => read("readline") },
    { rounds: 9, warmUps: 1 },
  );
  const { size } = statSync(path);
  yield atMost({
    name: "token usage of a Claude Code transcript of 200 MB",
    value: pairedRatio(series.Seam, series.readline),
    bar: 0.5,
    unit: "of readline and JSON.parse",
    detail: [
      ...medians(series, "ms"),
      { name: "mean line", value: size / lines / 1024, unit: "KB" },
    ],
  });
  yield atMost({
    name: "memory for that",
    value: median(memory.Seam) / MEGABYTE,
    bar: 100,
    unit: "MB",
    detail: [{ name: "readline", value: median(memory.readline) / MEGABYTE, unit: "MB" }],
  });
}
