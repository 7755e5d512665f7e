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
  readonly where?: SourceLine;
}

/** A line of a file. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** The first place in the extension's own files that an error or one of its causes names. */
export function placeOf(
  error: unknown,
  isOwnFile: (file: string) => boolean,
): SourceLine | undefined {
  return framesOf(error).find(({ file }) => isOwnFile(file));
}

/** The places an error's stack names, those of its causes first. Node's own are left out. */
export function framesOf(error: unknown): SourceLine[] {
  const chain: Error[] = [];
  for (let e = error; e instanceof Error && chain.length < 20; e = e.cause) chain.unshift(e);
  return chain.flatMap(({ stack }) => {
    if (typeof stack !== "string") return [];
    return stack.split("\n").flatMap((line) => {
      const [, file, number] = FRAME.exec(line) ?? [];
      return file && number ? [{ file, line: Number(number) }] : [];
    });
  });
}

// "at name (/path/file.ts:12:34)", "at file:///path/file.ts:12:34", "/path/file.ts:12:34"
const FRAME =
  /^\s*(?:at .*?\(|at |)(?:async )?(?:file:\/\/)?((?:[A-Za-z]:)?[\\/].*):(\d+):\d+\)?\s*$/;

/**
 * A problem in one paragraph, as the command line shows it.
 *
 * @example
 * const extensions = await loadExtensions({ cwd: process.cwd(), sources: ["./no-rm.ts"] });
 * for (const { problem } of extensions.failures) console.error(describeProblem(problem));
 */
export function describeProblem(problem: ExtensionProblem, cwd = process.cwd()): string {
  const { where, error } = problem;
  const place = where ? ` (${relative(cwd, where.file) || where.file}:${where.line})` : "";
  return `${error.message}${place}\n  ${error.next}`;
}
