import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { SeamError } from "../errors/index.ts";
import { seamHome } from "../settings/index.ts";

/** The files through which the daemon, its clients and the command line find each other. */
export interface DaemonPaths {
  readonly home: string;
  /** Nobody but the user gets in here. */
  readonly run: string;
  readonly socket: string;
  readonly token: string;
  readonly port: string;
  readonly pid: string;
  readonly spool: string;
  readonly journal: string;
  /** The last entry of the journal that the recorder has dealt with. */
  readonly cursor: string;
  /** In which folder each session began. */
  readonly sessionFolders: string;
  readonly log: string;
  /** Projects whose gates close while there is no daemon. */
  readonly block: string;
  /** What clients answer then, by agent and hook. */
  readonly unavailable: string;
  /** Options for curl, with the token: kept off the command line, where others could read it. */
  readonly curl: string;
  /** A link that names the process of a daemon that is starting. */
  readonly starting: string;
  /** The daemon did not come up a moment ago. */
  readonly failed: string;
  /** What clients could not ask anybody about, a line each. */
  readonly missed: string;
  /** Which hooks daemons died over, and which extensions are left out for it. */
  readonly deaths: string;
  /** What each thread does, after such a death. */
  readonly doing: string;
  /** Is there if the last daemon ended because it was asked to. */
  readonly ended: string;
  readonly bin: string;
  /** The hook client once more, for hooks that find the folder before this one gone. */
  readonly spare: string;
  readonly hook: string;
  /** Is there if the hook client is the compiled one: the hooks of git choose the fastest way by it. */
  readonly compiled: string;
}

export function daemonPaths(home = seamHome()): DaemonPaths {
  const run = join(home, "run");
  const bin = join(home, "bin");
  return {
    home,
    run,
    socket: join(run, "daemon.sock"),
    token: join(run, "token"),
    port: join(run, "port"),
    pid: join(run, "pid"),
    spool: join(run, "spool"),
    journal: join(run, "journal"),
    cursor: join(run, "cursor"),
    sessionFolders: join(run, "session-folders"),
    log: join(run, "daemon.log"),
    block: join(run, "block"),
    unavailable: join(run, "unavailable"),
    curl: join(run, "curl"),
    starting: join(run, "starting"),
    failed: join(run, "failed"),
    missed: join(run, "missed"),
    deaths: join(run, "deaths"),
    doing: join(run, "doing"),
    ended: join(run, "ended"),
    bin,
    spare: join(home, "spare"),
    hook: join(bin, "hook"),
    compiled: join(run, "compiled"),
  };
}

const PRIVATE = 0o700;

/** Makes the folders, closed to everyone else. Throws if they belong to somebody else. */
export function prepareFolders(paths: DaemonPaths): void {
  const { home, run, spool, journal, unavailable, bin, spare } = paths;
  mkdirSync(home, { recursive: true, mode: PRIVATE });
  for (const folder of [run, spool, journal, unavailable, bin, spare]) {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
  }
  const { uid, mode } = statSync(run);
  if (process.getuid && uid !== process.getuid()) {
    throw new SeamError("SEAM_DAEMON_FOLDER", { path: run, detail: "belongs to another user" });
  }
  if ((mode & 0o077) !== 0) chmodSync(run, PRIVATE);
}

/** The system takes no more than about a hundred characters as the name of a socket. */
const LONGEST_SOCKET = 100;

/** The socket by a name the system takes, if there is one. */
export function shortSocketPath({ socket }: DaemonPaths): string {
  if (Buffer.byteLength(socket) <= LONGEST_SOCKET) return socket;
  return relative(process.cwd(), socket);
}
