import { readText } from "./read-text.ts";

/** What Linux says of a process in `/proc/<pid>/stat`. */
export interface ProcessStat {
  readonly name: string;
  /** It has ended, and nobody has asked how yet. */
  readonly hasEnded: boolean;
  readonly parent: number;
  readonly group: number;
  /** Clock ticks since the machine was started. */
  readonly started: string;
}

/** Undefined if there is no such process, or no `/proc`. */
export function processStat(pid: number): ProcessStat | undefined {
  return parseProcessStat(readText(`/proc/${pid}/stat`) ?? "");
}

/** The name is in brackets and may hold brackets and spaces itself, so fields count from the last. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const close = text.lastIndexOf(")");
  const fields = text.slice(close + 2).split(" ");
  const [state, parent, group] = fields;
  const started = fields[19];
  if (close < 0 || state === undefined || started === undefined) return undefined;
  const hasEnded = state === "Z" || state === "X";
  const name = text.slice(text.indexOf("(") + 1, close);
  return { name, hasEnded, parent: Number(parent), group: Number(group), started };
}
