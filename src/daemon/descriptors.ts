import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { readText } from "../files/index.ts";

/** How many of the descriptors this process may open go to what. */
export interface DescriptorBudget {
  /** Connections of the socket, where only the user's own programs come in. */
  readonly onSocket: number;
  /** Connections of the port, which every user of the machine can reach. */
  readonly onPort: number;
  /** How many of these may be open without having shown the token. */
  readonly strangers: number;
  readonly threads: number;
}

/** What the strictest system we know of allows a process. */
const USUAL_LEAST = 256;
/** What the daemon itself has open: its loop, journal, log, recorder; and what it reads in between. */
const OWN = 40;
const LEAST = 24;
const MOST = { onSocket: 1_024, onPort: 256, strangers: 64, threads: 16 };

/**
 * Divides the descriptors so that nobody can take them all: hooks on the socket get a third, the
 * port half as many, threads (each needs about five) a third; the rest is for what extensions open.
 */
export function descriptorBudget(limit = openFilesLimit()): DescriptorBudget {
  const rest = Math.max(LEAST, limit - OWN);
  const share = (part: number, most: number) => Math.min(most, Math.floor(rest / part));
  return {
    onSocket: share(3, MOST.onSocket),
    onPort: share(6, MOST.onPort),
    strangers: share(12, MOST.strangers),
    threads: share(16, MOST.threads),
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
