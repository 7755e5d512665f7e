import { parse, record } from "../model-server/json.ts";

/** The first text a top-level field has in lines of JSON; other lines do not matter. */
export function fieldInLines(lines: string, field: string): string | undefined {
  for (const line of lines.split("\n")) {
    const value = record(parse(line))[field];
    if (typeof value === "string") return value;
  }
  return undefined;
}
