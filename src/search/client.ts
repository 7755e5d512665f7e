import { askService, type DaemonPaths } from "../daemon/index.ts";
import type { SearchAnswer, StatsAnswer } from "./answer.ts";
import type { SearchRequest, StatsRequest } from "./request.ts";
import type { Answered, Freshness } from "./service.ts";
import type { IndexSize } from "./threads/protocol.ts";

/**
 * Questions to the search in the daemon, which is started if it does not run. What it answers is of
 * this same program, so it is taken as it is.
 */
export async function search(
  paths: DaemonPaths,
  request: SearchRequest,
  waitMs?: number,
): Promise<Answered<SearchAnswer>> {
  return (await asked(paths, "/v1/search", { request, waitMs })) as Answered<SearchAnswer>;
}

export async function stats(
  paths: DaemonPaths,
  request: StatsRequest,
  waitMs?: number,
): Promise<Answered<StatsAnswer | undefined>> {
  return (await asked(paths, "/v1/stats", { request, waitMs })) as Answered<
    StatsAnswer | undefined
  >;
}

/**
 * Looks at what is new on disk, and waits so long for it to be in the index. Whoever asks again
 * names the pass that the answer before spoke of.
 */
export async function refreshIndex(
  paths: DaemonPaths,
  waitMs: number,
  pass?: number,
): Promise<Freshness> {
  return (await asked(paths, "/v1/search/refresh", { waitMs, pass })) as Freshness;
}

/** Deletes the index and makes it again. */
export async function rebuildIndex(paths: DaemonPaths, waitMs: number): Promise<Freshness> {
  return (await asked(paths, "/v1/search/rebuild", { waitMs })) as Freshness;
}

/** Takes a session out of the index, for good. */
export async function forgetInIndex(paths: DaemonPaths, session: string): Promise<void> {
  await asked(paths, "/v1/search/forget", { session });
}

export async function indexSize(paths: DaemonPaths): Promise<Partial<IndexSize>> {
  return (await askService(paths, "GET", "/v1/search/size")) as Partial<IndexSize>;
}

function asked(paths: DaemonPaths, path: string, body: object): Promise<unknown> {
  return askService(paths, "POST", path, body);
}
