import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI } from "agentseam";

const DIED = join(dirname(fileURLToPath(import.meta.url)), "..", "died");

/**
 * Takes the daemon down in the middle of a question, once, by a program of its own: a signal that an
 * extension sends itself ends only its thread. The successor of the daemon is asked again.
 */
export default function die(pi: ExtensionAPI) {
  pi.on("tool_call", ({ input }) => {
    if (input.command !== "echo dies-here") return;
    if (!existsSync(DIED)) {
      writeFileSync(DIED, "");
      execFileSync("kill", ["-9", String(process.pid)]);
    }
    return { block: true, reason: "It was asked again." };
  });
}
