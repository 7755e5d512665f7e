/** The search for secrets: what it misses, what it takes for one, and what it costs. */
import { requireBuild } from "./built.ts";
import type { Bench } from "./frame.ts";
import { alarmCases } from "./redaction/alarms.ts";
import { missedCases } from "./redaction/missed.ts";
import { loadRedactor } from "./redaction/redactor.ts";
import { speedCases } from "./redaction/speed.ts";

const bench: Bench = async function* (say) {
  await requireBuild();
  const redactor = await loadRedactor();
  yield* missedCases(redactor, say);
  yield* alarmCases(redactor, say);
  yield* speedCases(redactor, say);
};

export default bench;
