import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DIST } from "../built.ts";

const CHILD = fileURLToPath(new URL("read-child.mjs", import.meta.url));
const AGENTS = new URL("agents/", DIST);

export type Way = "Seam" | "readline";

export interface Report {
  readonly ms: number;
  /** By how much the process grew at most. */
  readonly bytes: number;
  readonly outputTokens: number;
  /** What was appended, read in the same process. */
  readonly appended?: {
    readonly ms: number;
    readonly bytesRead: number;
    readonly outputTokens: number;
  };
}

/** Reads a transcript once, in a process of its own. */
export function inChild(request: {
  way: Way;
  path: string;
  append?: readonly string[];
}): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, { execArgv: [] });
    child.once("message", (report) => resolve(report as Report));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Reading ended with ${code}.`)));
    child.send({
      ...request,
      scan: new URL("transcripts/scan.js", AGENTS).href,
      format: new URL("claude-code/transcript.js", AGENTS).href,
    });
  });
}
