import { openRepoRecord, turns } from "../../record/index.ts";
import type { Stop } from "../api.ts";
import type { FoundSession } from "./find-session.ts";

const MOST_TURNS = 500;

interface Blocked {
  readonly tool_use_id?: string;
  readonly at: string;
  readonly reason: string;
  readonly by?: string;
  readonly asked?: true;
}

export function stopOf({ reason, at, by, asked }: Blocked): Stop {
  return { reason, at, ...(by !== undefined && { by }), ...(asked && { asked }) };
}

/** The calls of a session that were stopped, by their id, as far as the record knows. */
export async function stopsOf(
  { repo, state }: FoundSession,
  session: string,
): Promise<Map<string, Stop>> {
  const blocked: Blocked[] = [
    ...(state?.pending.blocked_calls ?? []),
    ...(state?.turn_told?.blocked_calls ?? []),
  ];
  if (repo) {
    const record = openRepoRecord(repo);
    try {
      const told = await turns(record.store, { session, limit: MOST_TURNS });
      blocked.push(...told.flatMap(({ story }) => story?.blocked_calls ?? []));
    } catch {
      // A record that cannot be read does not hide the transcript.
    } finally {
      await record.store.close();
    }
  }
  return new Map(
    blocked.flatMap((one) =>
      one.tool_use_id === undefined ? [] : [[one.tool_use_id, stopOf(one)] as const],
    ),
  );
}
