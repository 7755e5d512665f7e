import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface Transcript {
  readonly path: string;
  readonly lines: number;
  /** Of all answers, each counted once. */
  readonly outputTokens: number;
}

const CODE = 'export const limit = (value: string) => value.length > 80 ? "\\t" + value : value;\n';
const PROSE =
  "The handler returns before the file is closed, so the second reader sees half of it. ";

/**
 * A transcript of Claude Code of at least so many bytes: an answer is on two lines that repeat its
 * usage, a result has a file in it twice. A line has about 10 KB.
 */
export function writeTranscript(folder: string, bytes: number): Transcript {
  const path = join(folder, "long.jsonl");
  const fd = openSync(path, "wx");
  let written = 0;
  let lines = 0;
  let outputTokens = 0;
  for (let round = 0; written < bytes; round++) {
    const output = 100 + (round % 900);
    for (const line of roundOf(round, output)) {
      written += writeSync(fd, `${JSON.stringify(line)}\n`);
      lines++;
    }
    outputTokens += output;
  }
  closeSync(fd);
  return { path, lines, outputTokens };
}

/** About 10 KB in two lines. */
export function smallRound(round: number): { text: string; outputTokens: number } {
  const lines = [answer(round, 50, PROSE.repeat(60)), result(round, 25)];
  return { text: lines.map((line) => `${JSON.stringify(line)}\n`).join(""), outputTokens: 50 };
}

function roundOf(round: number, output: number): object[] {
  const lines: object[] = [
    answer(round, output, PROSE.repeat(1 + (round % 12))),
    answer(round, output, undefined),
    result(round, 20 + ((round * 37) % 260)),
  ];
  return round % 10 === 0 ? [prompt(round), ...lines] : lines;
}

function prompt(round: number): object {
  return { ...common(round, "u"), type: "user", message: { role: "user", content: PROSE } };
}

/** Text, or else a call. */
function answer(round: number, output_tokens: number, said: string | undefined): object {
  const edit = {
    file_path: `src/part-${round % 50}.ts`,
    old_string: CODE,
    new_string: CODE.repeat(9),
  };
  const content =
    said === undefined
      ? { type: "tool_use", id: `toolu_${round}`, name: "Edit", input: edit }
      : { type: "text", text: said };
  const usage = {
    input_tokens: 12,
    cache_creation_input_tokens: 400,
    cache_read_input_tokens: 90_000,
    output_tokens,
    service_tier: "standard",
  };
  const message = {
    id: `msg_${round}`,
    role: "assistant",
    model: "claude-x",
    content: [content],
    stop_reason: said === undefined ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage,
  };
  return { ...common(round, said === undefined ? "c" : "a"), type: "assistant", message };
}

function result(round: number, codeLines: number): object {
  const content = `${CODE}// ${round}\n`.repeat(codeLines);
  const block = { type: "tool_result", tool_use_id: `toolu_${round}`, content };
  return {
    ...common(round, "r"),
    type: "user",
    message: { role: "user", content: [block] },
    toolUseResult: { filePath: `src/part-${round % 50}.ts`, originalFile: content },
  };
}

function common(round: number, kind: string) {
  const timestamp = new Date(1_794_000_000_000 + round * 1000).toISOString();
  const uuid = `${String(round).padStart(8, "0")}-${kind}`;
  return { uuid, timestamp, sessionId: "long", cwd: "/home/dev/app", version: "2.1.197" };
}
