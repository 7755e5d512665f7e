import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { messageOf } from "../../errors/index.ts";
import { isAbsent } from "../run/is-absent.ts";

/**
 * Why a file is left out. `elsewhere` is behind a link or in another repository, `refused` is what
 * whoever stores it does not want in git; `unfiltered` would go through a filter that does not run.
 */
export type SkipReason =
  | "missing"
  | "not-a-file"
  | "too-big"
  | "unreadable"
  | "changing"
  | "forbidden-name"
  | "elsewhere"
  | "refused"
  | "unfiltered";

export interface Skipped {
  readonly skipped: SkipReason;
  readonly size?: number;
  readonly detail?: string;
}

/** What git would store for a path: the bytes of a small file or a link, or an open big file. */
export type FileContent =
  | { readonly mode: string; readonly bytes: Buffer }
  | { readonly mode: string; readonly handle: FileHandle; readonly size: number };

/** Up to here a file is read in one go: its pages are in memory, somebody has just written them. */
const SMALL = 1024 * 1024;

/** A program that is writing to a file is given a few chances to finish. */
const TRIES = 3;

/** It may have become a link or a pipe: the one must not be followed, the other not waited for. */
const CAREFUL = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The caller closes the handle, if there is one. */
export async function openContent(
  path: string | Buffer,
  maxBytes: number,
): Promise<FileContent | Skipped> {
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) {
      return { mode: "120000", bytes: readlinkSync(path, { encoding: "buffer" }) };
    }
    const isBig = stats.size > SMALL && stats.size <= maxBytes;
    return unfit(stats, maxBytes) ?? (isBig ? await openBig(path, maxBytes) : readSmall(path));
  } catch (error) {
    if (isAbsent(error)) return { skipped: "missing" };
    return { skipped: "unreadable", detail: messageOf(error) };
  }
}

function unfit(stats: Stats, maxBytes: number): Skipped | undefined {
  if (!stats.isFile()) return { skipped: "not-a-file" };
  return stats.size > maxBytes ? { skipped: "too-big", size: stats.size } : undefined;
}

async function openBig(path: string | Buffer, maxBytes: number): Promise<FileContent | Skipped> {
  const handle = await open(path, CAREFUL);
  const stats = await handle.stat();
  const reason = unfit(stats, maxBytes);
  if (!reason) return { mode: modeOf(stats), handle, size: stats.size };
  await handle.close();
  return reason;
}

function readSmall(path: string | Buffer): FileContent | Skipped {
  const fd = openSync(path, CAREFUL);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { skipped: "not-a-file" };
    return { mode: modeOf(stats), bytes: readWhole(fd) };
  } finally {
    closeSync(fd);
  }
}

/** Prefers a state in which nobody wrote meanwhile; what was read is taken when there is none. */
function readWhole(fd: number): Buffer {
  for (let tries = 1; ; tries++) {
    const before = fstatSync(fd, { bigint: true });
    // Since the first look it may have grown beyond all bounds: its beginning will do then.
    const bytes = readFrom(fd, Math.min(Number(before.size), SMALL));
    if (tries === TRIES || isSame(before, fstatSync(fd, { bigint: true }))) return bytes;
  }
}

function readFrom(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const read = readSync(fd, bytes, at, size - at, at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}

function modeOf(stats: Stats): string {
  return (stats.mode & 0o100) === 0 ? "100644" : "100755";
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

export const isSkipped = (value: object): value is Skipped => "skipped" in value;
