import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { uptime } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, processStart, processStat, readText, realTarget } from "../../files/index.ts";
import { attemptFiles } from "./attempt-files.ts";

/** One process of the system, and no other that has its number later. */
export interface NamedProcess {
  readonly pid: number;
  /** "" where the system does not tell. */
  readonly processStart: string;
  /** Which start of the machine it belongs to; absent where the system does not tell. */
  readonly boot?: string;
  /** How many seconds the machine had slept by then, since it was started. */
  readonly slept?: number;
}

/** Changes with every start of the machine: numbers and start times of processes begin anew then. */
export function bootId(): string | undefined {
  return readText("/proc/sys/kernel/random/boot_id")?.trim();
}

/** The variable by which every process of an attempt is known, wherever it went. */
export const ATTEMPT_MARK = "SEAM_CREW_ATTEMPT";

const GRACE_MS = 3_000;
const FIRST_LOOK_MS = 2;
const LOOK_MS = 25;

/** The process that an attempt's folder names; undefined before it was started. */
export function processIn(folder: string): NamedProcess | undefined {
  const words = (readText(attemptFiles(folder).pid) ?? "").trim().split(" ");
  const [pid = "", start = "", boot, slept] = words;
  if (!/^\d+$/.test(pid)) return undefined;
  return {
    pid: Number(pid),
    processStart: start,
    ...(boot !== undefined && { boot }),
    ...(slept !== undefined && { slept: Number(slept) }),
  };
}

/** Whether this very process still runs. */
export function lives({ pid, processStart: start, boot }: NamedProcess): boolean {
  if (isOfBefore(boot)) return false;
  const now = processStart(pid);
  return now !== undefined && (now === start || now === "" || start === "");
}

/** Whether the machine was started again since. */
const isOfBefore = (boot: string | undefined) => boot !== undefined && boot !== bootId();

/** Linux counts the start of processes in hundredths of a second since the machine was started. */
const TICKS = 100;

/** For how many seconds the machine slept since it was started: one of two clocks goes on meanwhile. */
export function sleptSeconds(): number {
  return uptime() - Number(process.hrtime.bigint()) / 1e9;
}

/** How long a process runs, on a clock that nobody sets. A machine that sleeps does not work. */
export function ageInMinutes({ processStart: start, boot, slept }: NamedProcess): number {
  if (isOfBefore(boot)) return 0;
  const asleep = slept === undefined ? 0 : sleptSeconds() - slept;
  return Math.max(0, secondsSince(start) - Math.max(0, asleep)) / 60;
}

function secondsSince(start: string): number {
  if (process.platform !== "linux") {
    const since = Date.parse(start.replaceAll("_", " "));
    return Number.isNaN(since) ? 0 : (Date.now() - since) / 1_000;
  }
  return /^\d+$/.test(start) ? uptime() - Number(start) / TICKS : 0;
}

/** What the processes of an attempt are known by. */
interface Marks {
  readonly attempt: string;
  readonly named: NamedProcess | undefined;
  /** The walls around it: nobody inside of them gets out. */
  readonly walls: KnownWalls | undefined;
}

/** By what the walls around an attempt are known. */
interface KnownWalls {
  /** The file system inside of them. Its number is given to the next walls as soon as these are gone. */
  readonly namespace: string;
  /** The attempt's own folder, which is mounted inside of these walls and of no others. */
  readonly folder: string;
}

/**
 * Processes of an attempt: those of its group, those that left it and still carry its mark, and
 * those that are inside of its walls, whatever they did to their group and their environment. What
 * is older than the attempt cannot carry its mark, which spares looking into most of a machine's
 * processes.
 */
export function processesOf({ attempt, named, walls }: Marks): number[] {
  const mark = Buffer.from(`${ATTEMPT_MARK}=${attempt}\0`);
  const group = named && isStillGroup(named) ? named.pid : undefined;
  const since = Number(named?.processStart) || 0;
  return allProcesses().filter((pid) => {
    if (pid === process.pid) return false;
    const stat = processStat(pid);
    if (!stat || stat.hasEnded) return false;
    if (group !== undefined && stat.group === group) return true;
    if (Number(stat.started) >= since && carries(pid, mark)) return true;
    return walls !== undefined && isInsideOf(walls, pid);
  });
}

/** The file system that a process sees. */
function namespaceOf(pid: number | "self"): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    // It is gone, or somebody else's.
    return undefined;
  }
}

/** The walls around the agent of an attempt; never those in which this process is itself. */
export function wallsIn(folder: string): KnownWalls | undefined {
  const text = readText(attemptFiles(folder).walls) ?? "";
  const number = /"mnt-namespace":\s*(\d+)/.exec(text)?.[1];
  const namespace = `mnt:[${number}]`;
  if (number === undefined || namespace === namespaceOf("self")) return undefined;
  return { namespace, folder: realTarget(folder) };
}

function isInsideOf({ namespace, folder }: KnownWalls, pid: number): boolean {
  if (namespaceOf(pid) !== namespace) return false;
  const mounts = readText(`/proc/${pid}/mountinfo`) ?? "";
  return mounts.split("\n").some((line) => line.split(" ")[4] === asMounted(folder));
}

/** A path as the kernel writes it in a list of mounts. */
const asMounted = (path: string) =>
  path.replace(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);

function allProcesses(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function carries(pid: number, mark: Buffer): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    const at = environment.indexOf(mark);
    return at === 0 || (at > 0 && environment[at - 1] === 0);
  } catch {
    // It is gone, or somebody else's.
    return false;
  }
}

/**
 * Waits a moment for the shell around an agent that has ended: it has nothing more to do, and to look
 * through all processes of a machine while it is still there would have to be done twice.
 */
export async function shellEnds(named: NamedProcess): Promise<void> {
  for (let looks = 0; looks < LOOK_MS && lives(named); looks++) await sleep(1);
}

/**
 * Ends all processes of an attempt: asks first, then forces. A group that is not the attempt's any
 * more, because its number was given to another process, is left alone.
 */
export async function endProcesses(
  attempt: string,
  named: NamedProcess | undefined,
  walls?: KnownWalls,
): Promise<void> {
  const group = named && isStillGroup(named) ? named.pid : undefined;
  const left = () => {
    const found = processesOf({ attempt, named, walls });
    // Without /proc only the group can be asked.
    return found.length > 0 || process.platform === "linux" ? found : groupAlone(group);
  };
  const first = left();
  if (first.length === 0) return;
  signalAll(first, group, "SIGTERM");
  const deadline = Date.now() + GRACE_MS;
  for (let wait = FIRST_LOOK_MS; left().length > 0; wait = Math.min(2 * wait, LOOK_MS)) {
    if (Date.now() >= deadline) {
      signalAll(left(), group, "SIGKILL");
      await sleep(LOOK_MS);
      // What was forked in the meantime.
      signalAll(left(), group, "SIGKILL");
      return;
    }
    await sleep(wait);
  }
}

/** The leader may be gone while its group works on: then nobody else can have its number. */
function isStillGroup(named: NamedProcess): boolean {
  return lives(named) || (!isOfBefore(named.boot) && !isRunning(named.pid));
}

function groupAlone(group: number | undefined): number[] {
  if (group === undefined) return [];
  try {
    process.kill(-group, 0);
    return [group];
  } catch {
    return [];
  }
}

function signalAll(
  pids: readonly number[],
  group: number | undefined,
  signal: NodeJS.Signals,
): void {
  for (const one of group === undefined ? pids : [-group, ...pids]) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended.
    }
  }
}
