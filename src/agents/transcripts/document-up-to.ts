import { parsed } from "./json.ts";
import { messageSpans } from "./message-spans.ts";

/**
 * A document up to and with a message, and with all that is not messages. Where a message is written
 * again, its last form is kept. Undefined if there is no such message.
 */
export function documentUpTo(
  content: Buffer,
  isIt: (message: unknown) => boolean,
): Buffer | undefined {
  const spans = messageSpans(content);
  if (!spans) return undefined;
  const { start, commas, end } = spans;
  const ends = [...commas, end];
  let begins = start;
  let cut: number | undefined;
  for (const at of ends) {
    // One by one: all of them at once could be more than a string can hold.
    if (isIt(parsed(content.toString("utf8", begins, at)))) cut = at;
    begins = at + 1;
  }
  return cut === undefined
    ? undefined
    : Buffer.concat([content.subarray(0, cut), content.subarray(end)]);
}
