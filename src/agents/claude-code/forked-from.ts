import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readFileLines } from "../transcripts/file-lines.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { type Json, parsed, record, text } from "../transcripts/json.ts";
import { openReadable } from "../transcripts/readable-file.ts";

/** Enough for the lines with which a transcript begins. */
const HEAD_BYTES = 64 * 1024;
const MOST_BEFORE_FIRST = 100;
/** So many of the latest sessions of a project are looked at. */
const MOST_LOOKED_AT = 200;

/** When a session began, and the first line of its conversation. */
interface Beginning {
  readonly at: number;
  readonly first: Json;
}

/**
 * The session that a fork comes from. `--fork-session` gives the copied lines the name of the fork,
 * and only their ids tell where they were written first: in the session of the same project that has
 * the most of them, and had begun before the last of those was said. Not all of them need to be there:
 * what was said in a turn that had no end gets one when it is copied.
 */
export async function forkedFrom(ref: string): Promise<string | undefined> {
  const begun = beginning(ref);
  if (!begun || timeOf(begun.first) >= begun.at) return undefined;
  const carried = new Map<unknown, Carried>();
  await eachLine(ref, (line) => {
    const at = timeOf(line);
    if (at < begun.at && isSaid(line)) carried.set(line.uuid, { at, number: carried.size });
  });
  let best: { readonly path: string; readonly number: number } | undefined;
  for (const path of others(ref)) {
    const origin = beginning(path);
    if (!origin || origin.first.uuid !== begun.first.uuid) continue;
    const last = await lastOf(carried, path);
    if (!last || origin.at > last.at || last.number <= (best?.number ?? -1)) continue;
    best = { path, number: last.number };
  }
  return best && basename(best.path, ".jsonl");
}

/** A line that a fork has from elsewhere: when it was said, and how many came before it. */
interface Carried {
  readonly at: number;
  readonly number: number;
}

async function lastOf(
  carried: ReadonlyMap<unknown, Carried>,
  path: string,
): Promise<Carried | undefined> {
  let last: Carried | undefined;
  await eachLine(path, ({ uuid }) => {
    const one = carried.get(uuid);
    if (one && one.number >= (last?.number ?? 0)) last = one;
  });
  return last;
}

/** Undefined for a file that cannot be read, is no session's, or has nothing of a conversation yet. */
function beginning(path: string): Beginning | undefined {
  const lines = headRecords(headOf(path), MOST_BEFORE_FIRST);
  const at = lines.map(timeOf).find((time) => !Number.isNaN(time));
  const first = lines.find(isSaid);
  return at === undefined || !first ? undefined : { at, first };
}

const isSaid = (line: Json) => text(line.uuid) !== undefined && !Number.isNaN(timeOf(line));

const timeOf = ({ timestamp }: Json) => Date.parse(text(timestamp) ?? "");

function headOf(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openReadable(path);
    try {
      return head.subarray(0, file.read(head, head.length, 0));
    } finally {
      file.close();
    }
  } catch {
    // Another session's file is nothing to fail over: it may have been removed by now.
    return head.subarray(0, 0);
  }
}

async function eachLine(path: string, look: (line: Json) => void): Promise<void> {
  const file = openReadable(path);
  try {
    await readFileLines(file, 0, file.stat().size, (line) => look(record(parsed(line.toString()))));
  } finally {
    file.close();
  }
}

/** The other sessions of the project, the latest first. */
function others(ref: string): string[] {
  const folder = dirname(ref);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl") && name !== basename(ref))
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_LOOKED_AT)
    .map(({ path }) => path);
}
