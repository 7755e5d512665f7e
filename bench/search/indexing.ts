import { atMost, type Case, interleave, median, medians, pairedRatio } from "../frame.ts";
import { inChild } from "./child.ts";
import type { Corpus } from "./corpus.ts";

const ROUNDS = 3;

/** All of it by a process that knows nothing of it, and again with nothing new. */
export async function* indexingCases(
  { home, files, bytes }: Corpus,
  seam: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  const megabytes = Math.round(bytes / 1e6);
  say(`indexing ${megabytes} MB of transcripts`);
  const memory: number[] = [];
  const cpu: Record<"index" | "parse", number[]> = { index: [], parse: [] };
  const series = await interleave(
    {
      index: async () => {
        const report = await inChild({ way: "index", home, seam, isFresh: true });
        memory.push(report.megabytes);
        cpu.index.push(report.cpuMs);
        return report.ms;
      },
      parse: async () => {
        const report = await inChild({ way: "parse", files });
        cpu.parse.push(report.cpuMs);
        return report.ms;
      },
    },
    { rounds: ROUNDS, warmUps: 0 },
  );
  yield atMost({
    name: `indexing ${megabytes} MB of transcripts of seven agents`,
    value: pairedRatio(series.index, series.parse),
    bar: 6,
    unit: "times readline and JSON.parse",
    detail: [
      ...medians(series, "ms"),
      { name: "processor time", value: pairedRatio(cpu.index, cpu.parse), unit: "times" },
    ],
  });
  yield atMost({
    name: "memory for that",
    value: median(memory),
    bar: 200,
    unit: "MB",
    detail: [],
  });
  const again = await inChild({ way: "index", home, seam, wantsSizes: true });
  yield atMost({
    name: "a second pass with nothing new",
    value: again.bytesRead ?? Number.NaN,
    bar: 0,
    unit: "bytes of transcripts read",
    detail: [{ name: "files looked at", value: files.length, unit: "" }],
  });
  const { said, tools } = again.sizes ?? {
    said: { index: 0, text: 0 },
    tools: { index: 0, text: 0 },
  };
  yield atMost({
    name: "words and trigrams together",
    value: said.index / said.text,
    bar: 1,
    unit: "of the text they find",
    detail: [
      { name: "index", value: said.index / 1e6, unit: "MB" },
      { name: "text", value: said.text / 1e6, unit: "MB" },
      { name: "words of tool output, of its text", value: tools.index / tools.text, unit: "" },
    ],
  });
}
