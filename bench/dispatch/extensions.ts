import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Each handler does nothing: what is left is the cost of the way to it and back.
const SOURCE = `export default function (pi) {
  pi.on("turn_start", () => {});
  pi.on("agent_end", async () => {});
  pi.on("tool_call", () => {});
}
`;

/** Writes extensions that listen to three events and ignore them. Returns their paths. */
export function writeExtensions(folder: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const path = join(folder, `extension-${String(index).padStart(2, "0")}.ts`);
    writeFileSync(path, SOURCE);
    return path;
  });
}
