import { isRecord } from "../../values/index.ts";
import { type Json, parsed } from "./json.ts";

/**
 * The records at the beginning of a JSONL file. The last line of a head is cut off as a rule, so
 * only whole lines count, unless the head is all there is.
 */
export function headRecords(head: Buffer, most = 20): Json[] {
  const lines = head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split("\n");
  return lines.slice(0, most).map(parsed).filter(isRecord);
}
