import { relative } from "node:path";
import type { SeamError } from "../errors/index.ts";

/** Something an extension did wrong, and where. */
export interface ExtensionProblem {
  /** error: something does not work. warning: it works, but probably not as meant. */
  readonly severity: "error" | "warning";
  readonly error: SeamError;
  /** The extension it is about. */
  readonly path: string;
  readonly event?: string;
  readonly where?: Place;
}

export interface Place {
  readonly file: string;
  readonly line: number;
}

/** The first place in the extension's own files that an error's stack names. */
export function placeOf(error: unknown, isOwnFile: (file: string) => boolean): Place | undefined {
  for (let current: unknown = deepest(error); current instanceof Error; ) {
    for (const [, file, line] of (current.stack ?? "").matchAll(FRAME)) {
      if (file && line && isOwnFile(file)) return { file, line: Number(line) };
    }
    if (current === error) return undefined;
    current = error;
  }
  return undefined;
}

// "at name (/path/file.ts:12:34)", "at file:///path/file.ts:12:34", "/path/file.ts:12:34"
const FRAME = /(?:file:\/\/)?((?:[A-Za-z]:)?[\\/][^\n():]+):(\d+):\d+/g;

function deepest(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 10 && current instanceof Error && current.cause; depth++) {
    current = current.cause;
  }
  return current instanceof Error ? current : error;
}

/** A problem in one paragraph, as the command line shows it. */
export function describeProblem(problem: ExtensionProblem, cwd = process.cwd()): string {
  const { where, error } = problem;
  const place = where ? ` (${relative(cwd, where.file) || where.file}:${where.line})` : "";
  return `${error.message}${place}\n  ${error.next}`;
}
