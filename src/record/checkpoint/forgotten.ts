import { createHash } from "node:crypto";
import { join } from "node:path";
import { makeFolderBelow, readText, replaceFile } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";

/** Whether a session's part of a checkpoint was deleted by the user. */
export type IsForgotten = (sessionId: string, checkpoint: string) => boolean;

const fileOf = (repo: Repo) => join(seamDirOf(repo), "forgotten");

/** Before a place in a transcript; no checkpoint is called so. */
const PLACE = "#";

/** A hash that recognises the session again; the id itself is deleted as well. */
function hashOf(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex");
}

function lineOf(sessionId: string, what: string): string {
  return `${hashOf(sessionId)} ${what}`;
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

/** How far the transcript of a session was when it was deleted; undefined if it never was. */
export function forgottenUpTo(repo: Repo, sessionId: string): number | undefined {
  const start = `${hashOf(sessionId)} ${PLACE}`;
  const lines = (readText(fileOf(repo)) ?? "").split("\n");
  const places = lines.filter((line) => line.startsWith(start));
  if (places.length === 0) return undefined;
  return Math.max(...places.map((line) => Number(line.slice(start.length)) || 0));
}

export function noteForgotten(
  repo: Repo,
  sessionId: string,
  { checkpoints, position }: { checkpoints: Iterable<string>; position: number },
): void {
  const before = (readText(fileOf(repo)) ?? "").split("\n").filter(Boolean);
  const now = [...checkpoints, `${PLACE}${position}`].map((one) => lineOf(sessionId, one));
  const lines = new Set([...before, ...now]);
  if (lines.size === before.length) return;
  // A clone that only fetched what others recorded has no such folder yet.
  makeFolderBelow(repo.commonDir, seamDirOf(repo));
  replaceFile(fileOf(repo), `${[...lines].join("\n")}\n`);
}
