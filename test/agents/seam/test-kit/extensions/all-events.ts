import { appendFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EventName, ExtensionAPI } from "agentseam";

const HOME = join(dirname(fileURLToPath(import.meta.url)), "..");
const NAMES: EventName[] = JSON.parse(readFileSync(join(HOME, "event-names.json"), "utf8"));

/** Writes down every event, as it came. By its name it is the first, and sees what others stop. */
export default function allEvents(pi: ExtensionAPI) {
  for (const name of NAMES) {
    pi.on(name, (event: object) => {
      appendFileSync(join(HOME, "seen.jsonl"), `${JSON.stringify(event)}\n`);
    });
  }
}
