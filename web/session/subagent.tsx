import { useContext, useEffect, useMemo } from "preact/hooks";
import type { Entry } from "../../src/view/api.ts";
import { onGrowth } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { Broken, Skeleton } from "../parts/states.tsx";
import { CallDetail } from "./call-detail.tsx";
import { EntryRow } from "./entry-row.tsx";
import { EntrySource } from "./entry-source.ts";
import { Session } from "./session-context.ts";

interface Props {
  readonly entry: Extract<Entry, { kind: "call" }>;
  readonly id: string;
}

/** What a child did, in the place where it was started. */
export function Subagent({ entry, id }: Props) {
  const session = useContext(Session);
  const { agent, session: name } = session.place;
  const source = useMemo(
    () => new EntrySource({ agent, session: name, child: id }),
    [agent, name, id],
  );
  useEffect(() => {
    void source.begin();
    return onGrowth((grown) => {
      if (isSame(grown, source.place)) void source.grow();
    });
  }, [source]);
  // Keys of a child can be those of its parent: what is known of those does not hold here.
  const inside = {
    ...session,
    place: source.place,
    promptNumber: () => undefined,
    isFresh: (key: string) => source.fresh.has(key),
  };
  const window = source.window.value;
  const error = source.error.value;
  const isEmpty = source.isLoaded.value && !error && window.entries.length === 0;
  const first = window.entries.findIndex((one) => one !== undefined);
  return (
    <div class="subagent">
      {error && (
        <Broken title={error.message} next={error.next} again={() => void source.begin()} />
      )}
      {!source.isLoaded.value && <Skeleton />}
      {(window.hasBefore || first > 0) && (
        <button type="button" class="text small" onClick={() => source.look(first - 1, first)}>
          Show what came before
        </button>
      )}
      <Session.Provider value={inside}>
        {window.entries.map((one) => one && <EntryRow key={one.key} entry={one} />)}
      </Session.Provider>
      {isEmpty ? (
        <>
          <p class="small dim">What it did is not in a transcript. This is the call itself:</p>
          <CallDetail entry={entry} />
        </>
      ) : (
        <details>
          <summary class="small dim">The call itself</summary>
          <CallDetail entry={entry} />
        </details>
      )}
    </div>
  );
}
