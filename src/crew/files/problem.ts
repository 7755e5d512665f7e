import { nearest } from "../../events/index.ts";

/** A mistake in a file of a crew. With an error, nothing is started. */
export interface WorkflowProblem {
  readonly severity: "error" | "warning";
  readonly file: string;
  readonly line?: number;
  /** What is wrong, as a sentence. */
  readonly text: string;
  /** The word that was probably meant. */
  readonly nearest?: string;
}

/** A problem on one line, as compilers print theirs. */
export function problemLine({ file, line, text, nearest: word }: WorkflowProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${place}: ${text}${word === undefined ? "" : ` Did you mean "${word}"?`}`;
}

/** Collects what is wrong with one file. */
export class WorkflowProblems {
  readonly file: string;
  readonly list: WorkflowProblem[] = [];

  constructor(file: string) {
    this.file = file;
  }

  error(line: number | undefined, text: string, word?: string, known?: Iterable<string>): void {
    this.#add("error", line, text, word, known);
  }

  warn(line: number | undefined, text: string, word?: string, known?: Iterable<string>): void {
    this.#add("warning", line, text, word, known);
  }

  #add(
    severity: WorkflowProblem["severity"],
    line: number | undefined,
    text: string,
    word = "",
    known: Iterable<string> = [],
  ): void {
    const found = word === "" ? undefined : nearest(word, known);
    const close = found === word ? undefined : found;
    this.list.push({
      severity,
      file: this.file,
      ...(line !== undefined && { line }),
      text,
      ...(close !== undefined && { nearest: close }),
    });
  }
}
