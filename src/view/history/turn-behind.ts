import type { Repo } from "../../git/index.ts";
import { openRepoRecord, turns } from "../../record/index.ts";
import type { TurnTimeline } from "../api.ts";

const MOST_TURNS = 200;
/** The clocks of an agent's transcript and of its hooks are read at different moments. */
const LATE_MS = 30_000;

/** The recorded turn that a turn of a transcript is, so that one can go back to it. */
export async function turnBehind(
  repo: Repo,
  session: string,
  { startedAt, endedAt }: Pick<TurnTimeline, "startedAt" | "endedAt">,
): Promise<TurnTimeline["turn"]> {
  if (startedAt === undefined || endedAt === undefined) return undefined;
  const record = openRepoRecord(repo);
  try {
    const [from, to] = [Date.parse(startedAt) - LATE_MS, Date.parse(endedAt) + LATE_MS];
    const known = await turns(record.store, { session, limit: MOST_TURNS });
    const near = known.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to);
    const distance = (at: string) => Math.abs(Date.parse(at) - Date.parse(startedAt));
    const turn = near.sort((a, b) => distance(a.at) - distance(b.at))[0];
    if (!turn) return undefined;
    const { id, start, end, thinned } = turn;
    const isKept = thinned !== true;
    return { id, canStart: isKept && start !== undefined, canEnd: isKept && end !== undefined };
  } catch {
    return undefined;
  } finally {
    await record.store.close();
  }
}
