import { join } from "node:path";
import { readText, replaceFile } from "../files/index.ts";

/** Something that could not be recorded. */
export interface RecordProblem {
  /** When it happened last. ISO. */
  readonly at: string;
  readonly text: string;
  /** How often. */
  readonly count: number;
}

const MOST = 50;
const LONGEST_TEXT = 1_000;
/** What nobody asked about in this time has been lived with. */
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;

const fileIn = (seamDir: string) => join(seamDir, "problems");

/**
 * What could not be recorded in a repository, for `seam status`. In the repository, so that it is
 * known there after the daemon's end; what cannot be written is kept in memory until it can.
 */
export class RecordProblems {
  readonly #dir: string;
  #unwritten: RecordProblem[] = [];

  /** `seamDir`: Seam's folder in the repository. */
  constructor(seamDir: string) {
    this.#dir = seamDir;
  }

  note(text: string, at = new Date().toISOString()): void {
    const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text;
    this.#unwritten = merged(this.#unwritten, [{ at, text: short, count: 1 }]);
    this.write();
  }

  /** Those that are in memory alone: the disk is full, or may not be written to. */
  get unwritten(): readonly RecordProblem[] {
    return this.#unwritten;
  }

  /** Tries again. */
  write(): void {
    if (this.#unwritten.length === 0) return;
    try {
      const all = merged(readProblems(this.#dir), this.#unwritten);
      replaceFile(fileIn(this.#dir), all.map((one) => `${JSON.stringify(one)}\n`).join(""));
      this.#unwritten = [];
    } catch {
      // They stay in memory.
    }
  }
}

/** What speaks of something that the user deleted goes with it. */
export function dropProblems(seamDir: string, text: string): void {
  const lines = (readText(fileIn(seamDir)) ?? "").split("\n").filter(Boolean);
  const left = lines.filter((line) => !line.includes(text));
  if (left.length === lines.length) return;
  replaceFile(fileIn(seamDir), left.map((line) => `${line}\n`).join(""));
}

/** Oldest first. */
export function readProblems(seamDir: string, now = Date.now()): RecordProblem[] {
  return (readText(fileIn(seamDir)) ?? "")
    .split("\n")
    .flatMap((line) => parse(line) ?? [])
    .filter(({ at }) => now - Date.parse(at) < FORGOTTEN_MS);
}

/** The same thing again counts up, and is the newest now. */
export function merged(
  before: readonly RecordProblem[],
  more: readonly RecordProblem[],
): RecordProblem[] {
  const byText = new Map(before.map((one) => [one.text, one]));
  for (const { at, text, count } of more) {
    const known = byText.get(text);
    byText.delete(text);
    byText.set(text, { at, text, count: count + (known?.count ?? 0) });
  }
  return [...byText.values()].slice(-MOST);
}

function parse(line: string): RecordProblem | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    const { at, text, count } = value as Partial<RecordProblem>;
    if (typeof text !== "string" || typeof at !== "string") return undefined;
    return { at, text, count: typeof count === "number" ? count : 1 };
  } catch {
    return undefined;
  }
}
