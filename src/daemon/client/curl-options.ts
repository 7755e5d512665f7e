import { replaceFile } from "../../files/index.ts";
import { loadSettings } from "../../settings/index.ts";
import type { DaemonPlace } from "../place.ts";

/** Longer than any handler may take; a daemon that hangs must not hold an agent for ever. */
const SHORTEST_WAIT_S = 300;

/**
 * How curl rings the daemon, from inside the run folder. In a file because a command line can be
 * read by everyone on the machine. Nothing of the user's own curl settings or proxies counts.
 */
export function writeCurlOptions({ curl, home }: DaemonPlace, token: string): void {
  const slowest = Math.max(0, ...Object.values(loadSettings(home).settings.deadlines));
  const seconds = Math.max(SHORTEST_WAIT_S, Math.ceil((2 * slowest) / 1000));
  const lines = [
    "silent",
    "include",
    'write-out = "."',
    'unix-socket = "daemon.sock"',
    'noproxy = "*"',
    `header = "x-seam-token: ${token}"`,
    'header = "Expect:"',
    'header = "Content-Type:"',
    "connect-timeout = 5",
    `max-time = ${seconds}`,
  ];
  replaceFile(curl, `${lines.join("\n")}\n`);
}
