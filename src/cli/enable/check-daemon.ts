import { accessSync, constants, existsSync } from "node:fs";
import type { Finding } from "../../agents/index.ts";
import { daemonPlace, lookForDaemon, unwritable } from "../../daemon/index.ts";

/** Whether what agents run for a hook is there, and whether the daemon answers. */
export async function daemonFindings(store: string): Promise<Finding[]> {
  const place = daemonPlace(store);
  const findings: Finding[] = [];
  if (!isProgram(place.hook)) {
    findings.push({
      level: "error",
      code: "client-missing",
      text: `${place.hook} is not there or cannot be run: the agents' hooks do nothing.`,
      next: "Run: seam doctor --fix",
      fix: [],
    });
  }
  const why = unwritable(place);
  if (why !== undefined) {
    findings.push({
      level: "error",
      code: "store-unwritable",
      text: `${why}: what agents do is not recorded.`,
      next: "Make room, or let your user write there.",
    });
  }
  const { status, silent } = await lookForDaemon(place);
  if (silent !== undefined) {
    const text = `The daemon, process ${silent}, hangs: agents wait for its answers.`;
    findings.push({ level: "error", code: "daemon-silent", text, next: "Run: seam daemon stop" });
  }
  if (status || silent !== undefined) return findings;
  const failed = existsSync(place.failed);
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
