import { type Fault, walk } from "../../test/crew/walk.ts";
import { atMost, type Case } from "../frame.ts";

interface Walk {
  readonly fault: Fault;
  readonly leaseSeconds: number;
  readonly first?: number;
  readonly most?: number;
}

/** A stop is longer than the lease. The last is as long as in practice: a minute, with the usual lease. */
const WALKS: Readonly<Record<string, Walk>> = {
  daemon: { fault: "daemon", leaseSeconds: 1 },
  agent: { fault: "agent", leaseSeconds: 1 },
  both: { fault: "both", leaseSeconds: 1 },
  stop: { fault: "stop", leaseSeconds: 1 },
  "everything stopped for 60 s": { fault: "sleep", leaseSeconds: 40, first: 12, most: 1 },
};

/** Kills and stops at every step of a run of six tasks. */
export async function* faultCases(say: (text: string) => void): AsyncGenerator<Case> {
  for (const [name, options] of Object.entries(WALKS)) {
    say(`a fault walk: ${name}`);
    const { state, faults, starts, lost, merges, left } = await walk(options);
    const counts = Object.values(merges);
    const twice = counts.filter((count) => count > 1).length;
    const extra = starts - counts.length;
    const isBad = state !== "done" || extra > faults;
    yield atMost({
      name: `fault walk (${name}): results lost, merges twice, processes left`,
      value: lost.length + twice + left.length + (isBad ? 1 : 0),
      bar: 0,
      unit: "in all",
      detail: [
        { name: "faults", value: faults, unit: "times" },
        { name: "agent starts beyond one for each task", value: extra, unit: "times" },
      ],
    });
  }
}
