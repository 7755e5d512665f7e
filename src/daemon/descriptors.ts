import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { readText } from "../files/index.ts";

/** How many of the descriptors this process may open go to what. */
export interface DescriptorBudget {
  /** Connections of the socket, and as many of the port. */
  readonly connections: number;
  /** Of these, on the port, so many that have not shown the token yet. */
  readonly strangers: number;
  readonly threads: number;
}

/** What the strictest system we know of allows a process. */
const USUAL_LEAST = 256;
const MOST_CONNECTIONS = 1_024;
const MOST_STRANGERS = 64;
const MOST_THREADS = 16;

/**
 * Divides the descriptors so that nobody can take them all: connections get half, threads a
 * quarter (each needs about four), and the rest stays for the journal, the spool, settings and git.
 */
export function descriptorBudget(limit = openFilesLimit()): DescriptorBudget {
  const share = (part: number, most: number) =>
    Math.max(1, Math.min(most, Math.floor(limit / part)));
  return {
    connections: share(4, MOST_CONNECTIONS),
    strangers: share(8, MOST_STRANGERS),
    threads: share(16, MOST_THREADS),
  };
}

function openFilesLimit(): number {
  const line = /^Max open files +(\d+)/m.exec(readText("/proc/self/limits") ?? "");
  return line ? Number(line[1]) : USUAL_LEAST;
}

/** Throws if nothing can be opened at the moment. */
export function spareDescriptor(): void {
  closeSync(openSync(devNull, "r"));
}
