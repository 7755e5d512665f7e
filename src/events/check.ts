import { mismatch } from "./mismatch.ts";
import { declarationOf, type EventName } from "./vocabulary.ts";

/** What is wrong with an event's payload, or undefined if it is as declared. */
export function payloadMismatch(name: EventName, event: unknown): string | undefined {
  return mismatch(declarationOf(name).payload, event);
}
