import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DIST } from "../built.ts";

/**
 * As the thread of the daemon that indexes has it (search/threads): 12 MB for what is new, in three
 * parts, and 512 MB for the rest. V8 collects the sooner, the less there may be.
 */
const LIMITS = ["--max-semi-space-size=4", "--max-old-space-size=512"];

const CHILD = fileURLToPath(new URL("index-child.mjs", import.meta.url));

export interface Report {
  readonly ms: number;
  /** What the processor did meanwhile. */
  readonly cpuMs: number;
  /** The most the process had. */
  readonly megabytes: number;
  readonly bytesRead?: number;
  readonly entries?: number;
  readonly sizes?: {
    readonly said: { readonly index: number; readonly text: number };
    readonly tools: { readonly index: number; readonly text: number };
    readonly entries: number;
  };
}

type Request =
  | { readonly way: "parse"; readonly files: readonly string[] }
  | {
      readonly way: "index";
      readonly home: string;
      readonly seam: string;
      /** Without what is there already. */
      readonly isFresh?: boolean;
      readonly wantsSizes?: boolean;
    };

/** Does it once, in a process of its own. */
export function inChild(request: Request): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, { execArgv: request.way === "index" ? LIMITS : [] });
    child.once("message", (report) => resolve(report as Report));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`It ended with ${code}.`)));
    child.send({ ...request, rooms: DIST.href });
  });
}
