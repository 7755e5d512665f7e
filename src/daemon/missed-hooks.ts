import { appendFileSync, renameSync, rmSync, statSync } from "node:fs";
import { readText } from "../files/index.ts";
import type { DaemonPaths } from "./daemon-paths.ts";

/** Hooks that nobody was asked about, for one reason. */
export interface MissedHooks {
  /** What happened, as users read it. */
  readonly why: string;
  /** The outcome: gates that closed, hooks that passed, payloads that were not kept. */
  readonly became: "closed" | "open" | "lost";
  readonly count: number;
  /** ISO, of the last one. */
  readonly lastAt: string;
}

const WHY: Readonly<Record<string, string>> = {
  "no-daemon": "the daemon did not run and could not be started",
  "no-answer": "the daemon refused to answer, or took too long",
  hangs: "the daemon hung",
  "not-kept": "there was no room in the spool",
  unread: "what the agent sent could not be read",
  deadly: "the daemon ended over them again and again",
  failed: "the daemon failed over them",
};

const REMEMBERED_MS = 24 * 60 * 60_000;
const LARGEST = 256 * 1024;

/** What clients noted in the last 24 hours, also what the daemon has seen already. */
export function missedHooks(paths: DaemonPaths): MissedHooks[] {
  const text = `${readText(seenFile(paths)) ?? ""}${readText(paths.missed) ?? ""}`;
  return summed(text).filter(({ lastAt }) => Date.now() - Date.parse(lastAt) < REMEMBERED_MS);
}

/** Notes a hook that reached the daemon and that nobody was asked about, as clients note what they miss. */
export function noteUnasked(
  { missed }: DaemonPaths,
  { agent, hook }: { readonly agent: string; readonly hook: string },
  why: string,
  became: "open" | "closed",
): void {
  const seconds = Math.floor(Date.now() / 1000);
  try {
    // What nobody takes away must not fill the disk.
    if ((statSync(missed, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) return;
    appendFileSync(missed, `${seconds} ${agent} ${hook} ${why} ${became}\n`, { mode: 0o600 });
  } catch {
    // The hook is answered all the same, and the log says what happened.
  }
}

/** What clients noted since this was last called. Kept for `seam doctor`. */
export function takeMissedHooks(paths: DaemonPaths): MissedHooks[] {
  const taken = `${paths.missed}.taken`;
  try {
    renameSync(paths.missed, taken);
  } catch {
    return [];
  }
  const text = readText(taken) ?? "";
  const seen = seenFile(paths);
  const size = statSync(seen, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGEST) rmSync(seen, { force: true });
  appendFileSync(seen, text, { mode: 0o600 });
  rmSync(taken, { force: true });
  return summed(text);
}

export function describeMissed({ why, became, count }: MissedHooks): string {
  const hooks = count === 1 ? "1 hook" : `${count} hooks`;
  const outcome = {
    closed: "gates were closed, since an extension must not be missing",
    open: "they passed unasked",
    lost: "what they said is lost",
  }[became];
  return `${hooks} of agents got no answer, because ${why}: ${outcome}.`;
}

const seenFile = ({ missed }: DaemonPaths) => `${missed}.seen`;

const LINE = /^(\d{1,12}) (\S+) (\S+) (\S+)(?: (open|closed))?$/;

function summed(text: string): MissedHooks[] {
  const found = new Map<string, MissedHooks>();
  for (const line of text.split("\n")) {
    const [, seconds, , , why = "", became = "lost"] = LINE.exec(line) ?? [];
    if (seconds === undefined) continue;
    const key = `${why} ${became}`;
    found.set(key, {
      why: WHY[why] ?? why,
      became: became === "open" || became === "closed" ? became : "lost",
      count: (found.get(key)?.count ?? 0) + 1,
      lastAt: new Date(Number(seconds) * 1000).toISOString(),
    });
  }
  return [...found.values()];
}
