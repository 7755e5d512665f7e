import { pathFromShown, type Repo } from "../../git/index.ts";
import type { Keeper } from "../keeper.ts";
import type { SessionState } from "../session/state.ts";
import { type Snapshot, takeSnapshot } from "./take-snapshot.ts";

/** The snapshot at the start or end of a turn; undefined, and said, if it could not be taken. */
export async function turnSnapshot(
  { record, log }: Keeper,
  repo: Repo,
  state: SessionState,
  moment: "start" | "end",
  { at, prompt }: { readonly at: string; readonly prompt?: string },
): Promise<Snapshot | undefined> {
  if (!repo.workTree || state.turn_id === undefined) return undefined;
  const isNamed = moment === "end" && !state.turn_ran_shell && state.turn_start_tree !== undefined;
  try {
    return await takeSnapshot(record, {
      session_id: state.session_id,
      agent: state.agent,
      turn_id: state.turn_id,
      moment,
      at,
      ...(prompt !== undefined && { prompt }),
      ...(isNamed && { paths: (state.turn_files ?? []).map(pathFromShown) }),
    });
  } catch (error) {
    log("warn", `No snapshot at the ${moment} of turn ${state.turn_id}`, error);
    return undefined;
  }
}
