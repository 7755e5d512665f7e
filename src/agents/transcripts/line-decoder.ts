import { isRecord } from "../../values/index.ts";
import type { LineFormat } from "./format.ts";

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const RETURN = 0x0d;
const SPACE = 0x20;
const CLOSING = 0x7d;

/** The bytes of a line without what some editors put around it. */
export function bareLine(line: Buffer, position: number): Buffer {
  const end = line.at(-1) === RETURN ? line.length - 1 : line.length;
  const hasBom = position === 0 && line.subarray(0, BOM.length).equals(BOM);
  return line.subarray(hasBom ? BOM.length : 0, end);
}

export function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte <= SPACE && byte !== 0);
}

/** What a line says to its format. Throws if it says nothing that can be understood. */
export function decodeLine(format: LineFormat, line: Buffer): unknown {
  const text = line.toString("utf8");
  return format.decode ? format.decode(text) : JSON.parse(text);
}

/**
 * Whether a line without an end is one all the same: an object that is closed cannot go on. Text
 * can, so formats with a decoder of their own wait for the line end.
 */
export function isWholeWithoutEnd(format: LineFormat, rest: Buffer): boolean {
  if (format.decode || rest.at(-1) !== CLOSING) return false;
  try {
    return isRecord(JSON.parse(rest.toString("utf8")));
  } catch {
    return false;
  }
}
