import type { Redactor } from "../../src/record/redact/index.ts";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { packageFiles } from "./packages.ts";

const MOST_BYTES = 4e6;
const LINE = 8_000;

/** What a transcript costs to search, beside what it costs to parse: both grow with the text. */
export async function* speedCases(
  redactor: Redactor,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("the time a search takes");
  const lines = transcript();
  const coloured = Buffer.from(
    lines.toString().replace(/\bconst\b/g, "\\u001b[34mconst\\u001b[39m"),
  );
  const series = await interleave(
    {
      plain: () => timed(() => redactor.redact(lines)),
      coloured: () => timed(() => redactor.redact(coloured)),
    },
    { rounds: 5, warmUps: 1 },
  );
  yield atMost({
    name: "a transcript with colours in it",
    value: pairedRatio(series.coloured, series.plain),
    bar: 2,
    unit: "of the time without",
    detail: [...medians(series, "ms"), { name: "each", value: lines.length / 1e6, unit: "MB" }],
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Files as an agent reads them, some thousand characters at a time. */
function transcript(): Buffer {
  const lines: string[] = [];
  let bytes = 0;
  for (const { content } of packageFiles()) {
    const text = content.toString();
    for (let at = 0; at < text.length && bytes < MOST_BYTES; at += LINE) {
      const block = { type: "tool_result", content: text.slice(at, at + LINE) };
      const line = `${JSON.stringify({ type: "user", message: { content: [block] } })}\n`;
      lines.push(line);
      bytes += line.length;
    }
    if (bytes >= MOST_BYTES) break;
  }
  return Buffer.from(lines.join(""));
}
