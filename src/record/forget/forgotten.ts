import { createHash } from "node:crypto";
import { join } from "node:path";
import { readText, replaceFile } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";

/** Whether a session's part of a checkpoint was deleted by the user. */
export type IsForgotten = (sessionId: string, checkpoint: string) => boolean;

const fileOf = (repo: Repo) => join(seamDirOf(repo), "forgotten");

/** No more than what is needed to know it again: its own name is gone as well. */
function lineOf(sessionId: string, checkpoint: string): string {
  return `${createHash("sha256").update(sessionId).digest("hex")} ${checkpoint}`;
}

/**
 * What the user deleted here, so that it does not come back from a remote that still has it.
 * Undefined if that is nothing.
 */
export function readForgotten(repo: Repo): IsForgotten | undefined {
  const lines = new Set((readText(fileOf(repo)) ?? "").split("\n").filter(Boolean));
  if (lines.size === 0) return undefined;
  return (sessionId, checkpoint) => lines.has(lineOf(sessionId, checkpoint));
}

/** Whether something of a checkpoint was deleted here. */
export function isForgottenCheckpoint(repo: Repo, checkpoint: string): boolean {
  const lines = (readText(fileOf(repo)) ?? "").split("\n");
  return lines.some((line) => line.endsWith(` ${checkpoint}`));
}

export function noteForgotten(repo: Repo, sessionId: string, checkpoints: Iterable<string>): void {
  const before = (readText(fileOf(repo)) ?? "").split("\n").filter(Boolean);
  const lines = new Set([...before, ...[...checkpoints].map((id) => lineOf(sessionId, id))]);
  if (lines.size > before.length) replaceFile(fileOf(repo), `${[...lines].join("\n")}\n`);
}
