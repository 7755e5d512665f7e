import { join } from "node:path";
import { atMost, type Case, interleave, median, medians, pairedRatio } from "../frame.ts";
import {
  checkHook,
  end,
  hookStart,
  newPlace,
  onlyWithCurl,
  onlyWithNode,
  payload,
  startDaemon,
  timeHook,
} from "./daemon.ts";
import { newStopwatch } from "./stopwatch.ts";

/** What a hook costs an agent that waits for it. */
export async function* roundTripCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("hooks of a warm daemon");
  const place = await newPlace(join(folder, "one"));
  const daemon = await startDaemon(place);
  const stopwatch = newStopwatch();
  const timed = async (input: string, client?: string) => {
    const ended = await stopwatch.time(hookStart(place, input, client));
    checkHook(input, ended);
    return ended.ms;
  };
  const nothing = { path: process.execPath, args: ["-e", "0"], options: { env: place.env } };
  try {
    const call = payload(place, "one", "ls -la");
    // Loads the extension, and shows that it is asked.
    timeHook(place, payload(place, "one", "rm -rf /"));
    const [curl, node] = [onlyWithCurl(place), onlyWithNode(place)];
    const series = await interleave(
      {
        bare: async () => (await stopwatch.time(nothing)).ms,
        hook: () => timed(call),
        shell: () => timed(call, "hook.sh"),
        curl: () => timed(call, curl),
        node: () => timed(call, node),
      },
      { rounds: 60, warmUps: 3 },
    );
    const { bare, hook, shell } = series;
    yield atMost({
      name: "one decision: warm daemon, one extension, through sh -c",
      value: pairedRatio(hook, bare),
      bar: 0.2,
      unit: "times as long as node -e 0",
      detail: [
        ...medians({ hook, "node -e 0": bare }, "ms"),
        { name: "hook, p95", value: p95(hook), unit: "ms" },
        { name: "node -e 0, p95", value: p95(bare), unit: "ms" },
      ],
    });
    yield atMost({
      name: "the same, p95",
      value: p95(hook) / p95(bare),
      bar: 0.4,
      unit: "times as long as node -e 0",
      detail: [
        { name: "to the median of node -e 0", value: p95(hook) / median(bare), unit: "times" },
      ],
    });
    yield atMost({
      name: "a hook where there is no compiler, with the shell's client",
      value: pairedRatio(shell, bare),
      bar: 0.5,
      unit: "times as long as node -e 0",
      detail: medians({ hook: shell, "where there is no perl": series.curl }, "ms"),
    });
    yield atMost({
      name: "a hook where there is neither perl nor curl",
      value: pairedRatio(series.node, bare),
      bar: 1.5,
      unit: "times as long as node -e 0",
      detail: medians({ hook: series.node, "node -e 0": bare }, "ms"),
    });
  } finally {
    await stopwatch.end();
    await end(daemon);
  }
}

function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
