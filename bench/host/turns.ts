import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "../../src/host/index.ts";

const FILE = "notes.md";
const CHUNK = 20;

/** Of an answer; it comes in pieces of 20 characters. */
const TEXT =
  "I will look at the notes first, because they say how the parts of this project fit together " +
  "and which of them may be changed. After that I can tell whether the plan holds, or what is missing.";

export const PROMPT = "Read the notes until you know what to do.";

/** So many answers that each say something and read a file, and one that only says something. */
export function scriptOf(rounds: number): ScriptedTurn[] {
  const usage = { input: 1_000, output: 80 };
  const reading = { name: "read", arguments: { path: FILE, limit: 200 } };
  const round = { text: TEXT, toolCalls: [reading], chunkSize: CHUNK, usage };
  return [...Array.from({ length: rounds }, () => round), { text: TEXT, chunkSize: CHUNK, usage }];
}

/** The prompt, an answer and a tool result per round, and the last answer. */
export const messagesAfter = (rounds: number) => 2 * rounds + 2;

export const textDeltasIn = (rounds: number) => (rounds + 1) * Math.ceil(TEXT.length / CHUNK);

/** A folder with the file that is read: 4 KB, as much as a tool result tends to have. */
export function projectIn(folder: string): string {
  const project = join(folder, "project");
  mkdirSync(project, { recursive: true });
  const lines = Array.from(
    { length: 100 },
    (_, line) => `- ${line}: one more thing to keep in mind`,
  );
  writeFileSync(join(project, FILE), lines.join("\n"));
  return project;
}
