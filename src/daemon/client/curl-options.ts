import { replaceFile } from "../../files/index.ts";
import type { DaemonPaths } from "../daemon-paths.ts";

/** Agents wait 600 seconds for a gate and then let the call pass: the client answers before that. */
const LONGEST_WAIT_S = 590;
/** A daemon that says nothing for so long is asked whether it is still there at all. */
const SILENCE_S = 10;

/**
 * How clients ring the daemon, from inside the run folder: in a file because a command line can be
 * read by everyone on the machine, and in curl's own words. Nothing of the user's own curl settings
 * or proxies counts.
 */
export function writeCurlOptions({ curl }: DaemonPaths, token: string): void {
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
    `max-time = ${LONGEST_WAIT_S}`,
    `# silence = ${SILENCE_S}`,
  ];
  replaceFile(curl, `${lines.join("\n")}\n`);
}
