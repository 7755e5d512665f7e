import type { EventName } from "../../events/index.ts";
import { CUT_OFF_CASES } from "./cut-off.ts";
import { type Hold, playStuck } from "./stuck-agent.ts";
import { STUCK_CASES } from "./stuck-cases.ts";

// Only the main thread of a process can be watched. Its argument: names of cases, or events and
// how they are held.
const cases = JSON.parse(process.argv[2] ?? "[]") as (string | [EventName, Hold])[];

async function play(one: string): Promise<unknown> {
  try {
    const play = STUCK_CASES[one] ?? CUT_OFF_CASES[one];
    return { name: one, ...(await play?.()) };
  } catch (thrown) {
    return { name: one, failed: String(thrown) };
  }
}

for (const one of cases) {
  const found = typeof one === "string" ? await play(one) : await playStuck(...one);
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
process.exit(0);
