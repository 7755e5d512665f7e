import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../agents/index.ts";
import {
  checkClient,
  type DaemonPaths,
  daemonPaths,
  describeMissed,
  lookForDaemon,
  missedHooks,
  unwritable,
} from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import { when } from "../record/format.ts";

/** Whether what agents run for a hook is there, and whether the daemon answers. */
export async function daemonFindings(store: string): Promise<Finding[]> {
  const paths = daemonPaths(store);
  const findings: Finding[] = [...clientFindings(paths)];
  const why = unwritable(paths);
  if (why !== undefined) {
    findings.push({
      level: "error",
      code: "store-unwritable",
      text: `${why}: what agents do is not recorded.`,
      next: "Make room, let your user write there, or use the Seam that wrote it.",
    });
  }
  const { status, silent } = await lookForDaemon(paths);
  for (const { at, files } of status?.clientRepairs ?? []) {
    const text = `${when(at)}: the hook client was changed or removed (${files.join(", ")}), so gates may have been open. The daemon wrote it again.`;
    findings.push({ level: "warning", code: "client-repaired", text });
  }
  for (const missed of missedHooks(paths)) {
    const text = `${when(missed.lastAt)}: ${describeMissed(missed)}`;
    findings.push({ level: "warning", code: "hooks-missed", text, next: "Run: seam daemon logs" });
  }
  if (silent !== undefined) {
    const text = `The daemon, process ${silent}, hangs: agents wait for its answers.`;
    findings.push({ level: "error", code: "daemon-silent", text, next: "Run: seam daemon stop" });
  }
  for (const trouble of status?.troubles ?? []) {
    const next =
      "See: seam daemon logs. Then run: seam daemon stop (the next hook starts a new one)";
    findings.push({ level: "error", code: "extensions-not-run", text: trouble, next });
  }
  for (const { path, why } of status?.leftOut ?? []) {
    const { code, message, next } = new SeamError("SEAM_EXT_LEFT_OUT", { path, detail: why });
    findings.push({ level: "error", code, text: message, next });
  }
  if (status || silent !== undefined) return findings;
  const failed = existsSync(paths.failed);
  findings.push({
    level: failed ? "error" : "info",
    code: failed ? "daemon-failed" : "daemon-off",
    text: failed
      ? "The daemon did not start when a hook called for it."
      : "The daemon does not run. The first hook starts it.",
    next: failed ? "Run: seam daemon logs" : "To see whether it can: seam daemon start",
  });
  return findings;
}

function clientFindings(paths: DaemonPaths): Finding[] {
  const next = "Run: seam doctor --fix";
  if (!isProgram(paths.hook)) {
    const instead = isProgram(join(paths.spare, "hook"))
      ? "its spare, which is slower, answers the agents' hooks"
      : "the agents' hooks do nothing but stop calls where a critical extension must not be missing";
    const text = `${paths.hook} is not there or cannot be run: ${instead}.`;
    return [{ level: "error", code: "client-missing", text, next, fix: [] }];
  }
  const { changed, outdated, missing } = checkClient(paths);
  if (changed.length > 0) {
    const text = `The hook client was changed since Seam wrote it (${changed.join(", ")}): gates may be open.`;
    return [{ level: "error", code: "client-changed", text, next, fix: [] }];
  }
  if (outdated) {
    const text = "The hook client was written by another version of Seam.";
    return [{ level: "warning", code: "client-outdated", text, next, fix: [] }];
  }
  if (missing === undefined) return [];
  const text = `Hooks run through the shell client, which is slower, because ${missing}.`;
  return [{ level: "info", code: "client-slow", text }];
}

export function daemonHangs(pid: number): string {
  return `process ${pid} hangs and answers nothing; end it with: seam daemon stop`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
