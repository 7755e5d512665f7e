import { readFileSync } from "node:fs";

/** The port that the daemon before had, if a file says it; 0 for any. */
export function portBefore(path: string): number {
  try {
    const port = Number(readFileSync(path, "utf8"));
    return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}
