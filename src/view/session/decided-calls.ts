import { type AllowedCall, type BlockedCall, openRepoRecord, turns } from "../../record/index.ts";
import type { Allowed, Stop } from "../api.ts";
import type { FoundSession } from "./find-session.ts";

const MOST_TURNS = 500;

export function stopOf({ reason, at, by, asked }: BlockedCall): Stop {
  return { reason, at, ...(by !== undefined && { by }), ...(asked && { asked }) };
}

/** The calls of a session that somebody decided about, by their id, as far as the record knows. */
export async function decidedCalls(
  { repo, state }: FoundSession,
  session: string,
): Promise<{ stops: Map<string, Stop>; allowed: Map<string, Allowed> }> {
  const told: Told[] = state ? [state.pending, state.turn_told ?? {}] : [];
  if (repo) {
    const record = openRepoRecord(repo);
    try {
      const known = await turns(record.store, { session, limit: MOST_TURNS });
      told.push(...known.map(({ story = {} }) => story));
    } catch {
      // A record that cannot be read does not hide the transcript.
    } finally {
      await record.store.close();
    }
  }
  return {
    stops: byId(
      told.flatMap(({ blocked_calls = [] }) => blocked_calls),
      stopOf,
    ),
    allowed: byId(
      told.flatMap(({ allowed_calls = [] }) => allowed_calls),
      ({ who, by }) => ({ who, ...(by !== undefined && { by }) }),
    ),
  };
}

interface Told {
  readonly blocked_calls?: readonly BlockedCall[];
  readonly allowed_calls?: readonly AllowedCall[];
}

function byId<Call extends { readonly tool_use_id?: string }, Shown>(
  calls: readonly Call[],
  shown: (call: Call) => Shown,
): Map<string, Shown> {
  return new Map(
    calls.flatMap((one) =>
      one.tool_use_id === undefined ? [] : [[one.tool_use_id, shown(one)] as const],
    ),
  );
}
