import { type Fault, walk } from "../../test/crew/walk.ts";
import { atMost, type Case } from "../frame.ts";

const FAULTS: readonly Fault[] = ["daemon", "agent", "both", "stop"];

/** Kills and stops at every step of a run of six tasks; a stop is longer than the lease. */
export async function* faultCases(say: (text: string) => void): AsyncGenerator<Case> {
  for (const fault of FAULTS) {
    say(`a fault walk: ${fault}`);
    const { state, faults, starts, lost, merges, left } = await walk({ fault, leaseSeconds: 1 });
    const counts = Object.values(merges);
    const twice = counts.filter((count) => count > 1).length;
    const extra = starts - counts.length;
    const isBad = state !== "done" || extra > faults;
    yield atMost({
      name: `fault walk (${fault}): results lost, merges twice, processes left`,
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
