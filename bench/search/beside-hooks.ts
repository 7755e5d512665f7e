import { rmSync } from "node:fs";
import { join } from "node:path";
import { DIST } from "../built.ts";
import { atMost, type Case, median } from "../frame.ts";
import { end, newPlace, payload, startDaemon, timeHook } from "../hooks/daemon.ts";
import type { Corpus } from "./corpus.ts";

type SearchRoom = typeof import("../../src/search/index.ts");
type DaemonRoom = typeof import("../../src/daemon/index.ts");

/** What a hook takes while the same daemon reads transcripts into the index. */
export async function* besideHooksCases(
  folder: string,
  { home }: Corpus,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("hooks while transcripts are indexed");
  const place = await newPlace(join(folder, "hooks"));
  const daemon = await startDaemon({ ...place, env: { ...place.env, HOME: home } });
  try {
    const { refreshIndex, rebuildIndex }: SearchRoom = await import(
      new URL("search/index.js", DIST).href
    );
    const { daemonPaths }: DaemonRoom = await import(new URL("daemon/index.js", DIST).href);
    const paths = daemonPaths(place.home);
    const call = payload(place, "beside", "ls -la");
    for (let n = 0; n < 30; n++) timeHook(place, call);
    const usual: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 60; n++) usual.push(timeHook(place, call));
      await rebuildIndex(paths, 1);
      for (let isDone = false; !isDone && beside.length < (round + 1) * 200; ) {
        for (let n = 0; n < 10; n++) beside.push(timeHook(place, call));
        isDone = (await refreshIndex(paths, 1)).isComplete;
      }
    }
    yield atMost({
      name: "a hook while transcripts are indexed",
      value: median(beside) / median(usual),
      bar: 1.5,
      unit: "times as long as usual",
      detail: [
        { name: "meanwhile", value: median(beside), unit: "ms" },
        { name: "usual", value: median(usual), unit: "ms" },
        { name: "hooks meanwhile", value: beside.length, unit: "" },
      ],
    });
  } finally {
    await end(daemon);
    rmSync(join(place.home, "search"), { recursive: true, force: true });
  }
}
