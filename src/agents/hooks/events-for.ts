import { type EventName, payloadMismatch, type SeamEvent } from "../../events/index.ts";
import { BUILDERS, type Origin } from "./event-builders.ts";
import { known } from "./fields.ts";
import type { HookRow } from "./hook-support.ts";
import type { Reading } from "./reading.ts";

/**
 * The events of a native hook, in the order in which they are to be fired. Pure, so that it can
 * be called where the handlers are. The payload itself is shared by all of them as `native`, never
 * copied: dispatch copies only the fields that handlers may change.
 */
export function eventsFor(
  row: HookRow,
  reading: Reading,
  origin: Partial<Origin> = {},
): SeamEvent[] {
  const ids = known({
    sessionId: reading.sessionId,
    turnId: reading.turnId,
    agent: origin.agent,
    nativeHook: origin.hook,
    native: origin.payload,
  });
  return row.events.flatMap((name) =>
    fieldsOf(name, reading, origin).map(
      // The builders are typed by name; the list of names is not.
      (fields) => ({ ...fields, ...ids, type: name }) as unknown as SeamEvent,
    ),
  );
}

function fieldsOf(name: EventName, reading: Reading, origin: Partial<Origin>): readonly object[] {
  const built = BUILDERS[name]?.(reading, origin) ?? [];
  const { given } = reading;
  if (given?.event !== name) return built;
  // What the agent itself says about the event counts, as long as it makes sense.
  const told = (built.length > 0 ? built : [{}]).map((fields) => ({ ...fields, ...given.fields }));
  return told.some((fields) => payloadMismatch(name, fields) !== undefined) ? built : told;
}
