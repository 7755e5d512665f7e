import { LARGE_FILE, readRegular } from "../../files/index.ts";
import { idLength } from "../objects/object-id.ts";
import type { ObjectFormat } from "../repo/repo.ts";

/** Of an entry's header: what comes before its object id. */
const STAT_BYTES = 40;
const FLAG_BYTES = 2;
/** An entry with further flags may be one that stands for no content yet. */
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;
const HEADER_BYTES = 12;
const EXTENSION_BYTES = 8;
/** In version 4 names are packed, and entries are not filled up to a multiple of eight. */
const PACKED_NAMES = 4;

/**
 * The tree that a commit of the index would have, where git has noted it there: it does so right
 * before it asks for a message. Undefined where the index does not say, or says it in a way that is
 * git's own affair: split, sparse, with entries that are not merged or only announced.
 */
export function indexTree(file: string, format: ObjectFormat): string | undefined {
  try {
    return treeIn(readRegular(file, LARGE_FILE), format);
  } catch {
    // It is not there, is no file, is huge or breaks off.
    return undefined;
  }
}

function treeIn(bytes: Buffer, format: ObjectFormat): string | undefined {
  const idBytes = idLength(format) / 2;
  if (bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > PACKED_NAMES) return undefined;
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = at + STAT_BYTES + idBytes;
    const name = flags + FLAG_BYTES;
    if ((bytes.readUInt16BE(flags) & EXTENDED) !== 0) return undefined;
    at = version === PACKED_NAMES ? afterPacked(bytes, name) : afterName(bytes, at, flags);
  }
  for (const end = bytes.length - idBytes; at < end; ) {
    const signature = bytes.toString("latin1", at, at + 4);
    const content = at + EXTENSION_BYTES;
    // A small letter says that whoever does not know it must not go on.
    if (/^[a-z]/.test(signature)) return undefined;
    if (signature === "TREE") return rootOf(bytes, content, idBytes);
    at = content + bytes.readUInt32BE(at + 4);
  }
  return undefined;
}

function afterName(bytes: Buffer, entry: number, flags: number): number {
  const length = bytes.readUInt16BE(flags) & NAME_LENGTH;
  const name = flags + FLAG_BYTES;
  const end = length < NAME_LENGTH ? name + length : nulAfter(bytes, name);
  // With at least one NUL behind the name.
  return entry + (Math.floor((end - entry) / 8) + 1) * 8;
}

function afterPacked(bytes: Buffer, name: number): number {
  let at = name;
  while (bytes.readUInt8(at) >= 0x80) at++;
  return nulAfter(bytes, at + 1) + 1;
}

function nulAfter(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  if (end < 0) throw new RangeError("a name without an end");
  return end;
}

/** The root comes first: its name, which is empty, how many entries it covers, and its tree. */
function rootOf(bytes: Buffer, from: number, idBytes: number): string | undefined {
  const newline = bytes.indexOf("\n", from);
  const [, covered] = /^\0(-?\d+) \d+$/.exec(bytes.toString("latin1", from, newline)) ?? [];
  // Negative: something in it has changed since.
  if (covered === undefined || covered.startsWith("-")) return undefined;
  const id = bytes.subarray(newline + 1, newline + 1 + idBytes);
  return id.length === idBytes ? id.toString("hex") : undefined;
}
