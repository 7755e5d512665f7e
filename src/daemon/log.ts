import { appendFileSync, renameSync, statSync } from "node:fs";
import { messageOf } from "../errors/index.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogLine {
  readonly at: string;
  readonly level: LogLevel;
  readonly text: string;
}

/** The greatest size of the log; one earlier file is kept beside it. */
export const LARGEST_LOG = 2 * 1024 * 1024;
const LONGEST_TEXT = 4_000;

/** The daemon's log: JSON lines in a file that starts anew when it has grown large. */
export class Log {
  readonly #path: string;
  #size: number;

  constructor(path: string) {
    this.#path = path;
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  info(text: string): void {
    this.write("info", text);
  }

  warn(text: string): void {
    this.write("warn", text);
  }

  /** Logs a fault of Seam itself. */
  failed(doing: string, thrown: unknown): void {
    this.write("error", `${doing}: ${messageOf(thrown)}`);
  }

  write(level: LogLevel, text: string): void {
    const entry: LogLine = { at: new Date().toISOString(), level, text: shorten(text) };
    const line = `${JSON.stringify(entry)}\n`;
    try {
      if (this.#size + line.length > LARGEST_LOG) {
        renameSync(this.#path, `${this.#path}.1`);
        this.#size = 0;
      }
      appendFileSync(this.#path, line, { mode: 0o600 });
      this.#size += line.length;
    } catch {
      // A full disk must not keep the daemon from answering.
    }
  }
}

function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text;
}

/** A line of the log; what a crash printed between them is no such line. */
export function parseLogLine(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    const { at, level, text } = value as Record<string, unknown>;
    if (typeof at !== "string" || typeof text !== "string") return undefined;
    return { at, level: level as LogLevel, text };
  } catch {
    return undefined;
  }
}
