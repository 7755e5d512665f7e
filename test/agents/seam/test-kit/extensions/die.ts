import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI } from "agentseam";

const DIED = join(dirname(fileURLToPath(import.meta.url)), "..", "died");

/** Takes the daemon down in the middle of a question, once. Its successor is asked again. */
export default function die(pi: ExtensionAPI) {
  pi.on("tool_call", ({ input }) => {
    if (input.command !== "echo dies-here") return;
    if (!existsSync(DIED)) {
      writeFileSync(DIED, "");
      process.kill(process.pid, "SIGKILL");
    }
    return { block: true, reason: "It was asked again." };
  });
}
