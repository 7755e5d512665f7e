import { request } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Case, interleave, median, medians, pairedRatio } from "../frame.ts";
import {
  end,
  newPlace,
  onlyWithCurl,
  onlyWithNode,
  type Place,
  payload,
  run,
  startDaemon,
  timeHook,
  timeNode,
} from "./daemon.ts";

const SESSIONS = 500;
/** More threads than this the daemon does not keep. */
const WITH_WORKERS = 20;

/** What a hook costs an agent that waits for it. */
export async function* roundTripCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("hooks of a warm daemon");
  const place = newPlace(folder);
  run(place, ["daemon", "start"]);
  run(place, ["daemon", "stop"]);
  ensureClient(place);
  const daemon = await startDaemon(place);
  try {
    const ask = payload(place, "one", "ls -la");
    timeHook(place, payload(place, "one", "rm -rf /"));
    const [curl, node] = [onlyWithCurl(place), onlyWithNode(place)];
    const series = await interleave(
      {
        "node -e 0": async () => timeNode(place),
        hook: async () => timeHook(place, ask),
        "with curl": async () => timeHook(place, ask, curl),
        "with node": async () => timeHook(place, ask, node),
      },
      { rounds: 60, warmUps: 3 },
    );
    const bare = series["node -e 0"];
    yield atMost({
      name: "a hook, warm daemon, one extension, through sh -c",
      value: pairedRatio(series.hook, bare),
      bar: 0.5,
      unit: "times as long as node -e 0",
      detail: medians({ hook: series.hook, "node -e 0": bare, "with curl": series["with curl"] }, "ms"),
    });
    yield atMost({
      name: "the slowest of twenty such hooks (p95)",
      value: high(series.hook) / median(bare),
      bar: 0.8,
      unit: "times the median of node -e 0",
      detail: [
        { name: "hook", value: high(series.hook), unit: "ms" },
        { name: "p95 of node -e 0", value: high(bare), unit: "ms" },
      ],
    });
    yield atMost({
      name: "a hook without perl and curl",
      value: pairedRatio(series["with node"], bare),
      bar: 1.5,
      unit: "times as long as node -e 0",
      detail: medians({ hook: series["with node"], "node -e 0": bare }, "ms"),
    });
    say(`${SESSIONS} sessions`);
    const alone = await oneAndMany(place, ask);
    yield atMost({
      name: `a hook with ${SESSIONS} sessions known`,
      value: pairedRatio(alone.many, alone.one),
      bar: 1.1,
      unit: "times as long as with one",
      detail: medians({ [`${SESSIONS} sessions`]: alone.many, "one session": alone.one }, "ms"),
    });
  } finally {
    await end(daemon);
  }
}
