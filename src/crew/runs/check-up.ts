import { existsSync, readdirSync, readFileSync } from "node:fs";
import { attemptId } from "../model/attempt-id.ts";
import { lives, processIn } from "../workers/index.ts";
import type { CrewContext } from "./crew-context.ts";
import { type Leftovers, leftovers } from "./leftovers.ts";

/** How crews are on this machine: what waits, and what is not as it should be. */
export interface CheckUp {
  readonly running: number;
  /** Runs that wait for a person, a limit or a place. */
  readonly waiting: readonly { readonly run: string; readonly reason: string }[];
  /** Processes of attempts that are over. */
  readonly orphans: readonly { readonly pid: number; readonly attempt: string }[];
  /** Attempts that count as under way and have no process. */
  readonly lost: readonly string[];
  /** Branches and worktrees of runs that are over. */
  readonly left: readonly Leftovers[];
}

export async function checkUp(crew: CrewContext): Promise<CheckUp> {
  const { store, worker, home } = crew;
  const runs = (await store.runs(["running", "waiting"])).filter(({ origin }) => origin === worker);
  const open = (await store.openAttempts()).filter((attempt) => attempt.worker === worker);
  const ids = new Set(open.map(attemptId));
  return {
    running: runs.filter(({ state }) => state === "running").length,
    waiting: runs
      .filter(({ state }) => state === "waiting")
      .map(({ id, reason = "" }) => ({ run: id, reason })),
    orphans: markedProcesses(home).filter(({ attempt }) => !ids.has(attempt)),
    lost: open
      .filter(({ folder, pid }) => {
        const named = processIn(folder);
        return pid !== undefined && named !== undefined && !lives(named);
      })
      .map(attemptId),
    left: await leftovers(crew),
  };
}

/** Processes that were started for attempts of this user's crews, as their environment says. */
function markedProcesses(home: string): { pid: number; attempt: string }[] {
  // Where there is no such folder nobody can tell.
  if (!existsSync("/proc")) return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const pid = Number(name);
    const environment = environmentOf(pid);
    const attempt = environment.get("SEAM_CREW_ATTEMPT")?.replace(/\.repair$/, "");
    const isOurs = attempt !== undefined && environment.get("SEAM_HOME") === home;
    return isOurs && pid !== process.pid ? [{ pid, attempt }] : [];
  });
}

/** Empty where it cannot be read: the process is gone, or somebody else's. */
function environmentOf(pid: number): Map<string, string> {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return new Map(
      lines.map((line) => {
        const at = line.indexOf("=");
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    );
  } catch {
    return new Map();
  }
}
