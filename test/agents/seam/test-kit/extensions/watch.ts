import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EVENT_NAMES, type ExtensionAPI } from "agentseam";

const SEEN = join(dirname(fileURLToPath(import.meta.url)), "..", "seen.jsonl");

/** Writes down every event, as it came. */
export default function watch(pi: ExtensionAPI) {
  for (const name of EVENT_NAMES) {
    pi.on(name, (event: object) => {
      appendFileSync(SEEN, `${JSON.stringify(event)}\n`);
    });
  }
}
