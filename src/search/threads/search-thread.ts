import { Worker } from "node:worker_threads";
import { SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import { AskedThread } from "../../threads/index.ts";
import type { Progress } from "../indexing/indexer.ts";
import type { SearchCalls, SearchNews, SearchTask } from "./protocol.ts";

interface Options extends SearchTask {
  readonly log: (level: "info" | "warn", text: string) => void;
  readonly onProgress?: (progress: Progress) => void;
  readonly onDamage?: (detail: string) => void;
}

/** A transcript that is out of all bounds ends the thread and not the daemon. */
const MEMORY_MB = 512;
/** Nearly all that is read is dropped at once: more room for it is only memory. */
const YOUNG_MB = 12;
/** A statement is finished and the index closed in less than this, and the daemon waits no longer. */
const LEAVE_MS = 4_000;

export type SearchThread = AskedThread<SearchCalls, SearchNews>;

/** One thread of search. */
export function searchThread({ duty, home, log, onProgress, onDamage }: Options): SearchThread {
  const task: SearchTask = { duty, home };
  return new AskedThread({
    start: () =>
      new Worker(builtFile("bin/search-worker.js"), {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      }),
    hear: (news) => {
      if (news.say === "log") log(news.level, news.text);
      else if (news.say === "damage") onDamage?.(news.detail);
      else onProgress?.(news.progress);
    },
    leaveMs: LEAVE_MS,
    failure: (detail) => new SeamError("SEAM_INDEX_FAILED", { path: "the daemon", detail }),
    onEnd: (why) => log("warn", `A thread of search ended: ${why}`),
  });
}
