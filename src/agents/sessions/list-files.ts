import { readdirSync } from "node:fs";

/** Names in a folder, sorted; none if it is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
